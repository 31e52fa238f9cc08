use super::*;
use crate::bundle::{NAMES, NAMES_INDEX};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_tables::text::names::LineEnds;
use webrank_tables::text::names::Names;

/// A folder in a folder, as a bundle that is being filled.
struct Place {
    _outer: tempfile::TempDir,
    names: PathBuf,
}

fn place() -> Place {
    let outer = tempfile::tempdir().unwrap();
    let inner = outer.path().join("g.bv");
    std::fs::create_dir(&inner).unwrap();
    Place {
        names: inner.join(NAMES),
        _outer: outer,
    }
}

fn written(names: &[String]) -> (Place, NameIndex) {
    let place = place();
    write_names(names.iter().map(String::as_str), &place.names).unwrap();
    let index = NameIndex::open(&place.names).unwrap();
    (place, index)
}

fn all_names(path: &Path, count: usize) -> Names {
    Names::read(path, count, LineEnds::Feed).unwrap()
}

/// Compares every answer with a plain search.
fn check(names: &[String], other_keys: &[&str]) {
    let (place, index) = written(names);
    assert_eq!(index.len(), names.len());
    assert_eq!(index.is_sorted(), names.is_sorted());
    let all = all_names(&place.names, names.len());
    assert_eq!(index.has_numbers(), all.has_numbers());
    index.verify(&all).unwrap();
    let mut by_name: Vec<(&str, Node)> = Vec::new();
    for (node, name) in names.iter().enumerate() {
        assert_eq!(&index.name(node as Node).unwrap(), name);
        assert_eq!(all.get(node as Node), name);
        by_name.push((name, node as Node));
    }
    assert!(index.name(names.len() as Node).is_err());
    by_name.sort();
    let keys = names
        .iter()
        .map(String::as_str)
        .chain(other_keys.iter().copied());
    for key in keys {
        assert_eq!(index.find(key).unwrap(), all.find(key), "{key:?}");
        for prefix in key.char_indices().map(|(end, _)| &key[..end]).chain([key]) {
            let found = index.prefix(prefix).unwrap();
            let found: Vec<(Node, String)> = found.collect::<Result<_, _>>().unwrap();
            let found = found.iter().map(|(node, name)| (name.as_str(), *node));
            let expected = by_name.iter().filter(|(name, _)| name.starts_with(prefix));
            assert!(found.eq(expected.copied()), "{prefix:?}");
        }
    }
}

proptest! {
    #[test]
    fn names_are_found(
        mut names in prop::collection::vec(
            prop_oneof!["[ab]{0,4}", "[^\n]{0,5}", "[0-9]{1,2}", "a{0,3}[\r\u{1}\u{10ffff}]?"],
            0..40,
        ),
        is_sorted in any::<bool>(),
    ) {
        if is_sorted {
            names.sort();
        }
        check(&names, &["", "a", "abc", "\u{10ffff}", "\r", "7"]);
    }
}

/// Names of many lengths, which fill many blocks, and pages of several levels.
fn many(count: usize) -> Vec<String> {
    let name = |i: usize| match i % 500 {
        7 => format!("{:06}{}", i, "x".repeat(i)),
        _ => format!("{:06}.example.org/{}", i, i * i % 97),
    };
    (0..count).map(name).collect()
}

#[test]
fn trees_of_several_levels_are_searched() {
    let mut names = many(30_000);
    let others = ["", "000006", "000007y", "015000.example.org/", "9"];
    let check_some = |names: &[String]| {
        let (place, index) = written(names);
        index.verify(&all_names(&place.names, names.len())).unwrap();
        for (node, name) in names.iter().enumerate().step_by(101) {
            assert_eq!(index.find(name).unwrap(), Some(node as Node));
            assert_eq!(&index.name(node as Node).unwrap(), name);
        }
        for other in others {
            assert_eq!(index.find(other).unwrap(), None);
        }
        let found = index.prefix("0123").unwrap().map(|found| found.unwrap());
        let mut expected: Vec<&String> = names
            .iter()
            .filter(|name| name.starts_with("0123"))
            .collect();
        expected.sort();
        assert!(
            found
                .map(|(_, name)| name)
                .eq(expected.into_iter().cloned())
        );
    };
    check_some(&names);
    // A single name out of order, the last one.
    names.push("000007".into());
    check_some(&names);
    assert_eq!(written(&names).1.find("000007").unwrap(), Some(30_000));
    // An order that is far from that of the names.
    let shuffle = |names: &mut Vec<String>| {
        names.sort_by_key(|name| xxhash_rust::xxh3::xxh3_64(name.as_bytes()));
    };
    shuffle(&mut names);
    check_some(&names);
    // Long keys make many levels.
    let mut names: Vec<String> = (0..3000)
        .map(|i| format!("{}{i:04}", "a".repeat(3000)))
        .collect();
    assert!(written(&names).1.header().by_node.depth >= 3);
    check_some(&names);
    shuffle(&mut names);
    check_some(&names);
}

