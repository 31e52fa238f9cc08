//! Messages for users on stderr. A stderr that cannot be written, such as that of a closed terminal,
//! changes neither the results nor the exit code.

use std::io::Write;

/// Writes on stderr if that is possible.
pub fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
