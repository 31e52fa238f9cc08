//! What a command would need, before it does anything.

use crate::options::{Global, write_stdout};
use std::io::{self, Write};
use webrank_base::error::{Error, Result};
use webrank_base::memory::{self, StoragePlan, allowed_memory};
use webrank_base::units::{megabytes_down, megabytes_up};

impl Global {
    /// Checks, before work begins, that it fits into memory. A plan is printed, and ends here.
    ///
    /// # Errors
    /// If it does not fit; those of [`Self::end_plan`].
    pub fn admit(&self, what: &'static str, needed: u64) -> Result<()> {
        if self.plan {
            print_one(what, StoragePlan::in_memory(needed))?;
        }
        self.admit_part(what, needed)?;
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

    /// The same for a part of the work, which even a plan does.
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

/// Prints the memory that other work needs.
pub fn print_one(what: &str, form: StoragePlan) -> Result<()> {
    write_stdout(|out| {
        write!(out, "{what}: ")?;
        list(out, &[form], &[])
    })
}

/// Writes forms, each with its memory and seconds, and which one is taken.
///
/// # Errors
/// If they cannot be written.
pub fn list(
    out: &mut dyn Write,
    forms: &[StoragePlan],
    seconds: &[Option<String>],
) -> io::Result<()> {
    let allowed = allowed_memory();
    let taken = forms.iter().position(|form| form.bytes <= allowed);
    writeln!(out, "{} are allowed or free", megabytes_down(allowed))?;
    for (index, form) in forms.iter().enumerate() {
        let fits = match taken {
            Some(taken) if taken == index => ", taken",
            _ if form.bytes > allowed => ", which do not fit",
            _ => "",
        };
        let seconds = seconds.get(index).and_then(Option::as_ref);
        let seconds = seconds.map_or(String::new(), |seconds| format!(", {seconds}"));
        let (name, needed) = (form.name, megabytes_up(form.bytes).to_string());
        writeln!(
            out,
            "{name:<16} {needed:>15} {}{seconds}{fits}",
            form.bound()
        )?;
    }
    Ok(())
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
