//! Which nodes the ends of edges mean: ids, or, in files of old d3 and old networkx, the places of nodes in
//! their list, from 0.
//!
//! * Ends that are texts are ids. Ends that are numbers may be either.
//! * If only one reading finds a node for each end, it holds. That ends are places is told.
//! * If both do, and lead to the same nodes, nothing is open.
//! * If they lead to different nodes, and ids are numbers, ends are ids, and this is told: all
//!   programs that write such ids today write them so.
//! * If they lead to different nodes, and ids (or names, if there are no ids) are texts, the file is
//!   refused.

use super::super::super::notes::Note;
use super::super::held::{Ends, Held};
use webrank_base::error::Result;

/// The kinds of ids and ends.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    nodes_without_id: bool,
    ids_are_texts: bool,
    has_ids: bool,
    ends_are_texts: bool,
}

impl Kinds {
    /// Notes a node: whether its id is a number, if it has one.
    pub(super) fn node(&mut self, is_number: Option<bool>) {
        match is_number {
            None => self.nodes_without_id = true,
            Some(is_number) => {
                self.has_ids = true;
                self.ids_are_texts |= !is_number;
            }
        }
    }

    /// Notes an end of an edge.
    pub(super) fn end(&mut self, is_number: bool) {
        self.ends_are_texts |= !is_number;
    }

    /// Decides what ends are.
    ///
    /// # Errors
    /// If some nodes have ids and others have none, or if ends may be ids and places.
    pub(super) fn decide(&self, held: &mut Held) -> Result<()> {
        if held.num_nodes() == 0 {
            held.ends = Ends::Nodes;
            return Ok(());
        }
        if self.nodes_without_id && self.has_ids {
            return Err(held.wrong_of_nodes("some nodes have an id, and others have none"));
        }
        if !self.has_ids {
            // Names take the place of ids if ends are names.
            held.labels_become_ids(self.ends_are_texts)?;
        }
        if self.ends_are_texts {
            return Ok(());
        }
        let found = held.readings()?;
        let by_places = Note::assumed(
            "ends",
            "the ends of links are the places of nodes in their list, from 0",
        );
        match (found.as_ids, found.as_places) {
            (true, true) if found.is_same => {}
            (true, true) if self.has_ids && !self.ids_are_texts => held.note(Note::assumed(
                "ends",
                "the ends of links are ids of nodes; as places in their list they would be others",
            )),
            (true, true) => {
                return Err(held.wrong_of_nodes(
                    "the ends of links are numbers, which may be names of nodes or their places in the \
                     list; write names as texts in quotation marks",
                ));
            }
            (false, true) => {
                held.ends = Ends::Places;
                held.note(by_places);
            }
            (false, false) if !self.has_ids => held.ends = Ends::Places,
            (true, false) | (false, false) => {}
        }
        Ok(())
    }
}