#[test]
fn a_name_of_any_length_is_a_block() {
    let long = |letter: &str| letter.repeat(1 << 20);
    let names = [long("a"), long("a") + "b", "b".into(), long("c"), long("c")];
    let (place, index) = written(&names);
    index.verify(&all_names(&place.names, names.len())).unwrap();
    for (name, node) in names.iter().zip([0, 1, 2, 3, 3]) {
        assert_eq!(index.find(name).unwrap(), Some(node));
    }
    let place = self::place();
    for (name, words) in [
        ("a\nb".to_owned(), "line feed"),
        ("a".repeat((16 << 20) + 1), "16 MiB"),
    ] {
        let problem = write_names(["x", &name].into_iter(), &place.names);
        let problem = problem.unwrap_err().to_string();
        assert!(
            problem.contains("line 2") && problem.contains(words),
            "{problem}"
        );
    }
}

#[test]
fn the_bytes_do_not_depend_on_threads_or_memory() {
    let mut names = many(5_000);
    names.sort_by_key(|name| xxhash_rust::xxh3::xxh3_64(name.as_bytes()));
    let bytes = |place: &Place| {
        let index = place.names.with_file_name(NAMES_INDEX);
        (
            std::fs::read(&place.names).unwrap(),
            std::fs::read(index).unwrap(),
        )
    };
    let (expected, _) = written(&names);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let place = pool.build().unwrap().install(|| written(&names).0);
        assert!(bytes(&place) == bytes(&expected));
    }
    for room in [0, 1000, 1 << 20] {
        let (place, temp) = (place(), tempfile::tempdir().unwrap());
        let room = SpillBudget {
            bytes: room,
            folder: Some(Arc::new(TemporaryFolder::create(temp.path()).unwrap())),
        };
        let names = &names[..300];
        let mut writer = NamesWriter::create(&place.names, &place.names, Some(room)).unwrap();
        names.iter().for_each(|name| writer.push(name).unwrap());
        writer.finish().unwrap();
        assert!(bytes(&place) == bytes(&written(names).0));
    }
}

/// The results of all look-ups; none if something is refused.
fn everything(path: &Path, names: &[String]) -> Option<Vec<(Option<Node>, String)>> {
    let index = NameIndex::open(path).ok()?;
    let found = (0..names.len()).map(|node| {
        let found = index.find(&names[node])?;
        Ok((found, index.name(node as Node)?))
    });
    let found: webrank_base::error::Result<_> = found.collect();
    index.prefix("").ok()?.collect::<Result<Vec<_>, _>>().ok()?;
    found.ok()
}

#[test]
fn a_flipped_byte_is_refused_or_changes_no_answer() {
    for names in [["a", "ab", "b", "c7", "d"], ["b", "d", "a", "c7", "ab"]] {
        let names = names.map(str::to_owned);
        let (place, _) = written(&names);
        let right = everything(&place.names, &names);
        assert!(right.is_some());
        let mut refused = 0;
        for file in [NAMES, NAMES_INDEX] {
            let path = place.names.with_file_name(file);
            let bytes = std::fs::read(&path).unwrap();
            for at in 0..bytes.len() {
                for bits in [1, 0x80, 0xff] {
                    let mut changed = bytes.clone();
                    changed[at] ^= bits;
                    std::fs::write(&path, &changed).unwrap();
                    let found = everything(&place.names, &names);
                    assert!(found.is_none() || found == right, "{file}, byte {at}");
                    refused += usize::from(found.is_none());
                }
                std::fs::write(&path, &bytes[..at]).unwrap();
                assert!(
                    everything(&place.names, &names).is_none(),
                    "{file}, cut at {at}"
                );
            }
            assert!(refused > 2 * bytes.len());
            std::fs::write(&path, &bytes).unwrap();
        }
    }
}

#[test]
fn an_index_of_other_names_is_refused() {
    let [one, two, three] = [["a", "b", "c"], ["a", "c", "b"], ["a", "b", "d"]]
        .map(|names| written(&names.map(str::to_owned)).0);
    let all = all_names(&one.names, 3);
    for other in [two, three] {
        let index = NameIndex::open(&other.names).unwrap();
        let problem = index.verify(&all).unwrap_err().to_string();
        assert!(problem.contains("other names"), "{problem}");
    }
}
