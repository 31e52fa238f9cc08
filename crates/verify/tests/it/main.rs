//! How far scores are off.

mod verify;
