//! `rank measures`.

use webrank::MEASURES;
use webrank_base::error::Result;
use webrank_terminal::options::{Global, write_stdout};

/// List all measures: definition, direction, cost and guarantee
#[derive(clap::Args)]
#[command(next_help_heading = "Output")]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, _global: &Global) -> Result<()> {
    write_stdout(|out| {
        if args.json {
            serde_json::to_writer_pretty(&mut *out, MEASURES)?;
            return writeln!(out);
        }
        for about in MEASURES {
            writeln!(out, "{}", about.name)?;
            writeln!(out, "    definition  {}", about.definition)?;
            writeln!(out, "    direction   {}", about.direction)?;
            writeln!(out, "    cost        {}", about.cost)?;
            writeln!(out, "    guarantee   {}", about.guarantee)?;
        }
        Ok(())
    })
}
