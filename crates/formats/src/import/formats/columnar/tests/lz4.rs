//! Parquet compressed by LZ4.

use super::import_with;
use crate::import::ImportOptions;
use parquet::basic::Compression;
use parquet::data_type::Int64Type;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

#[test]
fn parquet_compressed_by_lz4_is_read() {
    let schema = "message arcs { required int64 source; required int64 target; }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    for compression in [Compression::LZ4, Compression::LZ4_RAW] {
        let properties = WriterProperties::builder().set_compression(compression);
        let properties = Arc::new(properties.build());
        let mut writer = SerializedFileWriter::new(Vec::new(), schema.clone(), properties).unwrap();
        let mut rows = writer.next_row_group().unwrap();
        for place in 0..2 {
            let mut column = rows.next_column().unwrap().unwrap();
            let values: Vec<i64> = (place..place + 1000).collect();
            let typed = column.typed::<Int64Type>();
            typed.write_batch(&values, None, None).unwrap();
            column.close().unwrap();
        }
        rows.close().unwrap();
        let file = writer.into_inner().unwrap();
        let graph = import_with("a.parquet", &file, &ImportOptions::default()).unwrap();
        assert_eq!((graph.num_nodes(), graph.num_arcs()), (1001, 1000));
    }
}
