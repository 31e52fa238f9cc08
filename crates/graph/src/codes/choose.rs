//! The best codes that the format can hold.

use super::code::LabCode;
use super::count::FieldCounts;
use crate::Rows;
use crate::bvgraph::meter::Field;
use dsi_bitstream::dispatch::Codes;
use webgraph::prelude::CompFlags;
use webrank_base::error::Result;
use webrank_base::progress::Progress;

/// A part of the lists that has a code of its own in the files that `webgraph` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeGroup {
    /// Outdegrees.
    Outdegrees,
    /// Distances to the lists that are copied from.
    References,
    /// Copy blocks and their number.
    Blocks,
    /// Starts and lengths of intervals and their number.
    Intervals,
    /// Residuals.
    Residuals,
}

impl CodeGroup {
    /// All groups, in the order of the format.
    pub const ALL: [CodeGroup; 5] = [
        CodeGroup::Outdegrees,
        CodeGroup::References,
        CodeGroup::Blocks,
        CodeGroup::Intervals,
        CodeGroup::Residuals,
    ];

    /// The name, as options and properties have it.
    pub fn name(self) -> &'static str {
        match self {
            CodeGroup::Outdegrees => "outdegrees",
            CodeGroup::References => "references",
            CodeGroup::Blocks => "blocks",
            CodeGroup::Intervals => "intervals",
            CodeGroup::Residuals => "residuals",
        }
    }

    /// The group of a field.
    pub fn of(field: Field) -> Self {
        match field {
            Field::Outdegree => CodeGroup::Outdegrees,
            Field::Reference => CodeGroup::References,
            Field::BlockCount | Field::Block => CodeGroup::Blocks,
            Field::IntervalCount | Field::IntervalStart | Field::IntervalLength => {
                CodeGroup::Intervals
            }
            Field::FirstResidual | Field::Residual => CodeGroup::Residuals,
        }
    }

    /// The fields with this code.
    pub fn fields(self) -> &'static [Field] {
        match self {
            CodeGroup::Outdegrees => &[Field::Outdegree],
            CodeGroup::References => &[Field::Reference],
            CodeGroup::Blocks => &[Field::BlockCount, Field::Block],
            CodeGroup::Intervals => &[
                Field::IntervalCount,
                Field::IntervalStart,
                Field::IntervalLength,
            ],
            CodeGroup::Residuals => &[Field::FirstResidual, Field::Residual],
        }
    }

    /// The code of this group.
    pub fn code(self, flags: &CompFlags) -> Codes {
        match self {
            CodeGroup::Outdegrees => flags.outdegrees,
            CodeGroup::References => flags.references,
            CodeGroup::Blocks => flags.blocks,
            CodeGroup::Intervals => flags.intervals,
            CodeGroup::Residuals => flags.residuals,
        }
    }

    /// Gives this group another code.
    pub fn set(self, flags: &mut CompFlags, code: Codes) {
        let place = match self {
            CodeGroup::Outdegrees => &mut flags.outdegrees,
            CodeGroup::References => &mut flags.references,
            CodeGroup::Blocks => &mut flags.blocks,
            CodeGroup::Intervals => &mut flags.intervals,
            CodeGroup::Residuals => &mut flags.residuals,
        };
        *place = code;
    }
}

/// The codes that `webgraph` writes, one of each length, the quickest first.
pub fn written_codes() -> impl Iterator<Item = Codes> + Clone {
    let first = [Codes::Unary, Codes::Gamma, Codes::Delta];
    let codes = first.into_iter().chain((2..=7).map(Codes::Zeta));
    codes.chain((2..=4).map(Codes::Pi)).chain([Codes::Omega])
}

impl FieldCounts {
    /// The bits of a group in some code.
    pub fn group_bits(&self, group: CodeGroup, code: LabCode) -> u128 {
        let fields = group.fields().iter();
        fields
            .map(|&field| self[field].bits(|number| code.length(number)))
            .sum()
    }

    /// The code of a file that takes the fewest bits for a group; the default one, if none takes
    /// fewer.
    pub fn best_code(&self, group: CodeGroup) -> Codes {
        let default = group.code(&CompFlags::default());
        let codes = [default].into_iter().chain(written_codes());
        let cost = |&code: &Codes| self.group_bits(group, LabCode::standard(code));
        codes.min_by_key(cost).unwrap_or(default)
    }

    /// The best codes, with the window and the limits of `flags`.
    pub fn best_codes(&self, flags: &CompFlags) -> CompFlags {
        let mut best = *flags;
        for group in CodeGroup::ALL {
            group.set(&mut best, self.best_code(group));
        }
        best
    }
}

/// The best codes for rows that are compressed with the window and the limits of `flags`: the rows
/// are compressed with the codes of `flags` to nowhere, and the numbers counted.
///
/// References are chosen again when the rows are compressed with the best codes, so the numbers
/// differ a little then.
///
/// # Errors
/// If rows cannot be read, or if there is not enough memory.
pub fn best_codes(
    rows: &dyn Rows,
    flags: &CompFlags,
    progress: &dyn Progress,
) -> Result<CompFlags> {
    Ok(FieldCounts::of_rows(rows, flags, progress)?.best_codes(flags))
}
