//! Graphs of other formats, in and out.

mod attributes;
mod doors;
mod export;
mod export_readers;
mod import_fixtures;
mod import_formats;
mod round_trips;
