//! The offline sieve: a sorted file of the URLs that were seen, merged with sorted batches.
//!
//! Exact, as whole URLs are compared. A batch of URLs that fills the memory is sorted, the first of
//! equal ones is kept, and a pass over the file finds those that are new, which are given in the order
//! of their arrival. In the file, a URL is the length of the prefix that it shares with the one before,
//! the length of the rest, and the rest. With B URLs in a batch, N URLs cost N / B passes.

use super::batch::Batch;
use super::seen::{BUFFERS, Coding, SortedSet};
use super::{Sieve, SieveStats, UrlSink};
use std::io::{Error, ErrorKind, Read, Write};
use std::path::Path;
use webrank_base::error::Result;

pub(super) struct Offline {
    seen: SortedSet<Prefixes>,
    batch: Batch,
    room: u64,
}

impl Offline {
    pub(super) fn open(folder: &Path, memory: u64, out: &mut dyn UrlSink) -> Result<Self> {
        // The lists of a batch may double.
        Self::with_room(folder, (memory - BUFFERS) / 2, out)
    }

    /// A sieve that holds back so many bytes.
    pub(super) fn with_room(folder: &Path, room: u64, out: &mut dyn UrlSink) -> Result<Self> {
        Ok(Offline {
            seen: SortedSet::open(folder, out)?,
            batch: Batch::default(),
            room,
        })
    }
}

impl Sieve for Offline {
    fn take(&mut self, url: &str, out: &mut dyn UrlSink) -> Result<()> {
        self.batch.push(url)?;
        match self.batch.bytes() >= self.room {
            true => self.flush(out),
            false => Ok(()),
        }
    }

    fn flush(&mut self, out: &mut dyn UrlSink) -> Result<()> {
        let batch = &self.batch;
        if batch.len() == 0 {
            return Ok(());
        }
        let url = |&index: &u32| batch.bytes_of(index as usize);
        let mut order: Vec<u32> = (0..batch.len() as u32).collect();
        order.sort_unstable_by(|one, other| url(one).cmp(url(other)).then(one.cmp(other)));
        order.dedup_by(|later, first| url(later) == url(first));
        let mut is_new = vec![false; batch.len()];
        let sorted = order.iter().map(|index| (url(index), *index as usize));
        let merged = self.seen.merge(sorted, |index| is_new[index] = true)?;
        let before = self.seen.taken();
        let mut given = 0;
        for index in (0..batch.len()).filter(|&index| is_new[index]) {
            out.give(before + index as u64, batch.url(index))?;
            given += 1;
        }
        self.seen.commit(merged, (batch.len() as u64, given), out)?;
        self.batch.clear();
        Ok(())
    }

    fn taken(&self) -> u64 {
        self.seen.taken()
    }

    fn account(&self) -> SieveStats {
        SieveStats {
            memory: 2 * self.room + BUFFERS,
            ..self.seen.account(self.batch.len() as u64)
        }
    }
}

/// URLs, each by what it has beyond the one before.
struct Prefixes;

impl Coding for Prefixes {
    const NAME: &'static str = "offline";

    fn read(input: &mut impl Read, record: &mut Vec<u8>) -> std::io::Result<bool> {
        let Some(shared) = read_number(input)? else {
            return Ok(false);
        };
        let rest = read_number(input)?.ok_or(ErrorKind::UnexpectedEof)?;
        if shared > record.len() as u64 {
            return Err(ErrorKind::InvalidData.into());
        }
        record.truncate(shared as usize);
        // The length may be damaged: nothing is allocated that is not there.
        let read = input.by_ref().take(rest).read_to_end(record)?;
        match read as u64 == rest {
            true => Ok(true),
            false => Err(ErrorKind::UnexpectedEof.into()),
        }
    }

    fn write(out: &mut impl Write, before: &[u8], record: &[u8]) -> std::io::Result<()> {
        let pairs = before.iter().zip(record);
        let shared = pairs.take_while(|(one, other)| one == other).count();
        write_number(out, shared as u64)?;
        write_number(out, (record.len() - shared) as u64)?;
        out.write_all(&record[shared..])
    }
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn write_number(out: &mut impl Write, mut number: u64) -> std::io::Result<()> {
    let mut bytes = [0; 10];
    let mut length = 0;
    loop {
        let is_last = number < 0x80;
        bytes[length] = number as u8 & 0x7f | if is_last { 0 } else { 0x80 };
        length += 1;
        number >>= 7;
        if is_last {
            return out.write_all(&bytes[..length]);
        }
    }
}

/// None at the end of the file.
fn read_number(input: &mut impl Read) -> std::io::Result<Option<u64>> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let mut byte = [0];
        if input.read(&mut byte)? == 0 {
            return match shift {
                0 => Ok(None),
                _ => Err(ErrorKind::UnexpectedEof.into()),
            };
        }
        number |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] < 0x80 {
            return Ok(Some(number));
        }
    }
    Err(Error::from(ErrorKind::InvalidData))
}
