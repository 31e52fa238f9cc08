//! The words of a text, without what changes from one copy of a page to the next.
//!
//! A word is a run of letters and digits, in lower case; a character of a script that puts no blanks
//! between words is a word by itself. Words with at least as many digits as letters are left out:
//! numbers, times, dates in digits, identifiers; so are ordinals such as `23rd`. So are the English
//! names of months and days, `am`, `pm`, `utc` and `gmt`, where a number comes right before or after
//! them.

use std::mem;

/// Words that belong to a date if a number is beside them.
const OF_DATES: [&str; 41] = [
    "am",
    "apr",
    "april",
    "aug",
    "august",
    "dec",
    "december",
    "feb",
    "february",
    "fri",
    "friday",
    "gmt",
    "jan",
    "january",
    "jul",
    "july",
    "jun",
    "june",
    "mar",
    "march",
    "may",
    "mon",
    "monday",
    "nov",
    "november",
    "oct",
    "october",
    "pm",
    "sat",
    "saturday",
    "sep",
    "september",
    "sun",
    "sunday",
    "thu",
    "thursday",
    "tue",
    "tuesday",
    "utc",
    "wed",
    "wednesday",
];

/// No date has more words in a row.
const LONGEST_DATE: usize = 4;

/// A longer word is cut, so that no text takes much memory.
const LONGEST_WORD: usize = 256;

/// Cuts texts into words.
#[derive(Debug, Clone, Default)]
pub(super) struct Words {
    word: String,
    letters: usize,
    digits: usize,
    /// True if the last word was a number, or belongs to a date.
    after_number: bool,
    /// Words that perhaps belong to a date.
    waiting: Vec<String>,
}

impl Words {
    /// Hands the words of a text to `each`; its first and last word end there.
    pub(super) fn read(&mut self, text: &str, each: &mut dyn FnMut(&str)) {
        for character in text.chars() {
            if !character.is_alphanumeric() {
                self.end_word(each);
                continue;
            }
            let stands_alone = has_no_blanks(character);
            if stands_alone || self.word.len() >= LONGEST_WORD {
                self.end_word(each);
            }
            match character.is_numeric() {
                true => self.digits += 1,
                false => self.letters += 1,
            }
            match character.is_ascii() {
                true => self.word.push(character.to_ascii_lowercase()),
                false => self.word.extend(character.to_lowercase()),
            }
            if stands_alone {
                self.end_word(each);
            }
        }
        self.end_word(each);
    }

    /// Hands over what waits, as if no more text came.
    pub(super) fn finish(&mut self, each: &mut dyn FnMut(&str)) {
        self.waiting.drain(..).for_each(|word| each(&word));
        self.after_number = false;
    }

    fn end_word(&mut self, each: &mut dyn FnMut(&str)) {
        let (letters, digits) = (mem::take(&mut self.letters), mem::take(&mut self.digits));
        if self.word.is_empty() {
            return;
        }
        if digits >= letters.max(1) || is_ordinal(&self.word) {
            self.waiting.clear();
            self.after_number = true;
        } else if OF_DATES.binary_search(&self.word.as_str()).is_ok() {
            if !self.after_number {
                if self.waiting.len() == LONGEST_DATE {
                    self.finish(each);
                }
                self.waiting.push(self.word.clone());
            }
        } else {
            self.finish(each);
            each(&self.word);
        }
        self.word.clear();
    }
}

/// True for digits and the end of an ordinal.
fn is_ordinal(word: &str) -> bool {
    let ends = ["st", "nd", "rd", "th"];
    let digits = ends.iter().find_map(|end| word.strip_suffix(end));
    digits.is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// True for characters of Chinese and Japanese, whose words have no blanks between them.
fn has_no_blanks(character: char) -> bool {
    matches!(
        u32::from(character),
        0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let (mut words, mut read) = (Words::default(), Vec::new());
        words.read(text, &mut |word| read.push(word.to_owned()));
        words.finish(&mut |word| read.push(word.to_owned()));
        read
    }

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        assert_eq!(
            words("The QUICK, brown-fox!"),
            ["the", "quick", "brown", "fox"]
        );
        assert_eq!(words("Ärger straße"), ["ärger", "straße"]);
        assert_eq!(words("東京 です"), ["東", "京", "で", "す"]);
        assert_eq!(words("base64 utf8x"), ["base64", "utf8x"]);
        assert!(words(" ,.-\u{7}\n").is_empty());
        assert!(words("").is_empty());
    }

    #[test]
    fn dates_and_numbers_are_left_out() {
        for text in [
            "page of 2026-11-23T10:30:00Z end",
            "page of Mon, 23 Nov 2026 10:30 GMT end",
            "page of Monday, November 23rd, 2026, 10.30 am end",
            "page 17 of 1,234 end",
        ] {
            assert_eq!(words(text), ["page", "of", "end"], "{text}");
        }
    }

    #[test]
    fn words_of_dates_stay_where_there_is_no_number() {
        assert_eq!(words("you may march"), ["you", "may", "march"]);
        assert_eq!(words("sun"), ["sun"]);
        assert_eq!(words(&"may ".repeat(1000)).len(), 1000);
    }

    #[test]
    fn the_list_is_sorted_as_the_search_needs_it() {
        assert!(OF_DATES.is_sorted());
    }

    #[test]
    fn long_words_are_cut() {
        let cut = words(&"x".repeat(1000));
        assert_eq!(cut.len(), 4);
        assert_eq!(cut.concat(), "x".repeat(1000));
    }
}
