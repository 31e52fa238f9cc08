//! Text files about nodes and arcs, all read by the same rules.
//!
//! # The rules
//!
//! * **Files** are UTF-8: plain or compressed by gzip, zstd, bzip2 or xz, recognised by extension
//!   (`.gz`, `.zst`, `.bz2`, `.xz`), otherwise by their first bytes; `-` is standard input. A byte order
//!   mark is skipped. Lines end in `\n` or `\r\n`, in CSV also in `\r`, and are at most 16 MiB long.
//! * **Fields** are separated as the first line shows, comments aside: by tabs if it has a tab,
//!   otherwise by commas if it has a comma, otherwise by blanks. Separators in quotation marks
//!   count only if there are no others.
//! * **Quotation marks** enclose fields that are separated by commas, as in CSV; a mark inside a
//!   field is doubled. Between tabs or blanks they are ordinary characters, in `rank import` too,
//!   except in tables with a header, which programs write with quotation marks.
//! * **Comments** are lines that start with `#`. A name that starts with `#` must be in quotation
//!   marks; a comment that could be such a name is an error where the name would be missed. Tables
//!   with a header have no comments below it. Blank lines are skipped everywhere.
//! * **Keys** identify nodes ([`keys`]): by name, otherwise by number.
//!
//! # The files
//!
//! * [`records`]: reads records by these rules, and reports errors with their lines;
//! * `lines`: the lines of a file, none longer than a limit;
//! * [`input`]: the bytes of a file or of standard input, decompressed;
//! * [`decoded`]: text in another encoding than UTF-8;
//! * [`checksums`]: of the files that were read;
//! * [`separator`]: what separates fields;
//! * [`webrank_base::shown`]: fields as messages quote them;
//! * [`keys`]: which node a key means;
//! * [`missing`]: what is said of a file that is not there;
//! * `integers`: names that are integers;
//! * [`names`]: names of nodes, from number to name and back;
//! * [`suggestions`]: names similar to one that no node has;
//! * [`node_list`]: some nodes of a graph;
//! * [`node_values`]: a number for each node.

pub mod checksums;
pub mod decoded;
pub mod input;
mod integers;
pub mod keys;
mod lines;
pub mod missing;
pub mod names;
pub mod node_list;
pub mod node_values;
pub mod records;
pub mod separator;
pub mod suggestions;
