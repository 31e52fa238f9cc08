//! The Kendall-Wei ranking of tournaments: a win counts as much as the loser's score.
//!
//! Let W be the matrix of wins, where `W_uv` is what u won against v (1, or a weight: points,
//! games), and rho its spectral radius. Then
//!
//! ```text
//! W x = rho x.
//! ```
//!
//! The score of a player is proportional to the sum of the scores of the players it beat: the limit
//! of counting wins, then wins of the beaten players, and so on. An arc leads from the winner to
//! the loser, as tournaments are usually drawn; [`Direction::In`] is for graphs whose arcs lead to
//! the winner.
//!
//! If every player beat every other, directly or through others, the tournament is *strong* and all
//! scores are positive. Otherwise its strong components are ordered: if every pair met, all players
//! of one beat all players of the later ones. Scores are then the limit that [eigenvector
//! centrality](super::eigenvector) defines: the component with the largest spectral radius counts,
//! and the players that beat someone in it. The scores of the others are undefined and set to 0. If
//! no component has two players, wins alone order the players, and there are no scores.
//!
//! Pairs that never met, and pairs with arcs both ways, are allowed and counted.
//!
//! Source: Kendall, "Further contributions to the theory of paired comparisons", Biometrics 11,
//! 1955; Wei, "The algebraic foundations of ranking theory", thesis, Cambridge, 1952.

use super::eigenvector::{Dominance, Eigenvector, TOLERANCE, dominance};
use serde::{Serialize, Serializer};
use serde_json::json;
use std::ops::Range;
use std::path::PathBuf;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::parallel::tasks;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_graph::Size;
use webrank_graph::{Csr, Direction, Graph};
use webrank_linear::matrix::Matrix;
use webrank_linear::prepared::PreparedMatrix;
use webrank_linear::runs::{RowBuffer, RunRows};
use webrank_measure::cost_model::{Times, of_matrix};
use webrank_measure::form::{RowStorage, Storage, StorageOptions, besides_single_rows, swept};
use webrank_measure::{About, Described, Measure, StoragePlan, parameters};
use webrank_scores::ranked::Ranked;

/// The number of groups that notes name.
const NAMED: usize = 10;

/// The Kendall-Wei ranking with its parameters.
///
/// The tolerance of [`Limits`] is on the residual, and its iterations limit the sweeps, as for
/// [`Eigenvector`].
#[derive(Debug, Clone, Serialize)]
pub struct KendallWei {
    /// Arcs lead from the winner to the loser ([`Direction::Out`], the default), or to the winner.
    #[serde(serialize_with = "who_beat_whom")]
    pub direction: Direction,
    /// The form in which rows are swept; scores have the same bits in all.
    #[serde(skip)]
    pub form: RowStorage,
    /// The folder of the temporary files that the form on disk needs; by default, the system's.
    #[serde(skip)]
    pub temp: Option<PathBuf>,
}

impl Default for KendallWei {
    fn default() -> Self {
        KendallWei {
            direction: Direction::Out,
            form: RowStorage::Auto,
            temp: None,
        }
    }
}

/// The bytes a node with compact rows.
const OF_PACKED: u64 = 330;

fn who_beat_whom<S: Serializer>(direction: &Direction, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(match direction {
        Direction::Out => "out: source beat target",
        Direction::In => "in: target beat source",
    })
}

impl Described for KendallWei {
    const ABOUT: About = About {
        name: "kendall-wei",
        definition: "x = W x / rho, W what each player won against each other",
        direction: "out: beating players who are good; or in",
        cost: "that of eigenvector, plus O(m log m)",
        guarantee: "certified eigenvalue; the residual of the scores",
    };
}

