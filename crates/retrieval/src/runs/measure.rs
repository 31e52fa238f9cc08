//! The measures of trec_eval, by its names.

use super::judged::{Judged, Seen};
use std::fmt;
use webrank_base::error::{Error, Result};

/// A measure of a ranking. Here r(k) is how many of the first k pages are relevant, n how many pages are
/// ranked, and R how many are relevant, ranked or not. Where R is 0, or nothing is ranked, a value is 0.
/// Pages without a grade are not relevant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// `num_q`: queries.
    Queries,
    /// `num_ret`: n.
    Retrieved,
    /// `num_rel`: R.
    Relevant,
    /// `num_rel_ret`: r(n).
    RelevantRetrieved,
    /// `num_nonrel_judged_ret`: ranked pages with a grade that are not relevant.
    NonrelevantRetrieved,
    /// `map`: the sum of r(k) / k over the ranks k of relevant pages, over R.
    Map,
    /// `gm_map`: the geometric mean of it over queries, of which values below 1e-5 count as 1e-5.
    GeometricMap,
    /// `Rprec`: r(R) / R.
    RPrecision,
    /// `bpref`: over relevant pages that are ranked, the sum of 1 - min(s, R) / min(N, R), over R; s of the
    /// N judged pages that are not relevant are ranked before it (Buckley and Voorhees 2004).
    Bpref,
    /// `gm_bpref`: its geometric mean.
    GeometricBpref,
    /// `recip_rank`: 1 over the first rank of a relevant page.
    ReciprocalRank,
    /// `iprec_at_recall_C`: the largest r(k) / k at or behind the rank of relevant page number
    /// floor(C R + 0.9).
    InterpolatedPrecision(f64),
    /// `11pt_avg`: its mean over C = 0, 0.1, ..., 1.
    ElevenPoints,
    /// `P_K`: r(K) / K.
    Precision(usize),
    /// `recall_K`: r(K) / R.
    Recall(usize),
    /// `relative_P_K`: r(K) / min(K, R).
    RelativePrecision(usize),
    /// `success_K`: 1 if r(K) > 0.
    Success(usize),
    /// `map_cut_K`: as `map`, over ranks up to K.
    MapCut(usize),
    /// `ndcg`: the sum of g / log2(1 + k) over ranks k, where g is the grade, over that of the best order of
    /// all judged pages (Järvelin and Kekäläinen 2002).
    Ndcg,
    /// `ndcg_cut_K`: the same up to rank K, in both.
    NdcgCut(usize),
    /// `infAP`: average precision estimated from a pool of which a part was judged (Yilmaz and Aslam 2006).
    InferredAp,
    /// `set_P`: r(n) / n.
    SetPrecision,
    /// `set_recall`: r(n) / R.
    SetRecall,
    /// `set_relative_P`: r(n) / min(n, R).
    SetRelativePrecision,
    /// `set_map`: the product of `set_P` and `set_recall`.
    SetMap,
    /// `set_F`: their harmonic mean.
    SetF,
}

/// The summary of all queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    Mean,
    Geometric,
    Sum,
    /// A sum that counts queries without a ranking, too.
    Relevant,
    Queries,
}

/// The measures that trec_eval prints unless it is told more.
pub const OFFICIAL: &str =
    "num_q,num_ret,num_rel,num_rel_ret,map,gm_map,Rprec,bpref,recip_rank,iprec_at_recall,P";

/// All of them.
const ALL: &str = "recall,infAP,gm_bpref,11pt_avg,ndcg,ndcg_cut,map_cut,relative_P,success,set_P,\
                   set_recall,set_relative_P,set_map,set_F,num_nonrel_judged_ret";

const CUTS: [usize; 9] = [5, 10, 15, 20, 30, 100, 200, 500, 1000];

