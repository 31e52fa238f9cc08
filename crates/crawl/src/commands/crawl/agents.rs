//! Options of a crawl by several agents.

use crate::crawler::Team;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
use webrank_base::error::Result;
use webrank_base::limits::duration;
use webrank_cluster::network::{Hosts, Secret};

/// The agents that divide the hosts.
#[derive(Args)]
#[command(next_help_heading = "Several agents")]
pub(super) struct AgentsArgs {
    /// Divide the hosts among processes that run the same command, each with another --process and folder:
    /// FILE has one address per line, such as 10.0.0.4:2101, in the order of the agents, optionally
    /// followed by a space and a weight: an agent of weight 2 gets twice as many hosts. Traffic between
    /// agents is not encrypted: use a private network
    #[arg(long, value_name = "FILE")]
    agents: Option<PathBuf>,
    /// Index of this agent in the file, from 0 [default: SLURM_PROCID, OMPI_COMM_WORLD_RANK, PMI_RANK or
    /// JOB_COMPLETION_INDEX]
    #[arg(long, value_name = "I", requires = "agents")]
    process: Option<usize>,
    /// A file with a secret that all agents share [default: RANK_SECRET]
    #[arg(long, value_name = "FILE", requires = "agents")]
    secret: Option<PathBuf>,
    /// How long another agent may be away once nothing else is left to do
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration, requires = "agents")]
    absence: Duration,
    /// Give up the agent I, whose folder is lost: the others crawl its hosts anew. All others must be
    /// started again with this, now and later (can be repeated)
    #[arg(long, value_name = "I", requires = "agents")]
    without: Vec<usize>,
}

impl AgentsArgs {
    /// True if there are several.
    pub(super) fn are_given(&self) -> bool {
        self.agents.is_some()
    }

    /// The agents, if there are several.
    pub(super) fn team(&self) -> Result<Option<Team>> {
        let Some(path) = &self.agents else {
            return Ok(None);
        };
        let hosts = Hosts::read(path, self.process)?;
        Ok(Some(Team {
            secret: Secret::given(self.secret.as_deref(), &hosts)?,
            hosts,
            without: self.without.iter().copied().collect(),
            patience: self.absence,
        }))
    }
}
