//! Messages for other agents, numbered from 0 for each of them.
//!
//! They stay when they have arrived: whoever takes the hosts of an agent that is given up must get them, too.

use super::Journal;
use redb::{ReadableTable, TableDefinition};
use serde::{Deserialize, Serialize};
use webrank_base::error::Result;

const OUTBOX: TableDefinition<(u64, u64), &[u8]> = TableDefinition::new("outbox");

/// The numbers of messages to an agent, and from it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::crawler) struct Exchanged {
    /// Messages for it; the next one has this number.
    pub(in crate::crawler) sent: u64,
    /// Messages that it has in its journal.
    pub(in crate::crawler) acknowledged: u64,
    /// Messages from it that are in this journal: all below this number.
    pub(in crate::crawler) received: u64,
}

impl Journal {
    /// Keeps a message for an agent.
    pub(in crate::crawler) fn post(&mut self, to: u64, number: u64, message: &[u8]) -> Result<()> {
        self.act(|write| {
            write.open_table(OUTBOX)?.insert((to, number), message)?;
            Ok(())
        })
    }

    /// Messages for an agent from a number on: at most so many, and no more once they have so many bytes.
    pub(in crate::crawler) fn posted(
        &mut self,
        to: u64,
        first: u64,
        (most, bytes): (usize, usize),
    ) -> Result<Vec<Vec<u8>>> {
        self.act(|write| {
            let table = write.open_table(OUTBOX)?;
            let (mut messages, mut length) = (Vec::new(), 0);
            for found in table.range((to, first)..=(to, u64::MAX))?.take(most) {
                let message = found?.1.value().to_vec();
                length += message.len();
                messages.push(message);
                if length >= bytes {
                    break;
                }
            }
            Ok(messages)
        })
    }

    /// Takes messages for an agent away, the first ones, at most so many.
    pub(in crate::crawler) fn unpost(&mut self, to: u64, most: usize) -> Result<Vec<Vec<u8>>> {
        self.act(|write| {
            let mut table = write.open_table(OUTBOX)?;
            let mut messages = Vec::new();
            let mut all = table.extract_from_if((to, 0)..=(to, u64::MAX), |_, _| true)?;
            while messages.len() < most
                && let Some(found) = all.next()
            {
                messages.push(found?.1.value().to_vec());
            }
            Ok(messages)
        })
    }
}
