//! The numbers of a graph are those of its file.

use std::path::PathBuf;
use webrank_base::progress::Silent;
use webrank_graph::codes::{
    CodeGroup, CompFlags, Field, FieldCounts, LabCode, best_codes, written_codes,
};
use webrank_graph::{Compressed, Csr, Rows, StoredGraph};
use webrank_testing::graphs::{Arcs, large_graph};

/// The graphs of the project.
fn graphs() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(webrank_testing::at!("graphs")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut graphs: Vec<PathBuf> = paths.filter(|path| path.is_dir()).collect();
    graphs.sort();
    assert!(graphs.len() >= 2);
    graphs
}

fn bits(graph: &Compressed, counts: &FieldCounts, field: Field) -> u64 {
    let code = LabCode::Instantaneous(field.code(&graph.properties().codes));
    let bits = counts[field].bits(|number| code.length(number));
    bits.try_into().unwrap()
}

/// The bits of each component under the codes of the file, and those that Java states, if it does.
pub fn check(source: &StoredGraph) {
    let graph = source.compressed().unwrap();
    let counts = FieldCounts::of(&graph, &Silent).unwrap();
    let sum = |fields: &[Field]| -> u64 {
        let fields = fields.iter();
        fields.map(|&field| bits(&graph, &counts, field)).sum()
    };
    assert_eq!(sum(&Field::ALL), graph.num_bits());
    for (&name, &stated) in &source.properties().stated {
        let group = CodeGroup::ALL
            .into_iter()
            .find(|group| name == format!("bitsfor{}", group.name()));
        if let Some(group) = group {
            assert_eq!(sum(group.fields()), stated, "{name}");
        }
    }
    assert_eq!(
        counts,
        FieldCounts::of(&source.streamed().unwrap(), &Silent).unwrap()
    );
}

#[test]
fn the_bits_of_all_components_are_those_of_the_file() {
    for path in graphs() {
        check(&StoredGraph::open(&path).unwrap());
    }
}

#[test]
fn rows_are_counted_as_they_are_written() {
    for path in graphs() {
        let source = StoredGraph::open(&path).unwrap();
        let file = FieldCounts::of(&source.compressed().unwrap(), &Silent).unwrap();
        let flags = CompFlags::default();
        let rows = source.successors(&Silent).unwrap();
        assert_eq!(file, FieldCounts::of_rows(&rows, &flags, &Silent).unwrap());
        let compressed = source.streamed().unwrap();
        assert_eq!(
            file,
            FieldCounts::of_rows(&compressed, &flags, &Silent).unwrap()
        );
    }
}

#[test]
fn no_other_code_of_files_is_better_than_the_best() {
    let Arcs(n, arcs) = large_graph();
    let rows = Csr::from_arcs(n, arcs).unwrap();
    let flags = CompFlags {
        compression_window: 2,
        ..CompFlags::default()
    };
    let counts = FieldCounts::of_rows(&rows, &flags, &Silent).unwrap();
    let best = best_codes(&rows, &flags, &Silent).unwrap();
    assert_eq!(best.compression_window, 2);
    for group in CodeGroup::ALL {
        let bits = |code| counts.group_bits(group, LabCode::standard(code));
        let least = written_codes().map(bits).min().unwrap();
        assert_eq!(bits(group.code(&best)), least, "{}", group.name());
    }
}

#[test]
fn without_numbers_codes_are_the_default_ones() {
    let none = Csr::from_arcs(0, []).unwrap();
    let flags = CompFlags::default();
    let best = best_codes(&none as &dyn Rows, &flags, &Silent).unwrap();
    for group in CodeGroup::ALL {
        assert_eq!(group.code(&best), group.code(&flags));
    }
}
