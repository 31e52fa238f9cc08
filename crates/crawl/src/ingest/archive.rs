//! The pages of archives and folders, in order, read by one thread and parsed by all.

use super::checkpoint::Place;
use super::members::{Input, Members};
use super::mirror::{self, Base};
use super::page::{Item, Limits, may_be_page};
use super::records::{Record, Records, arc};
use super::{IngestCounts, Source};
use rayon::prelude::*;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;
use webrank_tables::text::checksums::Checksums;
use webrank_tables::text::input;
use xxhash_rust::xxh3::Xxh3;

/// Takes what was found.
pub(super) trait Sink {
    /// The next item, in order.
    fn take(&mut self, item: Item) -> Result<()>;

    /// All items before a place of the source were taken, and these are its counts.
    fn pause(&mut self, place: Place, counts: &IngestCounts) -> Result<()>;
}

/// Records that are parsed at once, for each thread: their links are in memory together.
const AT_ONCE: usize = 8;

/// Records that wait take at most so many bytes together, or are one.
const WAITING: usize = 16 << 20;

/// Gives the pages of an archive behind a place; adds to the counts, which are those of before; returns its
/// length and checksum.
///
/// # Errors
/// If it cannot be read, or has no record; if what is before the place has changed; damage is counted.
pub(super) fn read(
    path: &Path,
    limits: &Limits,
    counts: &mut IngestCounts,
    from: Place,
    progress: &dyn Progress,
    sink: &mut dyn Sink,
) -> Result<Source> {
    let checksums = Checksums::default();
    let (input, is_gzip) = input::open_but_gzip(path, &checksums)?;
    let input = match is_gzip {
        true => Input::Members(Box::new(Members::new(input))),
        false => Input::Plain(input),
    };
    let mut records = Records::new(input, limits.page);
    records.whole = most_bytes(path, is_gzip);
    let at_once = AT_ONCE * rayon::current_num_threads();
    let mut waiting: Vec<Record> = Vec::new();
    let (mut bytes, mut read, mut hasher) = (0, 0, Xxh3::new());
    loop {
        let next = records.next(may_be_page);
        let next = next.map_err(|source| Error::io(path, "cannot read", source))?;
        let is_over = next.is_none();
        if let Some(record) = next {
            read += 1;
            hasher.update(record.url.as_bytes());
            hasher.update(&record.content);
            if read <= from.records {
                if read == from.records {
                    check(path, from, hasher.digest())?;
                }
                continue;
            }
            counts.records += 1;
            if may_be_page(&record) {
                bytes += record.content.len();
                waiting.push(record);
            } else {
                counts.no_response += 1;
            }
        }
        if is_over && read < from.records {
            return Err(changed(path));
        }
        if is_over || waiting.len() >= at_once || bytes >= WAITING {
            progress.check()?;
            progress.advance(waiting.len() as u64);
            parse(&waiting, counts, sink, |record, counts| {
                limits.record(record, counts)
            })?;
            waiting.clear();
            bytes = 0;
            let place = Place {
                records: read,
                checksum: hasher.digest(),
            };
            sink.pause(place, counts)?;
        }
        if is_over {
            break;
        }
    }
    counts.damaged += records.damaged;
    for place in &records.places {
        let path = path.display();
        log::info!("{path}: damage at or before byte {place}, decompressed, is left out");
    }
    counts.bytes += records.bytes;
    if read == 0 && records.bytes > 0 {
        let problem =
            "has no WARC record and none of ARC: give WARC, WAT or ARC files, or folders of HTML";
        return Err(Error::file(path, problem));
    }
    let (bytes, checksum) = checksums.of(path).unwrap_or_default();
    Ok(Source { bytes, checksum })
}

/// The most bytes that an archive has, decompressed; no bound where nobody knows.
fn most_bytes(path: &Path, is_gzip: bool) -> u64 {
    /// Deflate makes 1032 bytes of one at most.
    const OF_GZIP: u64 = 1040;
    let length = path.metadata().ok().filter(|it| it.is_file());
    let Some(length) = length
        .map(|it| it.len())
        .filter(|_| path.as_os_str() != "-")
    else {
        return u64::MAX;
    };
    if is_gzip {
        return length.saturating_mul(OF_GZIP);
    }
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    let is_plain = start.starts_with(b"WARC") || arc::may_be_head(&start);
    match read.is_ok() && is_plain {
        true => length,
        false => u64::MAX,
    }
}

