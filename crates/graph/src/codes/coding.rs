//! Which codes lists are written with: those that a user names, or the best ones for the lists.

use super::choose::CodeGroup;
use super::code::LabCode;
use super::count::FieldCounts;
use crate::bvgraph::compress::Scanned;
use dsi_bitstream::dispatch::Codes;
use webgraph::prelude::CompFlags;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;

/// How lists are to be written.
#[derive(Debug, Clone, Default)]
pub struct Coding {
    /// The window and the limits; and the codes, but for those chosen by the numbers.
    pub flags: CompFlags,
    /// Groups whose code is the best one for the numbers of each direction.
    pub best: Vec<CodeGroup>,
}

impl Coding {
    /// Codes as a user names them: `default`, `auto` (the best ones), or a list such as
    /// `outdegrees=delta,residuals=zeta4`. In a list, `auto` stands for all codes that it does not
    /// name, which are otherwise the default ones; `residuals=auto` is the best one for a group.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn set_codes(&mut self, text: &str) -> Result<()> {
        self.best.clear();
        for item in text.split(',').map(str::trim) {
            match item.split_once('=') {
                None if item == "default" => {}
                None if item == "auto" => self.best = CodeGroup::ALL.to_vec(),
                None => return Err(unknown(text, item)),
                Some((name, code)) => {
                    let group = CodeGroup::ALL
                        .into_iter()
                        .find(|group| group.name() == name);
                    let group = group.ok_or_else(|| unknown(text, name))?;
                    self.best.retain(|&other| other != group);
                    match code {
                        "auto" => self.best.push(group),
                        "default" => {
                            group.set(&mut self.flags, group.code(&CompFlags::default()));
                        }
                        code => group.set(
                            &mut self.flags,
                            parse_code(code).ok_or_else(|| unknown(text, code))?,
                        ),
                    }
                }
            }
        }
        Ok(())
    }

    /// The flags for these rows; and the bits that the rows take with the codes of [`Self::flags`],
    /// if they were counted to choose others.
    ///
    /// # Errors
    /// If rows cannot be read, or if there is not enough memory.
    pub(crate) fn choose(
        &self,
        rows: &Scanned,
        progress: &dyn Progress,
    ) -> Result<(CompFlags, Option<u64>)> {
        let mut flags = self.flags;
        if self.best.is_empty() {
            return Ok((flags, None));
        }
        let counts = FieldCounts::of_scanned(rows, &flags, progress)?;
        let bits = CodeGroup::ALL.map(|group| {
            let code = LabCode::standard(group.code(&flags));
            counts.group_bits(group, code)
        });
        for &group in &self.best {
            group.set(&mut flags, counts.best_code(group));
        }
        let bits = u64::try_from(bits.iter().sum::<u128>());
        Ok((flags, Some(bits.unwrap_or(u64::MAX))))
    }
}

fn parse_code(text: &str) -> Option<Codes> {
    // Both zeta3 and zeta(3).
    let plain: String = text.chars().filter(|c| !['(', ')'].contains(c)).collect();
    CompFlags::code_from_str(&plain, 3)
}

fn unknown(text: &str, item: &str) -> Error {
    let item = webrank_base::shown::quoted(item);
    Error::argument(
        "codes",
        webrank_base::shown::quoted(text),
        format!(
            "{item} is none of 'default', 'auto' and COMPONENT=CODE; components are outdegrees, \
             references, blocks, intervals and residuals, codes are unary, gamma, delta, omega, \
             zeta1 to zeta7, pi1 to pi4, default and auto"
        ),
    )
}
