//! Command lines that users may type instead of their own.

use std::ffi::OsString;

/// True for options beside which nothing is estimated.
pub(crate) fn is_exact_alone(word: &OsString) -> bool {
    let word = word.to_string_lossy();
    let name = word.split_once('=').map_or(&*word, |(name, _)| name);
    ["--lengths", "--cutoff", "--endpoints", "--arcs"].contains(&name)
}

/// The words of a command line, without those that ask for its plan.
pub(crate) fn without_plan(words: &[OsString]) -> impl Iterator<Item = OsString> {
    let others = words.iter().enumerate();
    let others =
        others.filter(|(place, word)| *word != "--plan" && (*place != 1 || *word != "plan"));
    others
        .map(|(_, word)| word.clone())
        .collect::<Vec<_>>()
        .into_iter()
}

/// The command line with an option set, as a shell takes it; none if a word is no text.
pub(crate) fn typed(words: &[OsString], option: &clap::Arg, with_value: &str) -> Option<String> {
    // Estimates have no budget.
    let dropped: &[&str] = match option.get_long()? {
        "method" => &["--method", "--time-budget"],
        _ => &["--time-budget"],
    };
    let is_dropped = |word: &str| dropped.contains(&word);
    let mut typed = vec!["rank".to_owned()];
    let mut words = without_plan(words).skip(1);
    while let Some(word) = words.next() {
        let word = word.into_string().ok()?;
        if is_dropped(&word) {
            words.next();
        } else if !word
            .split_once('=')
            .is_some_and(|(name, _)| is_dropped(name))
        {
            typed.push(typed_word(&word));
        }
    }
    let end = typed.iter().position(|word| word == "--");
    typed.insert(end.unwrap_or(typed.len()), with_value.to_owned());
    Some(typed.join(" "))
}

/// A word as a shell takes it, within the quotation marks of a message.
pub(crate) fn typed_word(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./,:=%+@".contains(letter);
    if word.chars().all(is_plain) && !word.is_empty() {
        return word.to_owned();
    }
    let escaped = word.chars().flat_map(|letter| {
        let is_special = "\\\"$`".contains(letter);
        is_special.then_some('\\').into_iter().chain([letter])
    });
    format!("\"{}\"", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::typed_word;

    #[test]
    fn words_are_typed_as_a_shell_takes_them() {
        for (word, typed) in [
            ("a/b.csv", "a/b.csv"),
            ("a b", "\"a b\""),
            ("$HOME`x`\"", "\"\\$HOME\\`x\\`\\\"\""),
            ("", "\"\""),
        ] {
            assert_eq!(typed_word(word), typed);
        }
    }
}
