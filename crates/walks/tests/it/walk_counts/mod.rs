//! Numbers of walks.

mod definition;
