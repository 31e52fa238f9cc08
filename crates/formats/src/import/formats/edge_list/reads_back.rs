//! Whether a list that is written without a header is read as what it is.

use super::super::super::columns::ColumnChoice;
use super::super::super::format::Format;
use super::super::super::recognise::{First, recognise};
use super::layout::Layout;
use super::shape::Shape;
use super::sizes::Sizes;

/// True if a list of arcs that starts with these bytes, which may be all, is read as such, from its first line on.
pub(crate) fn reads_back(bytes: &[u8], is_whole: bool, is_weighted: bool) -> bool {
    let found = recognise(&First::new("list".as_ref(), bytes, is_whole));
    let shape = Shape::of(bytes, is_whole, (None, false)).map(Shape::without_copies);
    let (Ok(found), Ok(shape)) = (found, shape) else {
        return false;
    };
    let layout = Layout::of(&shape, &ColumnChoice::default(), false);
    found.format == Format::Edges
        && Sizes::of(&shape).is_none()
        && layout.is_ok_and(|it| !it.has_header && it.columns.weight.is_some() == is_weighted)
}
