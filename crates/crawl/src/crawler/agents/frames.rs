//! Frames between two agents: a byte that says what it is, a length in 4 bytes, and so many bytes.

use super::waves::Report;
use std::io::{self, Read, Write};

/// A frame from an agent to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::crawler) enum Frame {
    /// It is alive.
    Alive,
    /// All messages below this number are in its journal.
    Acknowledged(u64),
    /// Messages from a number on.
    Messages(u64, Vec<Vec<u8>>),
    /// A question for the report of the wave with this number.
    Probe(u64),
    /// An answer to that.
    Report(u64, Report),
    /// The crawl is over.
    End,
}

/// A longer frame is damage: messages are sent 64 KiB at a time, and a URL has 8 KiB at most.
const LONGEST: u32 = 1 << 20;

impl Frame {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut bytes = Vec::new();
        let kind = match self {
            Frame::Alive => 0,
            Frame::Acknowledged(number) => {
                bytes.extend(number.to_le_bytes());
                1
            }
            Frame::Messages(first, messages) => {
                bytes.extend(first.to_le_bytes());
                for message in messages {
                    bytes.extend((message.len() as u32).to_le_bytes());
                    bytes.extend(message);
                }
                2
            }
            Frame::Probe(wave) => {
                bytes.extend(wave.to_le_bytes());
                3
            }
            Frame::Report(wave, report) => {
                bytes.extend(wave.to_le_bytes());
                bytes.extend(u64::from(report.is_passive).to_le_bytes());
                for count in report.exchanged.iter().flatten() {
                    bytes.extend(count.to_le_bytes());
                }
                4
            }
            Frame::End => 5,
        };
        let mut whole = vec![kind];
        whole.extend((bytes.len() as u32).to_le_bytes());
        whole.extend(bytes);
        out.write_all(&whole)
    }

    /// Waits for a frame.
    ///
    /// # Errors
    /// If the connection ends or is silent, or if what comes is no frame.
    pub(super) fn read(input: &mut impl Read) -> io::Result<Self> {
        let mut head = [0; 5];
        input.read_exact(&mut head)?;
        let [kind, length @ ..] = head;
        let length = u32::from_le_bytes(length);
        if length > LONGEST {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut bytes = vec![0; length as usize];
        input.read_exact(&mut bytes)?;
        Frame::decoded(kind, &bytes).ok_or(io::ErrorKind::InvalidData.into())
    }

    fn decoded(kind: u8, bytes: &[u8]) -> Option<Self> {
        if let (0 | 5, []) = (kind, bytes) {
            return Some(if kind == 0 { Frame::Alive } else { Frame::End });
        }
        let (first, mut rest) = number(bytes)?;
        match (kind, rest) {
            (1, []) => Some(Frame::Acknowledged(first)),
            (2, _) => {
                let mut messages = Vec::new();
                while !rest.is_empty() {
                    let (length, after) = rest.split_first_chunk()?;
                    let length = u32::from_le_bytes(*length) as usize;
                    let (message, after) = after.split_at_checked(length)?;
                    messages.push(message.to_vec());
                    rest = after;
                }
                Some(Frame::Messages(first, messages))
            }
            (3, []) => Some(Frame::Probe(first)),
            (4, _) => {
                let (is_passive, rest) = number(rest)?;
                let (pairs, []) = rest.as_chunks::<16>() else {
                    return None;
                };
                let exchanged = pairs.iter().map(|pair| {
                    let (numbers, _) = pair.as_chunks::<8>();
                    [0, 1].map(|place| u64::from_le_bytes(numbers[place]))
                });
                let report = Report {
                    is_passive: is_passive == 1,
                    exchanged: exchanged.collect(),
                };
                Some(Frame::Report(first, report))
            }
            _ => None,
        }
    }
}

fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u64::from_le_bytes(*number), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn frames_come_as_they_were_sent() {
        let report = Report {
            is_passive: true,
            exchanged: vec![[1, 2], [u64::MAX, 0]],
        };
        let frames = [
            Frame::Alive,
            Frame::Acknowledged(7),
            Frame::Messages(u64::MAX, vec![vec![1, 2, 3], Vec::new(), vec![0; 9000]]),
            Frame::Messages(0, Vec::new()),
            Frame::Probe(3),
            Frame::Report(9, report),
            Frame::End,
        ];
        let mut bytes = Vec::new();
        for frame in &frames {
            frame.write(&mut bytes).unwrap();
        }
        let mut input = bytes.as_slice();
        for frame in frames {
            assert_eq!(Frame::read(&mut input).unwrap(), frame);
        }
        let end = Frame::read(&mut input).unwrap_err();
        assert_eq!(end.kind(), io::ErrorKind::UnexpectedEof);
        // Nothing so long is waited for.
        let long = Frame::read(&mut [2, 0xff, 0xff, 0xff, 0xff].as_slice()).unwrap_err();
        assert_eq!(long.kind(), io::ErrorKind::InvalidData);
    }

    proptest! {
        /// Whatever comes is an error, or the frame with these bytes.
        #[test]
        fn damage_is_no_other_frame(kind in 0u8..8, bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let mut whole = vec![kind];
            whole.extend((bytes.len() as u32).to_le_bytes());
            whole.extend(&bytes);
            if let Ok(frame) = Frame::read(&mut whole.as_slice()) {
                let mut again = Vec::new();
                frame.write(&mut again).unwrap();
                // A flag is true only if it is 1.
                let is_flag = kind == 4;
                prop_assert!(again == whole || is_flag && again.len() == whole.len());
            }
        }
    }
}