/// A name, and what it is with a number.
type Kind = (&'static str, fn(usize) -> Measure);

/// The least part of a count in `infAP`.
const EPSILON: f64 = 1e-5;

/// The measures of a list such as `map,P_10,ndcg_cut`: a name without its number means the usual numbers,
/// `official` and `all` mean lists.
///
/// # Errors
/// If a name is unknown, or its number is 0 or too large.
pub fn parse_measures(list: &str) -> Result<Vec<Measure>> {
    let mut measures = Vec::new();
    for name in list.split(',').map(str::trim) {
        let found = match name {
            "official" => parse_measures(OFFICIAL)?,
            "all" => parse_measures(&format!("{OFFICIAL},{ALL}"))?,
            _ => Measure::named(name)
                .ok_or_else(|| Error::argument("measures", name, remedy(name)))?,
        };
        for measure in found {
            if !measures.contains(&measure) {
                measures.push(measure);
            }
        }
    }
    Ok(measures)
}

/// The remedy for an unknown name.
fn remedy(name: &str) -> String {
    if let Some((kind, cut)) = name.rsplit_once('_')
        && cut.bytes().all(|digit| digit.is_ascii_digit())
        && Measure::named(&format!("{kind}_10")).is_some()
    {
        return format!("the cutoff must be at least 1, and below 4294967296, as in {kind}_10");
    }
    let all = format!("{OFFICIAL},{ALL}").replace(',', ", ");
    format!("measures are official, all, {all}; P_10 is one of P")
}

impl Measure {
    /// The measures of a name, which may be without its number.
    fn named(name: &str) -> Option<Vec<Measure>> {
        let one = match name {
            "num_q" => Measure::Queries,
            "num_ret" => Measure::Retrieved,
            "num_rel" => Measure::Relevant,
            "num_rel_ret" => Measure::RelevantRetrieved,
            "num_nonrel_judged_ret" => Measure::NonrelevantRetrieved,
            "map" => Measure::Map,
            "gm_map" => Measure::GeometricMap,
            "Rprec" => Measure::RPrecision,
            "bpref" => Measure::Bpref,
            "gm_bpref" => Measure::GeometricBpref,
            "recip_rank" => Measure::ReciprocalRank,
            "11pt_avg" => Measure::ElevenPoints,
            "ndcg" => Measure::Ndcg,
            "infAP" => Measure::InferredAp,
            "set_P" => Measure::SetPrecision,
            "set_recall" => Measure::SetRecall,
            "set_relative_P" => Measure::SetRelativePrecision,
            "set_map" => Measure::SetMap,
            "set_F" => Measure::SetF,
            _ => return Self::with_numbers(name),
        };
        Some(vec![one])
    }

    fn with_numbers(name: &str) -> Option<Vec<Measure>> {
        if let Some(rest) = name.strip_prefix("iprec_at_recall") {
            if rest.is_empty() {
                return Some(points().map(Measure::InterpolatedPrecision).collect());
            }
            let recall = rest.strip_prefix('_')?.parse().ok()?;
            let is_share = (0.0..=1.0).contains(&recall);
            return is_share.then(|| vec![Measure::InterpolatedPrecision(recall)]);
        }
        let kinds: [Kind; 6] = [
            ("P", Measure::Precision),
            ("recall", Measure::Recall),
            ("relative_P", Measure::RelativePrecision),
            ("success", Measure::Success),
            ("map_cut", Measure::MapCut),
            ("ndcg_cut", Measure::NdcgCut),
        ];
        kinds.iter().find_map(|(kind, measure)| {
            let rest = name.strip_prefix(kind)?;
            if rest.is_empty() {
                let cuts: &[usize] = if *kind == "success" {
                    &[1, 5, 10]
                } else {
                    &CUTS
                };
                return Some(cuts.iter().map(|&cut| measure(cut)).collect());
            }
            let cut: u32 = rest.strip_prefix('_')?.parse().ok()?;
            (cut > 0).then(|| vec![measure(cut as usize)])
        })
    }

    pub(super) fn over(self) -> Over {
        match self {
            Measure::Queries => Over::Queries,
            Measure::Relevant => Over::Relevant,
            Measure::Retrieved | Measure::RelevantRetrieved | Measure::NonrelevantRetrieved => {
                Over::Sum
            }
            Measure::GeometricMap | Measure::GeometricBpref => Over::Geometric,
            _ => Over::Mean,
        }
    }

    /// True for counts, whose value over all queries is a sum.
    pub fn is_count(self) -> bool {
        !matches!(self.over(), Over::Mean | Over::Geometric)
    }

    /// True for what is said of a query, and not of all queries alone.
    pub fn is_of_query(self) -> bool {
        !matches!(self.over(), Over::Queries | Over::Geometric)
    }

    /// The value of a ranking.
    pub fn of(self, judged: &Judged) -> f64 {
        // A sum of nothing is -0.
        self.computed(judged) + 0.0
    }

    fn computed(self, judged: &Judged) -> f64 {
        let (ranked, relevant) = (judged.ranked.len(), judged.relevant());
        let found = judged.relevant_within(ranked);
        let over = |count: f64, of: usize| if of == 0 { 0.0 } else { count / of as f64 };
        match self {
            Measure::Queries => 1.0,
            Measure::Retrieved => ranked as f64,
            Measure::Relevant => relevant as f64,
            Measure::RelevantRetrieved => found,
            Measure::NonrelevantRetrieved => judged.nonrelevant_before(ranked) as f64,
            Measure::Map | Measure::GeometricMap => judged.average_precision(ranked),
            Measure::MapCut(cut) => judged.average_precision(cut),
            Measure::RPrecision => over(judged.relevant_within(relevant), relevant),
            Measure::Bpref | Measure::GeometricBpref => judged.bpref(),
            Measure::ReciprocalRank => {
                let first = judged.relevant_ranks().next();
                first.map_or(0.0, |rank| 1.0 / rank as f64)
            }
            Measure::InterpolatedPrecision(recall) => judged.interpolated(recall),
            Measure::ElevenPoints => {
                points()
                    .map(|recall| judged.interpolated(recall))
                    .sum::<f64>()
                    / 11.0
            }
            Measure::Precision(cut) => judged.relevant_within(cut) / cut as f64,
            Measure::Recall(cut) => over(judged.relevant_within(cut), relevant),
            Measure::RelativePrecision(cut) => over(judged.relevant_within(cut), cut.min(relevant)),
            Measure::Success(cut) => judged.relevant_within(cut).min(1.0),
            Measure::Ndcg => judged.ndcg(usize::MAX),
            Measure::NdcgCut(cut) => judged.ndcg(cut),
            Measure::InferredAp => judged.inferred_ap(),
            Measure::SetPrecision => over(found, ranked),
            Measure::SetRecall => over(found, relevant),
            Measure::SetRelativePrecision => over(found, ranked.min(relevant)),
            Measure::SetMap => over(found, ranked) * over(found, relevant),
            Measure::SetF => over(2.0 * found, if found > 0.0 { ranked + relevant } else { 0 }),
        }
    }
}

/// Levels of recall: 0, 0.1, ..., 1, as decimals are read.
fn points() -> impl Iterator<Item = f64> {
    (0..=10u8).map(|tenth| f64::from(tenth) / 10.0)
}

impl Judged {
    /// How many of the first pages have a grade and are not relevant.
    fn nonrelevant_before(&self, rank: usize) -> usize {
        let ranked = self.ranked[..rank].iter();
        ranked
            .filter(|&&seen| matches!(seen, Seen::Graded(_)) && !self.is_relevant(seen))
            .count()
    }

    fn average_precision(&self, cut: usize) -> f64 {
        let ranks = (1..).zip(self.relevant_ranks());
        let within = ranks.take_while(|&(_, rank)| rank <= cut);
        let sum: f64 = within
            .map(|(found, rank)| f64::from(found) / rank as f64)
            .sum();
        sum / self.relevant().max(1) as f64
    }

    fn bpref(&self) -> f64 {
        let relevant = self.relevant();
        let most = relevant.min(self.grades.len() - relevant) as f64;
        let (mut before, mut sum) = (0usize, 0.0);
        for &seen in &self.ranked {
            match seen {
                Seen::Unknown | Seen::Pooled => {}
                _ if self.is_relevant(seen) && before == 0 => sum += 1.0,
                _ if self.is_relevant(seen) => sum += 1.0 - before.min(relevant) as f64 / most,
                Seen::Graded(_) => before += 1,
            }
        }
        sum / relevant.max(1) as f64
    }

    /// Interpolated precision: the cut is the relevant page that trec_eval's number names.
    fn interpolated(&self, recall: f64) -> f64 {
        let wanted = (recall * self.relevant() as f64 + 0.9) as usize;
        let ranks = (1usize..).zip(self.relevant_ranks());
        let from = ranks.filter(|&(found, _)| found >= wanted);
        from.map(|(found, rank)| found as f64 / rank as f64)
            .fold(0.0, f64::max)
    }

    /// Without a grade above 0, 0.
    fn ndcg(&self, cut: usize) -> f64 {
        let gains = self.ranked.iter().map(|&seen| match seen {
            Seen::Graded(grade) => grade,
            _ => 0,
        });
        let best = discounted(self.grades.iter().copied(), cut);
        if best == 0.0 {
            0.0
        } else {
            discounted(gains, cut) / best
        }
    }

    fn inferred_ap(&self) -> f64 {
        let (mut relevant, mut others, mut pooled) = (0.0, 0.0, 0.0);
        let mut sum = 0.0;
        for (before, &seen) in self.ranked.iter().enumerate() {
            match seen {
                Seen::Unknown => {}
                Seen::Pooled => pooled += 1.0,
                _ if self.is_relevant(seen) => {
                    let rank = (before + 1) as f64;
                    let share = (relevant + EPSILON) / (relevant + others + 2.0 * EPSILON);
                    let in_pool = relevant + others + pooled;
                    sum += if before == 0 {
                        1.0
                    } else {
                        (1.0 + in_pool * share) / rank
                    };
                    relevant += 1.0;
                }
                Seen::Graded(_) => others += 1.0,
            }
        }
        sum / self.relevant().max(1) as f64
    }
}

/// The sum of gains over the logarithms of 1 + rank.
fn discounted(gains: impl Iterator<Item = u64>, cut: usize) -> f64 {
    let ranked = (2u32..).zip(gains).take(cut);
    let gained = ranked.filter(|&(_, gain)| gain > 0);
    gained
        .map(|(place, gain)| gain as f64 / f64::from(place).log2())
        .sum()
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Measure::Queries => "num_q",
            Measure::Retrieved => "num_ret",
            Measure::Relevant => "num_rel",
            Measure::RelevantRetrieved => "num_rel_ret",
            Measure::NonrelevantRetrieved => "num_nonrel_judged_ret",
            Measure::Map => "map",
            Measure::GeometricMap => "gm_map",
            Measure::RPrecision => "Rprec",
            Measure::Bpref => "bpref",
            Measure::GeometricBpref => "gm_bpref",
            Measure::ReciprocalRank => "recip_rank",
            Measure::InterpolatedPrecision(recall) => {
                return write!(f, "iprec_at_recall_{recall:.2}");
            }
            Measure::ElevenPoints => "11pt_avg",
            Measure::Precision(cut) => return write!(f, "P_{cut}"),
            Measure::Recall(cut) => return write!(f, "recall_{cut}"),
            Measure::RelativePrecision(cut) => return write!(f, "relative_P_{cut}"),
            Measure::Success(cut) => return write!(f, "success_{cut}"),
            Measure::MapCut(cut) => return write!(f, "map_cut_{cut}"),
            Measure::Ndcg => "ndcg",
            Measure::NdcgCut(cut) => return write!(f, "ndcg_cut_{cut}"),
            Measure::InferredAp => "infAP",
            Measure::SetPrecision => "set_P",
            Measure::SetRecall => "set_recall",
            Measure::SetRelativePrecision => "set_relative_P",
            Measure::SetMap => "set_map",
            Measure::SetF => "set_F",
        })
    }
}
