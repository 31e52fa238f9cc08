//! Calls from Python, as manifests tell of them, and the commands that do the same.
//!
//! A manifest of the Python package has `webrank pagerank alpha=0.5 ids=True save.top=10`: the measure,
//! the arguments that were not the defaults, of the method and of `webrank.open`, and which rows
//! were saved. An argument that is no number, word, path or list of these has its type there, as in
//! `preference=(dict)`.

use super::Cli;
use clap::{Command, CommandFactory};
use std::path::Path;
use webrank_base::visible::visible;
use webrank_scores::manifest::Manifest;

/// Measures whose scores depend on how many of the best nodes are asked for: methods of Python have
/// an argument for it, and the command takes the number of rows.
const OF_THE_BEST: [&str; 9] = [
    "betweenness",
    "closeness",
    "decay",
    "eccentricity",
    "geometric",
    "harmonic",
    "integration",
    "lin",
    "reachable",
];

/// The words of the command that repeats the run of a manifest, whose table has this path: its own,
/// or one with the options that a call from Python means.
///
/// # Errors
/// Why there is no such command; of an argument without an option, its name and value.
pub fn command_of(manifest: &Manifest, table: &Path) -> Result<Vec<String>, String> {
    let Some((measure, arguments)) = call(&manifest.command) else {
        return Ok(manifest.command.clone());
    };
    if manifest.graph.path.is_empty() {
        return Err("its graph was made in Python, and is in no file".into());
    }
    let mut commands = Cli::command();
    // Options of all commands are among those of each from here on.
    commands.build();
    let command = commands.find_subcommand(measure);
    let command = command.ok_or("this version has no such command")?;
    let (mut asked, mut saved) = (None, None);
    let mut words = vec!["rank".to_owned(), measure.to_owned()];
    for (name, value) in arguments {
        match name {
            "top" => asked = Some(value),
            "save.top" => saved = Some(value),
            "save.sort" => words.push(format!("--sort={value}")),
            _ => words.push(option(command, name, value).ok_or_else(|| no_option(name, value))?),
        }
    }
    match (asked, saved) {
        (None, None) => {}
        (Some(asked), saved) if saved != Some(asked) => return Err(no_option("top", asked)),
        (None, Some(saved)) if OF_THE_BEST.contains(&measure) => {
            return Err(no_option("save.top", saved));
        }
        (_, top) => words.extend(top.map(|top| format!("--top={top}"))),
    }
    // The rows and the format matter, not the place: nothing is written.
    let name = table.file_name().unwrap_or_default().to_string_lossy();
    words.push(format!("--output={name}"));
    words.extend(["--".to_owned(), manifest.graph.path.clone()]);
    Ok(words)
}

/// The measure and the arguments of a call, if these words are one.
fn call(words: &[String]) -> Option<(&str, Vec<(&str, &str)>)> {
    let (program, words) = words.split_first()?;
    let (measure, arguments) = words.split_first()?;
    let is_name = |name: &str| {
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        !name.is_empty() && name.chars().all(letters)
    };
    let parts = arguments.iter().map(|word| word.split_once('='));
    let parts: Option<Vec<(&str, &str)>> = parts.collect();
    let parts = parts.filter(|_| program == "webrank")?;
    let are_names = parts.iter().all(|(name, _)| is_name(name));
    are_names.then_some((measure, parts))
}

/// The option that an argument means, if there is one.
fn option(command: &Command, name: &str, value: &str) -> Option<String> {
    let long = match name {
        "format" => "from".to_owned(),
        "nodes" => "node-table".to_owned(),
        name => name.replace('_', "-"),
    };
    let mut options = command.get_arguments();
    let option = options.find(|option| option.get_long() == Some(&long))?;
    if !option.get_action().takes_values() {
        return (value == "True").then(|| format!("--{long}"));
    }
    if value.starts_with('(') && value.ends_with(')') {
        return None;
    }
    // Python writes True, and members of its enums with underscores.
    let plain = value.to_ascii_lowercase().replace('_', "-");
    let choices = option.get_possible_values();
    let is_choice = |text: &str| choices.iter().any(|choice| choice.matches(text, false));
    if !is_choice(value) && is_choice(&plain) {
        return Some(format!("--{long}={plain}"));
    }
    let is_seconds = long == "time-budget" && value.parse::<f64>().is_ok();
    let unit = if is_seconds { "s" } else { "" };
    Some(format!("--{long}={value}{unit}"))
}

fn no_option(name: &str, value: &str) -> String {
    let (name, value) = (visible(name), visible(value));
    format!("{name}={value} of the call from Python is no option of the command")
}
