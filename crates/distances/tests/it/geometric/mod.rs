//! Distance measures (harmonic, closeness, Lin, reachable, eccentricity, decay, integration), and
//! distances themselves.

mod approximations;
mod best;
mod calibration;
mod counters;
mod definitions;
mod distances;
mod exact_order;
mod peers;
mod samples;
mod weighted_harmonic;
