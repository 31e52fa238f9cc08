//! The library's errors as Python exceptions, which `webrank/errors.py` defines.

use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use webrank::Error;

/// The exception for an error of the library.
pub fn exception(py: Python<'_>, problem: &Error) -> PyErr {
    let class = match problem {
        Error::Interrupted => return PyKeyboardInterrupt::new_err(()),
        Error::Io {
            path,
            action,
            source,
        } => {
            let text = format!("{action}: {source}");
            let is_missing = source.kind() == std::io::ErrorKind::NotFound;
            let number = source.raw_os_error().or(is_missing.then_some(2));
            return match number {
                Some(number) => {
                    // Python chooses the subclass by the number, such as FileNotFoundError.
                    let text = text.replace(&format!(" (os error {number})"), "");
                    PyOSError::new_err((number, text, path.clone().into_os_string()))
                }
                None => PyOSError::new_err(problem.to_string()),
            };
        }
        Error::File { .. }
        | Error::NotDecided { .. }
        | Error::Damaged { .. }
        | Error::Line { .. } => "FileError",
        Error::Memory { .. } | Error::NeedsMemory { .. } => "OutOfMemory",
        Error::TakesLonger { .. } => "TooLong",
        Error::NotConverged { .. }
        | Error::NotReached { .. }
        | Error::RoundingLimit { .. }
        | Error::NotProved { .. }
        | Error::NotSampled { .. } => "NotConverged",
        Error::Undefined { .. } => "NotDefined",
        Error::Worker { .. } => "WorkerError",
        Error::Plot(_) => "WebrankError",
        _ => "ArgumentError",
    };
    named(py, class, &message(problem))
}

/// An exception of the package by its name.
pub fn named(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let made = || {
        let class = py.import("webrank.errors")?.getattr(class)?;
        class.call1((PyString::new(py, message),))
    };
    match made() {
        Ok(exception) => PyErr::from_value(exception),
        Err(problem) => problem,
    }
}

/// An argument that cannot be used.
pub fn argument(py: Python<'_>, message: impl AsRef<str>) -> PyErr {
    named(py, "ArgumentError", message.as_ref())
}

/// An argument of the wrong type.
pub fn wrong_type(py: Python<'_>, message: impl AsRef<str>) -> PyErr {
    named(py, "ArgumentTypeError", message.as_ref())
}

/// The message, with the arguments that help.
fn message(problem: &Error) -> String {
    let text = in_python(&problem.to_string());
    match problem {
        Error::NotConverged { .. } | Error::NotReached { .. } => {
            format!("{text} (max_iterations, allow_unconverged=True)")
        }
        Error::RoundingLimit { .. } => format!("{text} (tolerance, allow_unconverged=True)"),
        Error::NotProved { .. } | Error::NotSampled { .. } => {
            format!("{text} (allow_unconverged=True)")
        }
        Error::NeedsMemory { .. } => format!("{text} (memory)"),
        Error::TakesLonger { .. } => format!("{text} (time_budget, method)"),
        _ => text,
    }
}

/// Options of the command that messages of the library name, and their names in Python.
const OPTIONS: &[(&str, &str)] = &[
    ("--from", "format"),
    ("--ids", "ids"),
    ("--columns", "columns"),
    ("--names", "names"),
    ("--unweighted", "unweighted"),
    ("--negative", "negative"),
    ("--separator", "separator"),
    ("--encoding", "encoding"),
    ("--header", "header"),
    ("--allow-empty", "allow_empty"),
    ("--symmetric", "symmetric"),
    ("--node-table", "nodes"),
    ("--ids-from", "ids_from"),
    ("--duplicates", "duplicates"),
    ("--top", "top"),
    ("--sort", "sort"),
    ("--to", "format"),
    ("--method", "method"),
    ("--ranks-are-scores", "ranks_are_scores"),
    ("--respect-bounds", "respect_bounds"),
];

/// A message of the library with the names that options have in Python.
pub fn in_python(message: &str) -> String {
    if !message.contains("--") {
        return message.to_owned();
    }
    let words = message.split_inclusive([' ', ',', ';', ')', ':']);
    let renamed = words.map(|word| {
        let found = OPTIONS.iter().find(|(option, _)| {
            let rest = word.trim_start_matches('(').strip_prefix(option);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
        });
        match found {
            Some((option, name)) => word.replacen(option, name, 1),
            None => word.to_owned(),
        }
    });
    renamed.collect()
}
