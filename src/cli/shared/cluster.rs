//! Options of the commands that several processes can do together.

use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use webrank_base::error::{Error, Result};
use webrank_base::limits::duration;
use webrank_cluster::Workers;
use webrank_cluster::network::{Hosts, Processes, Secret};
use webrank_terminal::options::{Global, OutputArgs};

/// The workers among which shards are divided.
#[derive(Args)]
#[command(next_help_heading = "Several workers")]
pub struct ClusterArgs {
    /// Number of worker threads that share the shards; does not affect the result [default: 1]
    #[arg(long, value_name = "N")]
    workers: Option<NonZeroUsize>,
    /// Run the same command on each of these machines, each with the shards at the same path: FILE has
    /// one address per line, such as 10.0.0.4:2101, in the order of the workers, optionally followed by
    /// a space and a weight: a worker of weight 2 gets twice as many parts. Worker 0 writes the table,
    /// or each worker its parts into a folder (-o scores/). Traffic is not encrypted: use a private
    /// network
    #[arg(long, value_name = "FILE", conflicts_with = "workers")]
    hosts: Option<PathBuf>,
    /// Index of this process in the hosts file, from 0 [default: SLURM_PROCID,
    /// OMPI_COMM_WORLD_RANK, PMI_RANK or JOB_COMPLETION_INDEX]
    #[arg(long, value_name = "I", requires = "hosts")]
    process: Option<usize>,
    /// How long another process may take to connect, and may be silent
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration, requires = "hosts")]
    timeout: Duration,
    /// A file with a secret that all processes share [default: RANK_SECRET]
    #[arg(long, value_name = "FILE", requires = "hosts")]
    secret: Option<PathBuf>,
}

impl ClusterArgs {
    /// The workers, and the parts of the table that they write.
    pub fn team_writing(&self, output: &OutputArgs, global: &Global) -> Result<Workers> {
        Ok(Workers {
            table: output.parts(global)?,
            ..self.team(global)?
        })
    }

    /// Refuses several workers for what one process does.
    ///
    /// # Errors
    /// If several are asked for.
    pub fn refuse(&self, what: &str) -> Result<()> {
        let given = self
            .workers
            .filter(|count| count.get() > 1)
            .map(|_| "workers");
        match given.or(self.hosts.as_ref().map(|_| "hosts")) {
            Some(option) => Err(Error::argument(
                option,
                "given",
                format!("{what} are not divided"),
            )),
            None => Ok(()),
        }
    }

    /// The workers. A run is repeated by this process alone.
    pub fn team(&self, global: &Global) -> Result<Workers> {
        let processes = match global.repeats {
            None => self.processes()?.map(Arc::new),
            Some(_) => None,
        };
        Ok(Workers {
            workers: self.workers,
            processes,
            table: None,
        })
    }

    /// The processes, if there are several.
    fn processes(&self) -> Result<Option<Processes>> {
        let Some(hosts) = &self.hosts else {
            return Ok(None);
        };
        let hosts = Hosts::read(hosts, self.process)?;
        let secret = Secret::given(self.secret.as_deref(), &hosts)?;
        Ok(Some(Processes {
            hosts,
            patience: self.timeout,
            secret,
        }))
    }
}
