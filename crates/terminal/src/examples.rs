//! Examples at the end of every help page.

/// The examples of all commands: below the name of one in brackets, lines of what they do and of words.
const EXAMPLES: &str = include_str!("examples.txt");

/// The lines of the examples of a command, by turns what one does and its words; none for one that has
/// none.
pub fn of(name: &str) -> Option<impl Iterator<Item = &'static str>> {
    let mut lines = EXAMPLES.lines().map(str::trim_end);
    lines.find(|line| {
        line.strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            == Some(name)
    })?;
    Some(lines.take_while(|line| !line.is_empty()))
}

/// The end of the help of a command: its examples; none for one that has none.
pub fn shown(name: &str) -> Option<String> {
    let lines = of(name)?.map(|line| format!("\n  {line}"));
    Some(format!("Examples:{}", lines.collect::<String>()))
}
