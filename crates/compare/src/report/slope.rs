//! The first nodes of two rankings side by side, with lines between their places.

use super::chart::{Canvas, DrawResult, svg, text_style};
use super::palette::{BLUE, INK, MUTED, ORANGE, Paint};
use crate::Ranking;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::cmp::Ordering;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::visible::visible;
use webrank_tables::keys::Keys;

/// Nodes on each side.
pub(super) const SHOWN: usize = 25;
const WIDTH: u32 = 1080;
const ROW: i32 = 19;
const TOP: i32 = 34;
/// The position of the ranks on the left; the right side mirrors it.
const LEFT: i32 = 420;
/// Number of characters of a name that fit beside the ranks.
const NAME_CHARS: usize = 44;

/// Draws the first nodes of both rankings; `names` name the rankings, `keys` the nodes.
pub(super) fn draw(x: &Ranking, y: &Ranking, names: [&str; 2], keys: &Keys) -> Result<String> {
    let shown = SHOWN.min(x.len());
    let height = TOP + ROW * shown as i32 + 14;
    let [first_x, first_y] = [x, y].map(|ranking| &ranking.order()[..shown]);
    svg((WIDTH, height as u32), |canvas| {
        let [left, right] = [NameColumn::left(), NameColumn::right()];
        left.draw_header(canvas, names[0], names[1])?;
        right.draw_header(canvas, names[1], names[0])?;
        for (place, node) in first_x.iter().enumerate() {
            let there = first_y.iter().position(|other| other == node);
            let to = match there {
                Some(there) => (right.line, row(there)),
                None => (left.line + 34, height),
            };
            let from = (left.line, row(place));
            draw_line(canvas, from, to, there.is_some(), change(x, y, *node))?;
        }
        for (place, node) in first_y.iter().enumerate() {
            if !first_x.contains(node) {
                let (from, to) = ((right.line - 34, height), (right.line, row(place)));
                draw_line(canvas, from, to, false, change(x, y, *node))?;
            }
        }
        for (side, here, there) in [(&left, x, y), (&right, y, x)] {
            for (place, &node) in here.order()[..shown].iter().enumerate() {
                let ranks = [here.rank(node), there.rank(node)];
                side.draw_node(canvas, place, ranks, keys.get(node as usize))?;
            }
        }
        Ok(())
    })
}

/// A column of names: the positions of its texts, and the side to which they extend.
struct NameColumn {
    /// Where lines end.
    line: i32,
    rank: i32,
    name: i32,
    /// Where the rank in the other ranking is written.
    other: i32,
    anchor: HPos,
    outer: HPos,
}

impl NameColumn {
    fn left() -> Self {
        NameColumn {
            line: LEFT + 6,
            rank: LEFT,
            name: LEFT - RANK_WIDTH,
            other: 4,
            anchor: HPos::Right,
            outer: HPos::Left,
        }
    }

    fn right() -> Self {
        let NameColumn {
            line,
            rank,
            name,
            other,
            anchor,
            outer,
        } = Self::left();
        let mirrored = |x: i32| WIDTH as i32 - x;
        NameColumn {
            line: mirrored(line),
            rank: mirrored(rank),
            name: mirrored(name),
            other: mirrored(other),
            anchor: outer,
            outer: anchor,
        }
    }

    fn draw_header(&self, canvas: &Canvas, here: &str, there: &str) -> DrawResult {
        let here = shortened(here, NAME_CHARS);
        let there = format!("rank in {}", shortened(there, 12));
        let draw = |text, at, paint: Paint, anchor| {
            canvas.draw(&Text::new(text, (at, 12), text_style(paint.light, anchor)))
        };
        draw(here, self.rank, INK, self.anchor)?;
        draw(there, self.other, MUTED, self.outer)
    }

    /// The rank, the name and the rank in the other ranking of the node at a place.
    fn draw_node(
        &self,
        canvas: &Canvas,
        place: usize,
        ranks: [Option<u32>; 2],
        key: &str,
    ) -> DrawResult {
        let draw = |text, at, paint: Paint, anchor| {
            let style = text_style(paint.light, anchor);
            canvas.draw(&Text::new(text, (at, row(place)), style))
        };
        let [here, there] = ranks.map(|rank| rank.map_or(String::new(), |rank| rank.to_string()));
        draw(here, self.rank, MUTED, self.anchor)?;
        let name = shortened(&visible(key), NAME_CHARS);
        draw(name, self.name, INK, self.anchor)?;
        draw(there, self.other, MUTED, self.outer)
    }
}

fn row(place: usize) -> i32 {
    TOP + ROW * place as i32 + ROW / 2
}

/// The colour of a node by the change of its rank from x to y.
fn change(x: &Ranking, y: &Ranking, node: Node) -> Paint {
    match y.rank(node).cmp(&x.rank(node)) {
        Ordering::Less => BLUE,
        Ordering::Equal => MUTED,
        Ordering::Greater => ORANGE,
    }
}

/// A line between two places, or a faint one that leaves the picture.
fn draw_line(
    canvas: &Canvas,
    from: (i32, i32),
    to: (i32, i32),
    stays: bool,
    paint: Paint,
) -> DrawResult {
    let style = if stays {
        paint.light.stroke_width(2)
    } else {
        paint.light.mix(0.4).stroke_width(1)
    };
    canvas.draw(&PathElement::new([from, to], style))
}

/// The width of a rank.
const RANK_WIDTH: i32 = 34;

/// The text, with its middle removed if it is longer than `most` characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let head = (most - 1) / 2;
    let tail = most - 1 - head;
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(count - tail).collect();
    format!("{start}\u{2026}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(shortened("naïveté", 7), "naïveté");
        assert_eq!(shortened("https://example.org/a/b", 9), "http…/a/b");
    }
}
