//! The options of a Bloom filter that is made for a number of URLs.

use crate::sieve::BloomGoal;

/// How many URLs a Bloom filter is made for, and how many it may lose.
#[derive(clap::Args)]
#[command(next_help_heading = "Crawl")]
pub struct GoalArgs {
    /// With --sieve bloom: how many different URLs there will be, as in 1e9
    #[arg(long, value_name = "N", requires = "loss", value_parser = count)]
    urls: Option<u64>,
    /// With --sieve bloom and --urls: the probability that a URL is lost once there are so many; the
    /// filter takes the least memory that reaches it
    #[arg(long, value_name = "P", requires = "urls")]
    loss: Option<f64>,
}

impl GoalArgs {
    /// The goal, if there is one.
    pub fn goal(&self) -> Option<BloomGoal> {
        Some(BloomGoal {
            urls: self.urls?,
            loss: self.loss?,
        })
    }
}

/// A number of URLs, also as in `1e9`.
fn count(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(count) if (1.0..=1e15).contains(&count) && count.fract() == 0.0 => Ok(count as u64),
        _ => Err("is not a number from 1 to 1e15".to_owned()),
    }
}
