//! The tables of hosts, and of pages beside their URLs.

use super::Journal;
use crate::crawler::copies::Print;
use redb::{ReadableTable, ReadableTableMetadata, TableDefinition};
use webrank_base::error::Result;

const HOSTS: TableDefinition<&str, u64> = TableDefinition::new("hosts");
const NAMES: TableDefinition<u64, &str> = TableDefinition::new("names");
const ASKED: TableDefinition<u64, u64> = TableDefinition::new("asked");
const ROBOTS: TableDefinition<&str, (u64, &[u8])> = TableDefinition::new("robots");
const JOINED: TableDefinition<&str, ()> = TableDefinition::new("joined");
const PRINTS: TableDefinition<u64, (u128, u64)> = TableDefinition::new("prints");

impl Journal {
    /// The host of a name, and whether it is new; none if it would be one too many.
    pub(in crate::crawler) fn host(
        &mut self,
        name: &str,
        limit: u64,
    ) -> Result<Option<(u64, bool)>> {
        self.act(|write| {
            let mut hosts = write.open_table(HOSTS)?;
            if let Some(known) = hosts.get(name)? {
                return Ok(Some((known.value(), false)));
            }
            let host = hosts.len()?;
            if host >= limit {
                return Ok(None);
            }
            hosts.insert(name, host)?;
            write.open_table(NAMES)?.insert(host, name)?;
            Ok(Some((host, true)))
        })
    }

    /// The name of a host.
    pub(in crate::crawler) fn name(&mut self, host: u64) -> Result<String> {
        self.act(|write| {
            let names = write.open_table(NAMES)?;
            let name = names.get(host)?;
            Ok(name.map_or_else(String::new, |name| name.value().to_owned()))
        })
    }

    /// A host was asked for one more URL.
    pub(in crate::crawler) fn count(&mut self, host: u64) -> Result<()> {
        let asked = self.asked(host)?;
        self.act(|write| {
            write.open_table(ASKED)?.insert(host, asked + 1)?;
            Ok(())
        })
    }

    /// How many URLs a host was asked for.
    pub(in crate::crawler) fn asked(&mut self, host: u64) -> Result<u64> {
        self.act(|write| {
            let table = write.open_table(ASKED)?;
            let found = table.get(host)?;
            Ok(found.map_or(0, |found| found.value()))
        })
    }

    /// Notes a page that others may be copies of.
    pub(in crate::crawler) fn note(&mut self, page: u64, print: Print) -> Result<()> {
        self.act(|write| {
            write.open_table(PRINTS)?.insert(page, print)?;
            Ok(())
        })
    }

    /// Calls `each` for the pages that were noted.
    pub(in crate::crawler) fn prints(&mut self, mut each: impl FnMut(Print)) -> Result<()> {
        self.act(|write| {
            for found in write.open_table(PRINTS)?.iter()? {
                each(found?.1.value());
            }
            Ok(())
        })
    }

    /// Notes that a seed redirects to a host.
    pub(in crate::crawler) fn join(&mut self, host: &str) -> Result<()> {
        self.act(|write| {
            write.open_table(JOINED)?.insert(host, ())?;
            Ok(())
        })
    }

    /// The hosts to which seeds redirect, at most one a seed.
    pub(in crate::crawler) fn joined(&mut self) -> Result<Vec<String>> {
        self.act(|write| {
            let table = write.open_table(JOINED)?;
            let hosts = table.iter()?;
            let hosts = hosts.map(|found| Ok(found?.0.value().to_owned()));
            hosts.collect()
        })
    }

    /// A robots.txt that was kept, and when it is too old.
    pub(in crate::crawler) fn robots(&mut self, origin: &str) -> Result<Option<(u64, Vec<u8>)>> {
        self.act(|write| {
            let table = write.open_table(ROBOTS)?;
            let found = table.get(origin)?;
            Ok(found.map(|found| (found.value().0, found.value().1.to_vec())))
        })
    }

    /// Keeps a robots.txt.
    pub(in crate::crawler) fn set_robots(
        &mut self,
        origin: &str,
        until: u64,
        content: &[u8],
    ) -> Result<()> {
        self.act(|write| {
            let mut table = write.open_table(ROBOTS)?;
            table.insert(origin, (until, content))?;
            Ok(())
        })
    }
}
