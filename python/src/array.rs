//! Slices of results as NumPy arrays, without a copy.
//!
//! NumPy reads the attribute `__array_interface__` of an object: an address, a length and a type. The
//! array keeps the object, which keeps what the slice belongs to; that never changes, and arrays
//! cannot write to it.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::any::Any;
use std::sync::Arc;

/// A slice that NumPy can read.
#[pyclass(frozen, module = "webrank._webrank")]
pub struct Array {
    address: usize,
    length: usize,
    kind: &'static str,
    _owner: Arc<dyn Any + Send + Sync>,
}

/// A number of an array.
pub trait Number {
    /// Its type, as NumPy names it, in the byte order of the machine.
    const KIND: &'static str;
}

macro_rules! numbers {
    ($($type:ty => $letters:literal),*) => {
        $(impl Number for $type {
            const KIND: &'static str = if cfg!(target_endian = "little") {
                concat!("<", $letters)
            } else {
                concat!(">", $letters)
            };
        })*
    };
}

numbers! {f64 => "f8", i64 => "i8", u32 => "u4", u64 => "u8"}

impl Number for bool {
    const KIND: &'static str = "|b1";
}

impl Array {
    /// The slice that `slice` finds in `owner`.
    pub fn new<O: Send + Sync + 'static, T: Number>(
        owner: Arc<O>,
        slice: impl FnOnce(&O) -> &[T],
    ) -> Self {
        // The contents of an Arc do not move.
        let found = slice(&owner);
        Array {
            address: found.as_ptr() as usize,
            length: found.len(),
            kind: T::KIND,
            _owner: owner,
        }
    }

    /// An array of its own.
    pub fn own<T: Number + Send + Sync + 'static>(values: Vec<T>) -> Self {
        Self::new(Arc::new(values), |values| &values[..])
    }
}

#[pymethods]
impl Array {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", (self.length,))?;
        interface.set_item("typestr", self.kind)?;
        // The second entry: the array cannot be written to.
        interface.set_item("data", (self.address, true))?;
        Ok(interface)
    }

    fn __len__(&self) -> usize {
        self.length
    }
}
