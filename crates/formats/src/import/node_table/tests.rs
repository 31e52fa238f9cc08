use super::*;

fn table(text: &str) -> Result<NodeTable> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nodes.csv");
    std::fs::write(&path, text).unwrap();
    NodeTable::read(&path, None)
}

#[test]
fn tables_are_in_any_encoding_and_packing() {
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;
    let text = "Id;Label\n7;Zo\u{eb}\n";
    let wide: Vec<u8> = std::iter::once(0xfeff)
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let latin: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, encoding) in [
        ("wide.csv", wide, None),
        ("latin.csv", latin, Some("windows-1252")),
        ("packed.csv.gz", packed, None),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let table = NodeTable::read(&path, encoding).unwrap();
        assert_eq!(table.names().collect::<Vec<_>>(), ["Zo\u{eb}"], "{name}");
    }
}

#[test]
#[cfg(feature = "zip")]
fn a_table_in_an_archive() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nodes.zip");
    let mut archive = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    archive
        .start_file("nodes.csv", zip::write::SimpleFileOptions::default())
        .unwrap();
    archive.write_all(b"id,label\n7,Ann\n").unwrap();
    archive.finish().unwrap();
    let table = NodeTable::read(&path, None).unwrap();
    assert_eq!(table.names().collect::<Vec<_>>(), ["Ann"]);
}

fn names(text: &str) -> Vec<String> {
    let table = table(text).unwrap();
    table.names().map(str::to_owned).collect()
}

#[test]
fn the_header_says_which_columns_are_which() {
    for text in [
        "Id,Label,timeset\n7,Ann,\n9,Bob,\n",
        "label,age,node_id\nAnn,30,7\nBob,31,9\n",
        "number\tname\n7\tAnn\n9\tBob\n",
        "\"Id\";\"Label\"\n\"7\";\"Ann\"\n\"9\";\"Bob\"\n",
        "sep=;\nId;Label;Age\n7;Ann;1,5\n9;Bob;2,5\n",
        "# nodes\nid,label\n7,Ann\n9,Bob\n",
        "personId:ID(Person),name:string,:LABEL\n7,Ann,Person\n9,Bob,Person\n",
        ":ID|name|:LABEL\n7|Ann|A\n9|Bob|B\n",
        "7,Ann\n9,Bob\n",
    ] {
        let mut table = table(text).unwrap();
        assert_eq!(table.names().collect::<Vec<_>>(), ["Ann", "Bob"], "{text}");
        assert!(matches!(table.name("9"), Ok("Bob")), "{text}");
        assert!(matches!(table.name("8"), Ok("8")), "{text}");
    }
    assert_eq!(names("id,age\n7,30\n"), ["7"]);
}

#[test]
fn names_differ() {
    let text = "id,label\n1,Ann\n2,Bob\n3,Ann\n4,\n5,\n";
    assert_eq!(names(text), ["Ann (1)", "Bob", "Ann (3)", "4", "5"]);
    let notes: Vec<String> = table(text)
        .unwrap()
        .notes()
        .iter()
        .map(Note::to_string)
        .collect();
    assert!(
        notes[0].starts_with("ids in column 'id' and names in column 'label' of "),
        "{notes:?}"
    );
    assert!(notes[1].starts_with("2 nodes have a label"), "{notes:?}");
    assert!(notes[2].starts_with("2 nodes have no label"), "{notes:?}");
}

#[test]
fn what_would_mix_nodes_up_is_refused() {
    for (text, words) in [
        ("id,label\n1,a\n1,b\n", "line 3: '1' is the id of two nodes"),
        ("id,label\n,a\n", "line 2: the id of a node is empty"),
        ("id,label\n1,\n2,1\n", "'1' would be the name of two nodes"),
        ("a,b,c\n1,2,3\n", "which column holds the ids"),
    ] {
        let problem = table(text).err().unwrap().to_string();
        assert!(problem.contains(words), "{problem}");
    }
    let mut table = table("id,label\n1,2\n").unwrap();
    let problem = table.name("2").err().unwrap();
    let Problem::Record(problem) = problem else {
        panic!()
    };
    assert!(
        problem.contains("it is the name of the node '1'"),
        "{problem}"
    );
}
