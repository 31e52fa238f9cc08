//! The forms in which PageRank can sweep a graph, and the memory that each takes.

use super::PageRank;
use super::methods::many_seeds_kernels::WIDTH;
use super::parameters::{Columns, Dangling, Form, FormChoice, Method};
use super::walk::Distribution;
use crate::centrality::Measure;
use crate::error::{Error, Result};
use crate::graph::{Graph, Source};
use crate::limits::Limits;
use crate::linear::runs::compact::pack;
use crate::memory::Size;
use crate::output::{Room, TemporaryFolder};
use std::path::PathBuf;
use std::sync::Arc;

/// Parts of a file that is streamed.
pub(super) const PARTS: u64 = 4 << 20;

impl PageRank {
    /// The forms that may be taken, the fastest first. A sweep over rows in memory is faster than a
    /// streamed one on every graph that we have measured, by a factor of ten and more, and one over
    /// compact rows by a factor of five (`benches/README.md`).
    pub(super) fn forms(&self, graph: &Graph) -> Vec<Form> {
        match self.form {
            FormChoice::Auto if graph.shards().is_some() => vec![Form::Shards],
            FormChoice::Runs => vec![Form::Runs],
            FormChoice::Compact => vec![Form::Compact],
            FormChoice::Disk => vec![Form::Disk],
            FormChoice::Streamed => vec![Form::Streamed],
            FormChoice::Auto => {
                let mut forms = vec![Form::Runs];
                let is_power = self.method == Method::Power;
                if graph.source().is_none() || graph.has_weights() || !is_power {
                    return forms;
                }
                if !matches!(self.columns, Columns::Seeds(_)) {
                    forms.push(Form::Disk);
                }
                if self.columns.parameter().is_none() && self.certify_top.is_none() {
                    forms.push(Form::Streamed);
                }
                forms
            }
        }
    }

    /// The bytes held in a form. What compact rows take shows only when they are made.
    pub(super) fn needs_in(&self, form: Form, graph: &Graph) -> u64 {
        let size = Size::of(graph);
        match form {
            Form::Runs => self.needs_in_memory(size),
            Form::Compact | Form::Disk => self.needs_besides_rows(size) + transposing(graph),
            Form::Streamed => self.needs_streamed(size),
            Form::Shards => self.needs_of_shards(graph, size),
        }
    }

    /// The fastest form that fits into memory.
    ///
    /// # Errors
    /// If the graph is not in a file, as the form requires.
    pub(super) fn form_for(&self, graph: &Graph, limits: &Limits) -> Result<Form> {
        let forms = self.forms(graph);
        let fits = |form: &Form| {
            let needed = self.needs_in(*form, graph);
            limits.admit(Self::ABOUT.name, needed).is_ok()
        };
        let form = forms.iter().copied().find(fits);
        let form = form.unwrap_or(forms[forms.len() - 1]);
        match graph.source() {
            None if !matches!(form, Form::Runs | Form::Shards) => Err(Error::argument(
                "form",
                self.name_of(form),
                "only a graph on disk can have this form; rank import makes one",
            )),
            _ => Ok(form),
        }
    }

    /// What a form is called before it is known whether compact rows fit into memory.
    pub(super) fn name_of(&self, form: Form) -> &'static str {
        match form {
            Form::Runs => "runs",
            Form::Compact => "compact",
            Form::Disk if self.form == FormChoice::Auto => "compact or disk",
            Form::Disk => "disk",
            Form::Streamed => "streamed",
            Form::Shards => "shards",
        }
    }

    /// Whether a form holds as many rows as fit besides what it needs.
    pub(super) fn holds_rows_that_fit(&self, form: Form) -> bool {
        matches!(form, Form::Compact | Form::Disk | Form::Shards) && self.form != FormChoice::Disk
    }

    /// The room for compact rows: in memory, what is allowed besides vectors; on disk if that was
    /// requested, or if it may be taken and memory does not suffice. And the bytes for rows that are
    /// transposed before they are packed.
    pub(super) fn room(&self, form: Form, graph: &Graph, limits: &Limits) -> Result<(Room, u64)> {
        let mut left = limits.left_after(self.needs_in(form, graph));
        let mut for_rows = transposing(graph);
        if for_rows > 0 {
            left /= 2;
            for_rows += left;
        }
        let room = Room {
            bytes: match self.holds_rows_that_fit(Form::Disk) {
                true => left,
                false => 0,
            },
            folder: match self.form {
                FormChoice::Compact => None,
                _ => Some(Arc::new(TemporaryFolder::create(&self.temp_folder())?)),
            },
        };
        Ok((room, for_rows))
    }

    /// The folder of temporary files.
    pub(super) fn temp_folder(&self) -> PathBuf {
        self.temp.clone().unwrap_or_else(std::env::temp_dir)
    }

    /// The bytes held with rows in memory.
    pub fn needs_in_memory(&self, size: Size) -> u64 {
        let of_arc = match self.method {
            _ if size.weights => 30,
            Method::Components => 13,
            _ => 5,
        };
        size.bytes(145 + self.columns_and_vectors(), of_arc)
    }

    /// The bytes held with rows in memory or in a file, without the rows themselves.
    fn needs_besides_rows(&self, size: Size) -> u64 {
        size.bytes_without_rows(105 + self.columns_and_vectors())
            + pack::bytes_of_windows(size.nodes, size.arcs)
    }

    /// The bytes held without rows in memory.
    pub fn needs_streamed(&self, size: Size) -> u64 {
        // The scores, what is pushed or the result, their last change; offsets; the ranking.
        size.bytes_without_rows(40 + self.vectors()) + PARTS
    }

    /// The bytes a node of columns, proofs and distributions.
    fn columns_and_vectors(&self) -> u64 {
        let columns = match &self.columns {
            Columns::Score => 0,
            Columns::Derivative => 40,
            Columns::Alphas(alphas) => 20 + 12 * alphas.len() as u64,
            Columns::Seeds(seeds) => {
                let at_once = seeds.len().min(WIDTH * rayon::current_num_threads());
                (10 * seeds.len() + 26 * at_once) as u64
            }
        };
        let proof = if self.certify_top.is_some() { 50 } else { 0 };
        columns + proof + self.vectors()
    }

    /// The bytes a node of the distributions given.
    pub(super) fn vectors(&self) -> u64 {
        let is_vector =
            |distribution: &Distribution| !matches!(distribution, Distribution::Uniform);
        let dangling = matches!(&self.dangling, Dangling::Vector(given) if is_vector(given));
        let start = if self.start.is_some() { 16 } else { 0 };
        24 * (u64::from(is_vector(&self.preference)) + u64::from(dangling)) + start
    }
}

/// The least bytes for rows that are transposed before they are packed.
fn transposing(graph: &Graph) -> u64 {
    let of_source = |source| pack::transposing(source, graph.num_arcs());
    graph.source().map_or(0, of_source)
}

/// The source of a graph in a form that is read from its files.
pub(super) fn source_of(graph: &Graph) -> &Source {
    graph.source().expect("only a graph on disk has this form")
}
