//! Lists that grow only into free memory, with an error where the allocator would abort.

use super::free_memory;
use crate::error::{Error, Result};
use bytemuck::allocation::try_zeroed_vec;

/// Makes room for `more` elements, doubling the room at hand. A list that a small compressed file can
/// inflate to any length must not take more than the free memory: a system that promises more memory than
/// it has would end the process.
///
/// # Errors
/// If there is not enough memory.
pub fn reserve<T>(list: &mut Vec<T>, more: usize, what: &'static str) -> Result<()> {
    if list.capacity() - list.len() >= more {
        return Ok(());
    }
    let bytes = doubled(list.len(), more, size_of::<T>(), what)?;
    list.try_reserve(more)
        .map_err(|_| Error::memory(what, bytes))
}

/// [`reserve`] if this is all that the list will hold.
///
/// # Errors
/// If there is not enough memory.
pub fn reserve_exact<T>(list: &mut Vec<T>, more: usize, what: &'static str) -> Result<()> {
    let bytes = (list.len().saturating_add(more) as u64).saturating_mul(size_of::<T>() as u64);
    list.try_reserve_exact(more)
        .map_err(|_| Error::memory(what, bytes))
}

/// [`reserve`] for a text.
///
/// # Errors
/// If there is not enough memory.
pub fn reserve_text(text: &mut String, more: usize, what: &'static str) -> Result<()> {
    if text.capacity() - text.len() >= more {
        return Ok(());
    }
    let bytes = doubled(text.len(), more, 1, what)?;
    text.try_reserve(more)
        .map_err(|_| Error::memory(what, bytes))
}

/// The bytes of a list that has grown to twice its length, or by `more`; an error if they are more
/// than are free.
fn doubled(length: usize, more: usize, size: usize, what: &'static str) -> Result<u64> {
    let wanted = length.saturating_add(more.max(length));
    let bytes = (wanted as u64).saturating_mul(size as u64);
    if bytes >= SMALL && bytes > free_memory() {
        return Err(Error::memory(what, bytes));
    }
    Ok(bytes)
}

/// Up to this many bytes, free memory is not checked.
const SMALL: u64 = 1 << 23;

/// So many zeros, or an error where the allocator would abort. The system gives memory for them where they
/// are first written.
///
/// # Errors
/// If there is not enough memory.
pub fn zeros(length: usize, what: &'static str) -> Result<Vec<u64>> {
    let bytes = (length as u64).saturating_mul(8);
    try_zeroed_vec(length).map_err(|()| Error::memory(what, bytes))
}

/// A vector of `length` times `value`, or an error where the allocator would abort.
///
/// # Errors
/// If there is not enough memory.
pub fn filled<T: Clone>(value: T, length: usize, what: &'static str) -> Result<Vec<T>> {
    let mut list = Vec::new();
    let bytes = (length as u64).saturating_mul(size_of::<T>() as u64);
    let reserved = list.try_reserve_exact(length);
    reserved.map_err(|_| Error::memory(what, bytes))?;
    list.resize(length, value);
    Ok(list)
}
