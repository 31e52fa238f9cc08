//! Measures of rankings against trec_eval (`tests/fixtures/make_trec_eval.py`).

use serde_json::Value;
use webrank_retrieval::measures::{MEASURES, measures};

#[test]
fn measures_are_those_of_trec_eval() {
    let text =
        std::fs::read_to_string(webrank_testing::at!("tests/fixtures/trec_eval.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(cases.len(), 40);
    let grades = |value: &Value| -> Vec<u32> { serde_json::from_value(value.clone()).unwrap() };
    for case in &cases {
        let found = measures(&grades(&case["ranked"]), &grades(&case["judged"]));
        for (name, found) in MEASURES.iter().zip(found) {
            let expected = case["values"][name].as_f64().unwrap();
            // trec_eval's numbers are 64-bit, but not all of its sums.
            assert!(
                (found - expected).abs() < 1e-9,
                "{name}: {found}, not {expected}: {case}"
            );
        }
    }
}
