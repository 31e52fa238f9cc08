//! Which options a command line gives.

use clap::error::Result as Parsed;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches, Id};
use webrank_base::error::{Error, Result};

/// The options that a command line gives, with defaults left out. It is the first field of the arguments:
/// each takes its own from the matches.
pub struct Given(Vec<Id>);

impl Given {
    /// Fails if one of these options is given.
    ///
    /// # Errors
    /// If one is.
    pub fn refuse(&self, options: &[&'static str], remedy: &str) -> Result<()> {
        let is_given = |option: &&&str| self.0.iter().any(|id| id.as_str() == **option);
        match options.iter().find(is_given) {
            None => Ok(()),
            Some(&"tables") => Err(Error::argument("static", "given", remedy)),
            Some(&option) => Err(Error::argument(option, "given", remedy)),
        }
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Parsed<Self> {
        let source = |id: &&Id| matches.value_source(id.as_str());
        let given = matches
            .ids()
            .filter(|id| source(id) == Some(ValueSource::CommandLine));
        Ok(Given(given.cloned().collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Parsed<()> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}
