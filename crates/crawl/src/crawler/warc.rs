//! The archive that a crawl writes: WARC 1.1 (ISO 28500:2017), a gzip member for each record.
//!
//! Files are `crawl-00000.warc.gz` and so on, each beginning with a `warcinfo`. A record is appended
//! whole, and what stands after the last record that the journal knows is cut off when the crawl goes on.

use super::client::{Ending, Fetched};
use crate::sieve::Signer;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use webrank_base::error::{Error, Result};

/// A response as it stands in a record: what came, but for two things. Names of fields are in lower
/// case. A body in chunks was put together, so that the field that says so has another name, as in
/// Common Crawl's archives.
pub(super) fn block(fetched: &Fetched) -> Vec<u8> {
    let head = &fetched.head;
    let mut block = format!("{} {} {}\r\n", head.version, head.status, head.reason).into_bytes();
    for (name, value) in &head.fields {
        if name == "transfer-encoding" {
            block.extend_from_slice(b"x-crawl-");
        }
        block.extend_from_slice(name.as_bytes());
        block.extend_from_slice(b": ");
        block.extend_from_slice(value);
        block.extend_from_slice(b"\r\n");
    }
    block.extend_from_slice(b"\r\n");
    block.extend_from_slice(&fetched.body);
    block
}

/// A record of a response, compressed.
pub(super) fn record(signer: &Signer, url: &str, fetched: &Fetched, block: &[u8]) -> Vec<u8> {
    let mut more = format!(
        "WARC-Target-URI: {url}\r\nWARC-IP-Address: {}\r\n",
        fetched.target.address
    );
    let reason = match fetched.ending {
        Ending::Whole => None,
        Ending::Length => Some("length"),
        Ending::Time => Some("time"),
        Ending::Disconnect => Some("disconnect"),
        Ending::Unwanted => Some("unspecified"),
    };
    if let Some(reason) = reason {
        more.push_str("WARC-Truncated: ");
        more.push_str(reason);
        more.push_str("\r\n");
    }
    let kind = ("response", "application/http;msgtype=response");
    member(signer, kind, fetched.at, &more, block)
}

fn member(
    signer: &Signer,
    (kind, content_type): (&str, &str),
    at: SystemTime,
    more: &str,
    block: &[u8],
) -> Vec<u8> {
    let date = humantime::format_rfc3339_seconds(at).to_string();
    let id = uuid(signer.of_128_bits(&format!("{date} {more}")));
    let head = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{id}>\r\nWARC-Date: {date}\r\n{more}\
         Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    let written = out
        .write_all(head.as_bytes())
        .and_then(|()| out.write_all(block))
        .and_then(|()| out.write_all(b"\r\n\r\n"))
        .and_then(|()| out.finish());
    written.expect("lists take all bytes")
}

/// A random UUID (version 4) of these bits.
fn uuid(bits: u128) -> String {
    let bits = bits & !(0xf << 76 | 0x3 << 62) | 4 << 76 | 2 << 62;
    let mut text = format!("{bits:032x}");
    for place in [20, 16, 12, 8] {
        text.insert(place, '-');
    }
    text
}

/// The files of an archive.
pub(super) struct Archive {
    folder: PathBuf,
    about: String,
    signer: Signer,
    limit: u64,
    file: Option<File>,
    /// The number of the file that is being written, and its length.
    pub(super) place: Place,
}

/// Up to where an archive is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Place {
    pub(super) file: u32,
    pub(super) bytes: u64,
}

