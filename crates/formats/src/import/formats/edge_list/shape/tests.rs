use super::*;

fn separator(text: &str) -> Result<Separator, NoShape> {
    Shape::of(text.as_bytes(), true, (None, false)).map(|shape| shape.text.separator)
}

#[test]
fn most_lines_agree_on_a_separator() {
    for (text, expected) in [
        ("a\tb\nc d\te, f\n", Separator::Tab),
        ("a;b\nc;d\n", Separator::Semicolon),
        ("\"a\";\"b\"\n\"c\";\"d,e\"\n", Separator::Semicolon),
        ("\";a\",\"b\"\n\"c\",\";d\"\n", Separator::Comma),
        ("\";a\",\";\"\"b\"\n", Separator::Comma),
        ("\"\t\",\"\t\"\n", Separator::Comma),
        ("s;t;w\na;b;0,5\nb;c;1,25\n", Separator::Semicolon),
        ("a;b,c\nd,e\n", Separator::Comma),
        ("a|b|2020-01-01\n", Separator::Bar),
        ("a b\nb c\nlonely\n", Separator::Blanks),
        (
            "1 2\t1\t1082008561\n3 4\t1\t1082008562\n",
            Separator::Blanks,
        ),
        ("a b\rb c\r", Separator::Blanks),
        (
            "\"New York\" \"Boston\"\n\"Rome\" \"Boston\"\n",
            Separator::Blanks,
        ),
        ("# a, b\nx y\n", Separator::Blanks),
    ] {
        assert_eq!(separator(text), Ok(expected), "{text}");
    }
}

#[test]
fn what_is_not_agreed_on_is_no_list() {
    assert_eq!(separator(""), Err(NoShape::Empty));
    assert_eq!(separator("# only\n"), Err(NoShape::Empty));
    assert_eq!(separator("a\nb\n"), Err(NoShape::OneColumn));
    for (text, words) in [
        ("a;b,c\nd;e,f\n", "semicolons or commas may separate"),
        (
            "It was a dark night.\nThe rain fell.\nIn torrents, except at all times\n",
            "line 1 has 5, line 2 has 3",
        ),
        ("a\0b c\n", "line 1 has a NUL byte"),
    ] {
        let Err(NoShape::Other(problem)) = separator(text) else {
            panic!("{text}");
        };
        assert!(problem.contains(words), "{problem}");
    }
}
