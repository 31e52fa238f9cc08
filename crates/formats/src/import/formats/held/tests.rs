use super::names::whole_number;

#[test]
fn whole_numbers_have_one_text() {
    for (text, expected) in [
        ("+5", "5"),
        ("007", "7"),
        ("-3", "-3"),
        ("2.0", "2"),
        ("1e3", "1000"),
        ("1.5", "1.5"),
        ("1e300", "1e300"),
        ("x", "x"),
    ] {
        assert_eq!(whole_number(text), expected);
    }
}