impl Archive {
    /// Goes on at a place: what stands after it is cut off.
    pub(super) fn open(
        folder: &Path,
        (software, user_agent): (&str, &str),
        limit: u64,
        place: Place,
    ) -> Result<Self> {
        let mut about = String::new();
        // A text takes all that is written to it.
        let _ = write!(
            about,
            "software: {software}\r\nformat: WARC File Format 1.1\r\nhttp-header-user-agent: \
             {user_agent}\r\nrobots: RFC 9309\r\n"
        );
        let mut archive = Archive {
            folder: folder.to_owned(),
            about,
            signer: Signer::random(),
            limit,
            file: None,
            place,
        };
        for number in place.file + 1.. {
            let path = archive.path(number);
            match std::fs::remove_file(&path) {
                Ok(()) => {}
                Err(problem) if problem.kind() == std::io::ErrorKind::NotFound => break,
                Err(problem) => return Err(Error::io(&path, "cannot remove", problem)),
            }
        }
        let path = archive.path(place.file);
        if place.bytes > 0 {
            let cannot = |source| Error::io(&path, "cannot open", source);
            let file = File::options().append(true).open(&path).map_err(cannot)?;
            let bytes = file.metadata().map_err(cannot)?.len();
            if bytes < place.bytes {
                let problem = format!(
                    "has {bytes} bytes, but the crawl wrote {}: put the file back, or remove the \
                     folder to begin again",
                    place.bytes
                );
                return Err(Error::file(&path, problem));
            }
            file.set_len(place.bytes).map_err(cannot)?;
            archive.file = Some(file);
        } else if let Err(problem) = std::fs::remove_file(&path)
            && problem.kind() != std::io::ErrorKind::NotFound
        {
            return Err(Error::io(&path, "cannot remove", problem));
        }
        Ok(archive)
    }

    fn path(&self, number: u32) -> PathBuf {
        self.folder.join(format!("crawl-{number:05}.warc.gz"))
    }

    /// Appends a record.
    pub(super) fn push(&mut self, record: &[u8]) -> Result<()> {
        if self.place.bytes >= self.limit {
            self.sync()?;
            self.file = None;
            self.place = Place {
                file: self.place.file + 1,
                bytes: 0,
            };
        }
        let path = self.path(self.place.file);
        let cannot = |source| Error::io(&path, "cannot write", source);
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let options = File::options().append(true).create_new(true).open(&path);
                let file = none.insert(options.map_err(cannot)?);
                let more = format!("WARC-Filename: crawl-{:05}.warc.gz\r\n", self.place.file);
                let kind = ("warcinfo", "application/warc-fields");
                let about = self.about.as_bytes();
                let info = member(&self.signer, kind, SystemTime::now(), &more, about);
                file.write_all(&info).map_err(cannot)?;
                self.place.bytes += info.len() as u64;
                file
            }
        };
        file.write_all(record).map_err(cannot)?;
        self.place.bytes += record.len() as u64;
        Ok(())
    }

    /// Waits until what was written is on the disk.
    pub(super) fn sync(&mut self) -> Result<()> {
        let path = self.path(self.place.file);
        let synced = self.file.as_ref().map_or(Ok(()), File::sync_data);
        synced.map_err(|source| Error::io(path, "cannot write", source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_are_of_version_4() {
        assert_eq!(uuid(0), "00000000-0000-4000-8000-000000000000");
        assert_eq!(uuid(u128::MAX), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    }

    #[test]
    fn what_is_not_in_the_journal_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let open = |place| Archive::open(folder.path(), ("s", "u"), 600, place);
        let mut archive = open(Place::default()).unwrap();
        archive.push(&[1; 200]).unwrap();
        let first = archive.place;
        archive.push(&[2; 200]).unwrap();
        archive.push(&[3; 200]).unwrap();
        assert_eq!(archive.place.file, 1);
        let mut archive = open(first).unwrap();
        assert!(!folder.path().join("crawl-00001.warc.gz").exists());
        let path = folder.path().join("crawl-00000.warc.gz");
        assert_eq!(path.metadata().unwrap().len(), first.bytes);
        archive.push(&[4; 10]).unwrap();
        let content = std::fs::read(&path).unwrap();
        assert_eq!(content[content.len() - 11..], [&[1][..], &[4; 10]].concat());
        let missing = open(Place {
            file: 0,
            bytes: 1 << 20,
        });
        assert!(
            missing
                .err()
                .unwrap()
                .to_string()
                .contains("put the file back")
        );
    }
}
