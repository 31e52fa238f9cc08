//! Text files about nodes and arcs, all read by the same rules.
//!
//! # The rules
//!
//! * **Files** are UTF-8: plain, gzip or zstd, by extension (`.gz`, `.zst`) or else by their first
//!   bytes; `-` is standard input. A byte order mark is skipped. Lines end in `\n` or `\r\n`, in CSV
//!   also in `\r`, and are at most 16 MiB long.
//! * **Fields** are separated as the first line shows, comments aside: by tabs if it has a tab, else
//!   by commas if it has a comma, else by blanks. Separators in quotation marks do not count, unless
//!   there are no others.
//! * **Quotation marks** enclose a field that is separated by commas, as in CSV, and a mark inside is
//!   doubled. Between tabs or blanks they are letters like others, as `rank import` takes them, except
//!   in tables with a header, which programs write with quotation marks.
//! * **Comments** are lines that start with `#`. A name that starts with `#` stands in quotation
//!   marks; a comment that could be such a name is an error where it would be missed. Tables with a
//!   header have no comments below it. Lines of blanks are skipped everywhere.
//! * **Keys** say which node is meant ([`keys`]): the name of a node, or else its number.
//!
//! # The files
//!
//! * [`records`]: records out of a file by these rules, with their lines, and what is wrong there;
//! * `lines`: the lines of a file, none longer than a limit;
//! * [`input`]: the bytes of a file or of standard input, decompressed;
//! * [`separator`]: what stands between fields;
//! * [`shown`]: fields as messages quote them;
//! * [`keys`]: which node a key means;
//! * [`names`]: node number and name, either from the other;
//! * [`suggestions`]: names like one that no node has;
//! * [`node_list`]: some nodes of a graph;
//! * [`node_values`]: a number for each node;
//! * [`arc_weights`]: a number for each arc.

pub mod arc_weights;
pub mod input;
pub mod keys;
mod lines;
pub mod names;
pub mod node_list;
pub mod node_values;
pub mod records;
pub mod separator;
pub mod shown;
pub mod suggestions;
