//! The words of the command that made a table, as its manifest gives them.

use std::sync::OnceLock;

/// The words to give instead of those of this process.
static WORDS: OnceLock<Vec<String>> = OnceLock::new();

/// Sets the words that manifests of this process give as its command. Only the first call counts.
pub fn set(words: impl IntoIterator<Item = String>) {
    let _ = WORDS.set(words.into_iter().collect());
}

/// The words that were set, or those of this process.
pub(crate) fn words() -> Vec<String> {
    let own = || {
        let words = std::env::args_os();
        words
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    };
    WORDS.get().cloned().unwrap_or_else(own)
}