impl Measure for KendallWei {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        self.forms(graph).plans()
    }

    fn seconds_of(&self, graph: &Graph, _: &Limits, _: &dyn Progress) -> Result<Times> {
        Ok(of_matrix(graph, 15.0..90.0))
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let forms = self.forms(graph);
        let form = forms.chosen(limits)?;
        let (beaten, pairs) = match form {
            Storage::Runs => {
                let beaten = Matrix::of(graph, self.direction, progress)?;
                phases.done("load");
                let pairs = pairs(beaten.rows())?;
                (PreparedMatrix::new(beaten), pairs)
            }
            _ => {
                let both = forms.packed_both(form, limits, progress)?;
                let pairs = pairs_in_both(&both)?;
                let [forward, backward] = both;
                let beaten = match self.direction {
                    Direction::Out => forward,
                    Direction::In => backward,
                };
                (PreparedMatrix::of_rows(beaten), pairs)
            }
        };
        phases.done(if form == Storage::Runs {
            "prepare"
        } else {
            "pack"
        });
        let swept = swept(&[&beaten]);
        let found = ranked_players(beaten, pairs, self, limits, progress)?;
        phases.done("iterate");
        let notes = found.notes(graph);
        Ok(Ranked::single(graph, found.dominance.scores, phases)?
            .within(limits.tolerance_or(TOLERANCE))
            .swept(swept)
            .noting(notes)
            .noting(forms.note(form)))
    }
}

impl KendallWei {
    fn forms<'a>(&'a self, graph: &'a Graph) -> StorageOptions<'a> {
        let size = Size::of(graph);
        let needs = [
            size.weighted_bytes(306, 17),
            besides_single_rows(size, OF_PACKED),
        ];
        let how = (self.form, self.temp.as_deref());
        let both = [Direction::Out, Direction::In];
        StorageOptions::of_rows(Self::ABOUT.name, graph, &both, how, needs, false)
    }
}

/// Scores, and the structure of the tournament.
#[derive(Debug, Clone)]
pub struct Tournament {
    /// The scores.
    pub dominance: Dominance,
    /// Who met.
    pub pairs: Pairs,
    /// The strong components, winners first.
    pub groups: Vec<Group>,
}

/// How often players met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairs {
    /// Pairs of players.
    pub all: u64,
    /// Pairs without an arc.
    pub never_met: u64,
    /// Pairs with arcs both ways.
    pub both_ways: u64,
}

/// A strong component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Its smallest node.
    pub first: Node,
    /// The number of its nodes.
    pub nodes: usize,
}

