//! The measures of trec_eval, by its names.

use super::judged::{Judged, Seen};
use std::fmt;
use webrank_base::error::{Error, Result};

/// A measure of a ranking. Here r(k) is how many of the first k pages are relevant, n how many pages are
/// ranked, and R how many are relevant, ranked or not. Where R is 0, or nothing is ranked, a value is 0.
/// Pages without a grade are not relevant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RetrievalMeasure {
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
type Kind = (&'static str, fn(usize) -> RetrievalMeasure);

/// The least part of a count in `infAP`.
const EPSILON: f64 = 1e-5;

/// The measures of a list such as `map,P_10,ndcg_cut`: a name without its number means the usual numbers,
/// `official` and `all` mean lists.
///
/// # Errors
/// If a name is unknown, or its number is 0 or too large.
pub fn parse_measures(list: &str) -> Result<Vec<RetrievalMeasure>> {
    let mut measures = Vec::new();
    for name in list.split(',').map(str::trim) {
        let found = match name {
            "official" => parse_measures(OFFICIAL)?,
            "all" => parse_measures(&format!("{OFFICIAL},{ALL}"))?,
            _ => RetrievalMeasure::named(name)
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
        && RetrievalMeasure::named(&format!("{kind}_10")).is_some()
    {
        return format!("the cutoff must be at least 1, and below 4294967296, as in {kind}_10");
    }
    let all = format!("{OFFICIAL},{ALL}").replace(',', ", ");
    format!("measures are official, all, {all}; P_10 is one of P")
}

impl RetrievalMeasure {
    /// The measures of a name, which may be without its number.
    fn named(name: &str) -> Option<Vec<RetrievalMeasure>> {
        let one = match name {
            "num_q" => RetrievalMeasure::Queries,
            "num_ret" => RetrievalMeasure::Retrieved,
            "num_rel" => RetrievalMeasure::Relevant,
            "num_rel_ret" => RetrievalMeasure::RelevantRetrieved,
            "num_nonrel_judged_ret" => RetrievalMeasure::NonrelevantRetrieved,
            "map" => RetrievalMeasure::Map,
            "gm_map" => RetrievalMeasure::GeometricMap,
            "Rprec" => RetrievalMeasure::RPrecision,
            "bpref" => RetrievalMeasure::Bpref,
            "gm_bpref" => RetrievalMeasure::GeometricBpref,
            "recip_rank" => RetrievalMeasure::ReciprocalRank,
            "11pt_avg" => RetrievalMeasure::ElevenPoints,
            "ndcg" => RetrievalMeasure::Ndcg,
            "infAP" => RetrievalMeasure::InferredAp,
            "set_P" => RetrievalMeasure::SetPrecision,
            "set_recall" => RetrievalMeasure::SetRecall,
            "set_relative_P" => RetrievalMeasure::SetRelativePrecision,
            "set_map" => RetrievalMeasure::SetMap,
            "set_F" => RetrievalMeasure::SetF,
            _ => return Self::with_numbers(name),
        };
        Some(vec![one])
    }

    fn with_numbers(name: &str) -> Option<Vec<RetrievalMeasure>> {
        if let Some(rest) = name.strip_prefix("iprec_at_recall") {
            if rest.is_empty() {
                return Some(
                    points()
                        .map(RetrievalMeasure::InterpolatedPrecision)
                        .collect(),
                );
            }
            let recall = rest.strip_prefix('_')?.parse().ok()?;
            let is_share = (0.0..=1.0).contains(&recall);
            return is_share.then(|| vec![RetrievalMeasure::InterpolatedPrecision(recall)]);
        }
        let kinds: [Kind; 6] = [
            ("P", RetrievalMeasure::Precision),
            ("recall", RetrievalMeasure::Recall),
            ("relative_P", RetrievalMeasure::RelativePrecision),
            ("success", RetrievalMeasure::Success),
            ("map_cut", RetrievalMeasure::MapCut),
            ("ndcg_cut", RetrievalMeasure::NdcgCut),
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
            RetrievalMeasure::Queries => Over::Queries,
            RetrievalMeasure::Relevant => Over::Relevant,
            RetrievalMeasure::Retrieved
            | RetrievalMeasure::RelevantRetrieved
            | RetrievalMeasure::NonrelevantRetrieved => Over::Sum,
            RetrievalMeasure::GeometricMap | RetrievalMeasure::GeometricBpref => Over::Geometric,
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
            RetrievalMeasure::Queries => 1.0,
            RetrievalMeasure::Retrieved => ranked as f64,
            RetrievalMeasure::Relevant => relevant as f64,
            RetrievalMeasure::RelevantRetrieved => found,
            RetrievalMeasure::NonrelevantRetrieved => judged.nonrelevant_before(ranked) as f64,
            RetrievalMeasure::Map | RetrievalMeasure::GeometricMap => {
                judged.average_precision(ranked)
            }
            RetrievalMeasure::MapCut(cut) => judged.average_precision(cut),
            RetrievalMeasure::RPrecision => over(judged.relevant_within(relevant), relevant),
            RetrievalMeasure::Bpref | RetrievalMeasure::GeometricBpref => judged.bpref(),
            RetrievalMeasure::ReciprocalRank => {
                let first = judged.relevant_ranks().next();
                first.map_or(0.0, |rank| 1.0 / rank as f64)
            }
            RetrievalMeasure::InterpolatedPrecision(recall) => judged.interpolated(recall),
            RetrievalMeasure::ElevenPoints => {
                points()
                    .map(|recall| judged.interpolated(recall))
                    .sum::<f64>()
                    / 11.0
            }
            RetrievalMeasure::Precision(cut) => judged.relevant_within(cut) / cut as f64,
            RetrievalMeasure::Recall(cut) => over(judged.relevant_within(cut), relevant),
            RetrievalMeasure::RelativePrecision(cut) => {
                over(judged.relevant_within(cut), cut.min(relevant))
            }
            RetrievalMeasure::Success(cut) => judged.relevant_within(cut).min(1.0),
            RetrievalMeasure::Ndcg => judged.ndcg(usize::MAX),
            RetrievalMeasure::NdcgCut(cut) => judged.ndcg(cut),
            RetrievalMeasure::InferredAp => judged.inferred_ap(),
            RetrievalMeasure::SetPrecision => over(found, ranked),
            RetrievalMeasure::SetRecall => over(found, relevant),
            RetrievalMeasure::SetRelativePrecision => over(found, ranked.min(relevant)),
            RetrievalMeasure::SetMap => over(found, ranked) * over(found, relevant),
            RetrievalMeasure::SetF => {
                over(2.0 * found, if found > 0.0 { ranked + relevant } else { 0 })
            }
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

impl fmt::Display for RetrievalMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RetrievalMeasure::Queries => "num_q",
            RetrievalMeasure::Retrieved => "num_ret",
            RetrievalMeasure::Relevant => "num_rel",
            RetrievalMeasure::RelevantRetrieved => "num_rel_ret",
            RetrievalMeasure::NonrelevantRetrieved => "num_nonrel_judged_ret",
            RetrievalMeasure::Map => "map",
            RetrievalMeasure::GeometricMap => "gm_map",
            RetrievalMeasure::RPrecision => "Rprec",
            RetrievalMeasure::Bpref => "bpref",
            RetrievalMeasure::GeometricBpref => "gm_bpref",
            RetrievalMeasure::ReciprocalRank => "recip_rank",
            RetrievalMeasure::InterpolatedPrecision(recall) => {
                return write!(f, "iprec_at_recall_{recall:.2}");
            }
            RetrievalMeasure::ElevenPoints => "11pt_avg",
            RetrievalMeasure::Precision(cut) => return write!(f, "P_{cut}"),
            RetrievalMeasure::Recall(cut) => return write!(f, "recall_{cut}"),
            RetrievalMeasure::RelativePrecision(cut) => return write!(f, "relative_P_{cut}"),
            RetrievalMeasure::Success(cut) => return write!(f, "success_{cut}"),
            RetrievalMeasure::MapCut(cut) => return write!(f, "map_cut_{cut}"),
            RetrievalMeasure::Ndcg => "ndcg",
            RetrievalMeasure::NdcgCut(cut) => return write!(f, "ndcg_cut_{cut}"),
            RetrievalMeasure::InferredAp => "infAP",
            RetrievalMeasure::SetPrecision => "set_P",
            RetrievalMeasure::SetRecall => "set_recall",
            RetrievalMeasure::SetRelativePrecision => "set_relative_P",
            RetrievalMeasure::SetMap => "set_map",
            RetrievalMeasure::SetF => "set_F",
        })
    }
}
