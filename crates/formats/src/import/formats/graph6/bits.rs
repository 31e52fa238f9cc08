//! Bits in printable bytes from 63 to 126, six in each.

use super::super::held::Text;
use webrank_base::error::{Error, Result};

/// The bits of a line.
pub(super) struct Bits {
    text: Text,
    /// The last byte that was read, and how many of its bits were not.
    byte: u8,
    left: u32,
}

impl Bits {
    pub(super) fn new(text: Text) -> Self {
        Bits {
            text,
            byte: 0,
            left: 0,
        }
    }

    pub(super) fn wrong(&self, problem: impl Into<String>) -> Error {
        self.text.wrong(problem)
    }

    /// The number of nodes: a byte, or three or six after marks.
    pub(super) fn number_of_nodes(&mut self) -> Result<u64> {
        const MORE: u8 = 63;
        let first = self.six()?;
        if first != MORE {
            return Ok(first.into());
        }
        let (bytes, mut number) = match self.six()? {
            MORE => (6, 0),
            first => (2, first.into()),
        };
        for _ in 0..bytes {
            number = number << 6 | u64::from(self.six()?);
        }
        Ok(number)
    }

    /// The next bit.
    pub(super) fn next(&mut self) -> Result<bool> {
        if self.left == 0 {
            self.byte = self.six()?;
            self.left = 6;
        }
        self.left -= 1;
        Ok(self.byte >> self.left & 1 == 1)
    }

    /// True if there are so many more bits, which are fewer than 40.
    pub(super) fn has(&mut self, bits: u32) -> Result<bool> {
        // Bytes further on are not looked at: a line that ends within a number is seen there.
        Ok(bits <= self.left || !self.is_at_end()?)
    }

    /// True if the last byte of the line was read.
    pub(super) fn is_within_last(&mut self) -> Result<bool> {
        self.is_at_end()
    }

    fn is_at_end(&mut self) -> Result<bool> {
        Ok(self.text.peek()?.is_none_or(|byte| b"\r\n".contains(&byte)))
    }

    /// Checks that the graph ends here, and that none follows it.
    pub(super) fn end(mut self) -> Result<()> {
        if !self.is_at_end()? {
            return Err(self.wrong("the line is longer than its graph"));
        }
        let mut others = 0u64;
        let mut is_line = false;
        while let Some(byte) = self.text.next()? {
            let is_end = b"\r\n".contains(&byte);
            others += u64::from(!is_end && !is_line);
            is_line = !is_end;
        }
        if others == 0 {
            return Ok(());
        }
        let problem = format!(
            "{} graphs, one in each line; rank them one by one, as in 'sed -n 2p FILE' for the second",
            others + 1
        );
        Err(Error::file(self.text.path(), problem))
    }

    /// Six bits.
    fn six(&mut self) -> Result<u8> {
        match self.text.peek()? {
            Some(byte @ 63..=126) => {
                self.text.next()?;
                Ok(byte - 63)
            }
            None | Some(b'\r' | b'\n') => Err(self.wrong("the line ends before its graph")),
            Some(_) => {
                Err(self.wrong("a byte that is not one from '?' to '~', of which graphs are made"))
            }
        }
    }
}
