//! The needs of a command, before it does anything.

use crate::options::{Global, write_json, write_stdout};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::ops::Range;
use webrank_base::error::{Error, Result};
use webrank_base::memory::{self, StoragePlan, allowed_memory};
use webrank_base::units::{counted, megabytes_down, megabytes_up};

impl Global {
    /// Checks, before work begins, that it fits into memory. A plan is printed, and ends here.
    ///
    /// # Errors
    /// If it does not fit; those of [`Self::end_plan`].
    pub fn admit(&self, what: &'static str, needed: u64) -> Result<()> {
        if self.plan {
            self.print_plan(&WorkPlan::of(what, &[StoragePlan::in_memory(needed)]))?;
        }
        self.admit_part(what, needed)?;
        self.end_plan()
    }

    /// Checks that some form of work fits, the first of which is taken. A plan ends here.
    ///
    /// # Errors
    /// If none fits; those of [`Self::end_plan`].
    pub fn admit_form(&self, what: &'static str, forms: &[StoragePlan]) -> Result<()> {
        let taken = WorkPlan::of(what, forms).taken();
        let least = forms.iter().min_by_key(|form| form.bytes);
        let Some(form) = taken.map(|taken| &forms[taken]).or(least) else {
            return Ok(());
        };
        Self::log_memory(what, form);
        memory::admit(what, form.bytes, allowed_memory())?;
        self.end_plan()
    }

    /// Ends a run of which only the plan was asked for.
    ///
    /// # Errors
    /// [`Error::Interrupted`], which is then no failure.
    pub fn end_plan(&self) -> Result<()> {
        match self.plan {
            true => Err(Error::Interrupted),
            false => Ok(()),
        }
    }

    /// Prints a plan, as JSON where the command was asked for it.
    ///
    /// # Errors
    /// If the standard output cannot be written.
    pub fn print_plan(&self, plan: &WorkPlan) -> Result<()> {
        match self.json {
            true => write_json(&plan.json()),
            false => write_stdout(|out| plan.write(out)),
        }
    }

    /// [`Self::admit`] for a part of the work, which even a plan does.
    pub fn admit_part(&self, what: &'static str, needed: u64) -> Result<()> {
        Self::log_memory(what, &StoragePlan::in_memory(needed));
        memory::admit(what, needed, memory::allowed_memory())
    }

    /// Refuses the plan of what has none.
    pub fn refuse_plan(&self, why: &str) -> Result<()> {
        match self.plan {
            true => Err(Error::argument("plan", "given", why)),
            false => Ok(()),
        }
    }
}

/// Why some table has no plan.
pub const READ_ONCE: &str = "what can be read only once has no plan; name a file";

/// Why shards have none.
pub const OF_SHARDS: &str = "of shards, one part after the other is read; leave the plan out";

/// The memory and the time of work, in each form that it may have.
pub struct WorkPlan<'p> {
    /// The work.
    pub what: &'p str,
    /// The nodes and arcs of its graph, where they are known.
    pub size: Option<(usize, u64)>,
    /// The forms: the first that fits is taken.
    pub forms: &'p [StoragePlan],
    /// The seconds of each form, from the least to the most, and in words; none where they are not known.
    pub times: Vec<Option<(Range<f64>, String)>>,
}

impl<'p> WorkPlan<'p> {
    /// The plan of work whose time is not known.
    pub fn of(what: &'p str, forms: &'p [StoragePlan]) -> Self {
        WorkPlan {
            what,
            size: None,
            forms,
            times: Vec::new(),
        }
    }

    /// The form that is taken.
    pub fn taken(&self) -> Option<usize> {
        let allowed = allowed_memory();
        self.forms.iter().position(|form| form.bytes <= allowed)
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let allowed = allowed_memory();
        write!(out, "{}: ", self.what)?;
        if let Some((nodes, arcs)) = self.size {
            write!(
                out,
                "{}, {}; ",
                counted(nodes, "node"),
                counted(arcs, "arc")
            )?;
        }
        writeln!(out, "{} are allowed or free", megabytes_down(allowed))?;
        for (index, form) in self.forms.iter().enumerate() {
            let fits = match self.taken() {
                Some(taken) if taken == index => ", taken",
                _ if form.bytes > allowed => ", which do not fit",
                _ => "",
            };
            let time = self.times.get(index).and_then(Option::as_ref);
            let time = time.map_or(String::new(), |(_, time)| format!(", {time}"));
            let (name, needed) = (form.name, megabytes_up(form.bytes).to_string());
            let bound = form.bound();
            writeln!(out, "{name:<16} {needed:>15} {bound}{time}{fits}")?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let form = |(index, form): (usize, &StoragePlan)| {
            let time = self.times.get(index).and_then(Option::as_ref);
            json!({
                "name": form.name,
                "bytes": form.bytes,
                "bound": form.bound(),
                "seconds": time.map(|(range, _)| [range.start, range.end]),
                "taken": self.taken() == Some(index),
            })
        };
        json!({
            "work": self.what,
            "nodes": self.size.map(|(nodes, _)| nodes),
            "arcs": self.size.map(|(_, arcs)| arcs),
            "allowed": allowed_memory(),
            "forms": self.forms.iter().enumerate().map(form).collect::<Vec<_>>(),
        })
    }
}

/// Refuses the plan of a tool that has none.
///
/// # Errors
/// If it is asked for.
pub fn check<T: crate::Tool>(global: &Global) -> Result<()> {
    match T::WITHOUT_PLAN {
        Some(why) if global.plan => Err(Error::argument("plan", T::NAME, why)),
        _ => Ok(()),
    }
}