/// Compares what was read before a place.
fn check(path: &Path, place: Place, checksum: u64) -> Result<()> {
    match place.checksum == checksum {
        true => Ok(()),
        false => Err(changed(path)),
    }
}

fn changed(path: &Path) -> Error {
    let problem = "has changed since the checkpoint was written; remove the folder of the checkpoint to \
                   begin again";
    Error::file(path, problem)
}

/// Parses by all threads, and gives the results in order.
fn parse<T: Sync>(
    all: &[T],
    counts: &mut IngestCounts,
    sink: &mut dyn Sink,
    parse: impl Fn(&T, &mut IngestCounts) -> Item + Sync,
) -> Result<()> {
    let parsed: Vec<(Item, IngestCounts)> = all
        .par_iter()
        .map(|one| {
            let mut counts = IngestCounts::default();
            let item = parse(one, &mut counts);
            (item, counts)
        })
        .collect();
    for (item, of_item) in parsed {
        counts.add(&of_item);
        sink.take(item)?;
    }
    Ok(())
}

/// A file of a folder.
struct HtmlFile {
    url: Option<String>,
    content: Vec<u8>,
    is_cut: bool,
}

/// Gives the pages of a folder as [`read`] does; returns the length and checksum of all.
///
/// # Errors
/// If a file cannot be read, or if there is no page; if files before the place have changed.
pub(super) fn read_folder(
    folder: &Path,
    base: &Base,
    limits: &Limits,
    counts: &mut IngestCounts,
    from: Place,
    progress: &dyn Progress,
    sink: &mut dyn Sink,
) -> Result<Source> {
    let files = mirror::files(folder)?;
    if files.is_empty() {
        return Err(without_pages(folder));
    }
    let mut all = Xxh3::new();
    let (mut bytes, mut passed) = (0, 0);
    if (files.len() as u64) < from.records {
        return Err(changed(folder));
    }
    for files in files.chunks(AT_ONCE * rayon::current_num_threads()) {
        progress.check()?;
        let mut read = Vec::with_capacity(files.len());
        for file in files {
            let page = read_file(folder, file, base, limits)?;
            bytes += page.content.len() as u64;
            let url = page.url.as_deref().unwrap_or("");
            for part in [url.as_bytes(), &page.content] {
                all.update(&(part.len() as u64).to_le_bytes());
                all.update(part);
            }
            passed += 1;
            if passed > from.records {
                read.push(page);
            } else if passed == from.records {
                check(folder, from, all.digest())?;
            }
        }
        parse(&read, counts, sink, |file, counts| {
            counts.records += 1;
            counts.responses += 1;
            counts.bytes += file.content.len() as u64;
            counts.pages_cut += u64::from(file.is_cut);
            let Some(url) = &file.url else {
                counts.unusable_urls += 1;
                return Item::Nothing;
            };
            limits.html(url, &file.content, None, false, counts)
        })?;
        progress.advance(files.len() as u64);
        if passed >= from.records {
            let place = Place {
                records: passed,
                checksum: all.digest(),
            };
            sink.pause(place, counts)?;
        }
    }
    Ok(Source {
        bytes,
        checksum: all.digest128(),
    })
}

/// The error for a folder without pages, as the one that `rank crawl` has written.
fn without_pages(folder: &Path) -> Error {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let is_archive = |name: &String| [".warc", ".wat", ".arc"].iter().any(|it| name.contains(it));
    let problem = match names.find(is_archive) {
        Some(name) => format!(
            "holds archives and no HTML; give its files, such as {}",
            folder.join(name).display()
        ),
        None => "has no file whose name ends in .html, .htm, .xhtml or .xht".to_owned(),
    };
    Error::file(folder, problem)
}

fn read_file(folder: &Path, file: &PathBuf, base: &Base, limits: &Limits) -> Result<HtmlFile> {
    let mut content = Vec::new();
    let opened = File::open(file).map_err(|source| Error::io(file, "cannot open", source))?;
    let read = opened
        .take(limits.page as u64 + 1)
        .read_to_end(&mut content);
    read.map_err(|source| Error::io(file, "cannot read", source))?;
    let is_cut = content.len() > limits.page;
    content.truncate(limits.page);
    Ok(HtmlFile {
        url: base.url_of(folder, file),
        content,
        is_cut,
    })
}
