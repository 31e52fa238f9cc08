//! Names similar to one that no node has: what the user may have meant.

use crate::text::names::Names;
use rayon::prelude::*;
use webrank_base::Node;
use webrank_base::parallel::tasks;

/// At most `count` names similar to `key`, the most similar first: those at a small edit distance
/// (with transpositions of neighbours; at most one edit, plus one for every eight bytes, and never
/// more than four), then those that contain `key`, the shortest first. Case does not matter. O(n),
/// parallel.
pub fn nearest<'n>(names: &'n Names, key: &str, count: usize) -> Vec<&'n str> {
    let key = key.to_lowercase();
    let letters = Letters::of(&key);
    let limit = (1 + key.len() / 8).min(4);
    let likeness = |node: usize| {
        let name = names.get(node as Node);
        let lower = name.to_lowercase();
        let edits = (letters.edits_at_least(&lower) <= limit)
            .then(|| strsim::osa_distance(&key, &lower))
            .filter(|&edits| edits <= limit);
        let contained = !key.is_empty() && lower.contains(&key);
        let rank = edits.or(contained.then_some(limit + 1 + name.len()))?;
        Some((rank, name))
    };
    let mut found = tasks::select(names.len(), likeness);
    found.par_sort_unstable();
    found.truncate(count);
    found.into_iter().map(|(_, name)| name).collect()
}

/// How often each byte occurs in a word.
struct Letters {
    counts: [i32; 256],
    /// The largest number of bytes that one edit changes.
    bytes_an_edit: usize,
}

impl Letters {
    fn of(word: &str) -> Self {
        let mut counts = [0; 256];
        word.bytes().for_each(|byte| counts[byte as usize] += 1);
        Letters {
            counts,
            bytes_an_edit: if word.is_ascii() { 1 } else { 4 },
        }
    }

    /// A lower bound on the edit distance to `word`: an edit adds a letter, removes one, or does
    /// both; a letter has up to four bytes.
    fn edits_at_least(&self, word: &str) -> usize {
        let mut counts = self.counts;
        word.bytes().for_each(|byte| counts[byte as usize] -= 1);
        let [missing, extra] = counts.iter().fold([0, 0], |[missing, extra], &count| {
            [missing + count.max(0), extra + (-count).max(0)]
        });
        let bytes_an_edit = if word.is_ascii() {
            self.bytes_an_edit
        } else {
            4
        };
        (missing.max(extra) as usize).div_ceil(bytes_an_edit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(names: &[&str], key: &str) -> Vec<String> {
        let names = Names::from_text(&names.join("\n"));
        let found = nearest(&names, key, 3);
        found.into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn slips_of_the_finger_come_first_then_parts() {
        let names = ["libc", "libc6", "libc6-dev", "libd6", "perl", "Perl-Base"];
        assert_eq!(found(&names, "libc7"), ["libc", "libc6"]);
        assert_eq!(found(&names, "lbic6"), ["libc6"]);
        assert_eq!(found(&names, "PERL"), ["perl", "Perl-Base"]);
        assert_eq!(found(&names, "-dev"), ["libc6-dev"]);
        assert!(found(&names, "zzz").is_empty());
        assert_eq!(found(&["stra\u{df}e"], "strase"), ["stra\u{df}e"]);
    }

    proptest! {
        #[test]
        fn letters_bound_the_edits(a in "[a-c\u{e9}]{0,8}", b in "[a-c\u{e9}]{0,8}") {
            let edits = strsim::osa_distance(&a, &b);
            prop_assert!(Letters::of(&a).edits_at_least(&b) <= edits);
        }
    }
}
