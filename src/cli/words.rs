//! The word of a command line that names its command.

use clap::error::Result;
use std::ffi::{OsStr, OsString};
use webrank_terminal::tool::root;

/// The place of the first word that is no option, nor the value of one; none if there is none.
///
/// # Errors
/// The problem with the options before it, or their wish for help.
pub fn place_of_name(words: &[impl AsRef<OsStr>]) -> Result<Option<usize>> {
    let given = words.iter().map(|word| OsString::from(word.as_ref()));
    let any_command = root().allow_external_subcommands(true);
    let matches = any_command.try_get_matches_from(given)?;
    let Some((_, own)) = matches.subcommand() else {
        return Ok(None);
    };
    // The words behind the name of a command that clap does not know have no name.
    let behind = own.try_get_raw("").ok().flatten();
    let place = words.len() - 1 - behind.map_or(0, |words| words.len());
    // Behind --, no word names a command.
    let is_escaped = words[..place].iter().any(|word| word.as_ref() == "--");
    Ok((!is_escaped).then_some(place))
}

#[cfg(test)]
mod tests {
    use super::place_of_name;

    fn name(line: &str) -> Option<&str> {
        let words: Vec<&str> = line.split(' ').collect();
        let place = place_of_name(&words).ok().flatten();
        place.map(|place| words[place])
    }

    #[test]
    fn options_and_their_values_are_no_names() {
        for line in [
            "rank codes g.bv",
            "rank codes",
            "rank -q codes -v crawl",
            "rank -qv --plan codes --nonsense",
            "rank --memory 1G --threads 2 codes g.bv -- x",
            "rank --memory=1G codes -- --plan crawl",
        ] {
            assert_eq!(name(line), Some("codes"), "{line}");
        }
        for line in [
            "rank",
            "rank -q",
            "rank --memory codes",
            "rank --nonsense codes",
            "rank -h codes",
            "rank -- codes g.bv",
        ] {
            assert_eq!(name(line), None, "{line}");
        }
    }
}