/// Ranks players, given for each player those that it beat and what it won.
///
/// O(m log m) besides the cost of [eigenvector centrality](super::eigenvector::eigenvector).
///
/// # Errors
/// If a player has an arc to itself; if no two players beat each other, directly or through others;
/// if the user interrupts.
pub fn kendall_wei(
    beaten: &Matrix,
    params: &KendallWei,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Tournament> {
    let pairs = pairs(beaten.rows())?;
    let beaten = PreparedMatrix::new(beaten.clone());
    ranked_players(beaten, pairs, params, limits, progress)
}

/// [`kendall_wei`] of rows in any form, when it is known who met.
fn ranked_players(
    beaten: PreparedMatrix,
    pairs: Pairs,
    params: &KendallWei,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Tournament> {
    progress.begin("components", None);
    let components = beaten.components(progress)?;
    let (starts, members) = components.members();
    // Rows lead to lower numbers, from winners to losers.
    let groups: Vec<Group> = (0..components.num_components())
        .rev()
        .map(|component| Group {
            first: members[starts[component]],
            nodes: starts[component + 1] - starts[component],
        })
        .collect();
    if groups.iter().all(|group| group.nodes == 1) {
        return Err(undefined(
            "no two players beat each other, directly or through others; rank such players by \
             their wins: the outdegree (the indegree, if arcs lead to winners)",
        ));
    }
    let eigenvector = Eigenvector::default();
    let mut dominance = dominance(beaten, &components, &eigenvector, limits, progress)?;
    let run = &mut dominance.scores.run;
    run.measure = KendallWei::ABOUT.name;
    run.parameters.extend(parameters(params));
    run.parameters
        .insert("never_met".into(), json!(pairs.never_met));
    run.parameters
        .insert("both_ways".into(), json!(pairs.both_ways));
    Ok(Tournament {
        dominance,
        pairs,
        groups,
    })
}

fn undefined(reason: impl Into<String>) -> Error {
    Error::Undefined {
        measure: "the Kendall-Wei ranking",
        reason: reason.into(),
    }
}

impl Tournament {
    /// Notes on the structure of the tournament, and on whose scores are defined.
    fn notes(&self, graph: &Graph) -> Vec<String> {
        let mut notes = vec![self.pairs.in_words(graph.has_weights())];
        if let [_] = self.groups[..] {
            notes.push("every player beat every other, directly or through others".into());
            return notes;
        }
        let named = |group: &Group| match group.nodes {
            1 => graph.label(group.first),
            nodes => format!("{nodes} with {}", graph.label(group.first)),
        };
        let mut groups: Vec<String> = self.groups.iter().take(NAMED).map(named).collect();
        if self.groups.len() > NAMED {
            groups.push(format!("{} more", self.groups.len() - NAMED));
        }
        let order = if self.pairs.never_met == 0 {
            ", best first, each of which beat all later ones"
        } else {
            ", no player of which beat one of an earlier group"
        };
        notes.push(format!(
            "not every player beat every other, directly or through others: there are {} groups\
             {order}: {}",
            self.groups.len(),
            groups.join("; ")
        ));
        let undefined = self.dominance.scores.values.len() - self.dominance.positive;
        if undefined > 0 {
            notes.push(format!(
                "the scores of {undefined} players are undefined and set to 0: they beat nobody, \
                 directly or through others, in the group of {}, whose spectral radius is the \
                 largest",
                graph.label(self.dominance.dominant[0].first)
            ));
        }
        notes
    }
}

impl Pairs {
    /// The pairs of so many players and arcs.
    fn new(players: u64, arcs: u64, both_ways: u64) -> Self {
        let all = players * players.saturating_sub(1) / 2;
        Pairs {
            all,
            never_met: all - (arcs - both_ways),
            both_ways,
        }
    }

    fn in_words(&self, weighted: bool) -> String {
        let Pairs {
            all,
            never_met,
            both_ways,
        } = self;
        if *never_met == 0 && *both_ways == 0 {
            return format!("a tournament: one arc for each of {all} pairs");
        }
        let meaning = if weighted || *both_ways == 0 {
            ""
        } else {
            ", which without weights say that both won"
        };
        format!(
            "not quite a tournament: of {all} pairs {never_met} never met, and {both_ways} have arcs \
             both ways{meaning}"
        )
    }
}

fn pairs(rows: &Csr) -> Result<Pairs> {
    let n = rows.num_nodes() as u64;
    let beat = |u: Node, v: Node| rows.row(u).binary_search(&v).is_ok();
    let itself = |u: usize| beat(u as Node, u as Node);
    if let Some(player) = tasks::first(rows.num_nodes(), itself) {
        return Err(met_itself(player as Node));
    }
    let both = |u: usize| {
        let later = rows.row(u as Node).iter().filter(|&&v| v as usize > u);
        later.filter(|&&v| beat(v, u as Node)).count() as u64
    };
    let part = |players: Range<usize>| players.map(both).sum();
    let both_ways: u64 = tasks::reduce(rows.num_nodes(), 0, part, |a, b| a + b);
    Ok(Pairs::new(n, rows.num_arcs(), both_ways))
}

/// [`pairs`] for rows of successors and of predecessors in any form: pairs with arcs both ways are in
/// both rows of each of the two.
fn pairs_in_both([forward, backward]: &[RunRows; 2]) -> Result<Pairs> {
    let (mut successors, mut predecessors) = (Vec::new(), Vec::new());
    let (mut both_ways, mut buffer) = (0, RowBuffer::default());
    let single = [forward.single_rows()?, backward.single_rows()?];
    for node in 0..forward.num_nodes() as Node {
        for (rows, others) in single.iter().zip([&mut successors, &mut predecessors]) {
            others.clear();
            rows.with_row_of(node as usize, &mut buffer, |row| others.extend(row.nodes()))?;
            others.sort_unstable();
        }
        if successors.binary_search(&node).is_ok() {
            return Err(met_itself(node));
        }
        let shared = successors
            .iter()
            .filter(|v| predecessors.binary_search(v).is_ok());
        both_ways += shared.count() as u64;
    }
    let (n, arcs) = (forward.num_nodes() as u64, forward.num_arcs());
    Ok(Pairs::new(n, arcs, both_ways / 2))
}

fn met_itself(player: Node) -> Error {
    undefined(format!(
        "node {player} has an arc to itself, but no player meets itself: leave such arcs out"
    ))
}
