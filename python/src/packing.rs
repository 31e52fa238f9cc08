//! Parts of a graph, packed one by one.

use crate::errors::{argument, exception};
use crate::work::run;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch};
use arrow_pyarrow::FromPyArrow;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use webrank_formats::shard;
use webrank_graph::shards::{PartPlan, Plan};

/// Packs a part of a graph.
#[pyclass(frozen, module = "webrank._webrank")]
pub struct PartPacker {
    packer: Mutex<Option<shard::PartPacker>>,
}

impl PartPacker {
    fn with<T>(
        &self,
        work: impl FnOnce(&mut Option<shard::PartPacker>) -> webrank::Result<T>,
    ) -> webrank::Result<T> {
        work(&mut self.packer.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl PartPacker {
    #[new]
    fn new(
        py: Python<'_>,
        bounds: Vec<u64>,
        part: usize,
        folder: PathBuf,
        memory: u64,
    ) -> PyResult<Self> {
        let packer = shard::PartPacker::new(bounds, part, &folder, memory);
        let packer = packer.map_err(|problem| exception(py, &problem))?;
        Ok(PartPacker {
            packer: Mutex::new(Some(packer)),
        })
    }

    /// Takes arcs: a batch with the columns source, target, and whether the target has successors.
    fn push(&self, py: Python<'_>, batch: &Bound<'_, PyAny>) -> PyResult<()> {
        let batch = RecordBatch::from_pyarrow_bound(batch)?;
        let columns = batch.columns();
        let [source, target, live] = columns else {
            return Err(argument(py, "a batch of arcs has three columns"));
        };
        let integers = |column: &Arc<dyn Array>| column.as_primitive_opt::<Int64Type>().cloned();
        let (Some(source), Some(target), Some(live)) =
            (integers(source), integers(target), live.as_boolean_opt())
        else {
            return Err(argument(py, "arcs are two 64-bit integers and a boolean"));
        };
        if columns.iter().any(|column| column.null_count() > 0) {
            return Err(argument(py, "an arc is null"));
        }
        // Negative numbers are not in the range of any part.
        let pushed = py.detach(|| {
            self.with(|packer| {
                let Some(packer) = packer else { return Ok(()) };
                for (row, (&source, &target)) in
                    source.values().iter().zip(target.values()).enumerate()
                {
                    packer.push(source as u64, target as u64, live.value(row))?;
                }
                Ok(())
            })
        });
        pushed.map_err(|problem| exception(py, &problem))
    }

    /// Writes the files of the part into a folder. Returns what the plan says of it as JSON, and a hash.
    fn finish(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<(String, u64)>> {
        let packed = run(py, progress, |progress| {
            self.with(|packer| {
                let packed = packer.take().map(|packer| packer.finish(&folder, progress));
                packed.transpose()
            })
        })?;
        let text = |plan: &PartPlan| serde_json::json!(plan).to_string();
        Ok(packed.map(|(plan, hash)| (text(&plan), hash)))
    }
}

/// The plan of parts that were packed, each as JSON and with its hash.
#[pyfunction]
pub fn plan_of_parts(py: Python<'_>, parts: Vec<(String, u64)>) -> PyResult<String> {
    let mut plans: Vec<PartPlan> = Vec::new();
    let mut all = 0u64;
    for (text, hash) in parts {
        let plan = serde_json::from_str(&text);
        plans.push(plan.map_err(|problem| argument(py, problem.to_string()))?);
        all = all.wrapping_add(hash);
    }
    match Plan::of_parts(plans, all) {
        Ok(plan) => Ok(plan.to_text()),
        Err(problem) => Err(exception(py, &problem)),
    }
}
