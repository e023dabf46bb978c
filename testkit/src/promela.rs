//! Random PROMELA models, the same for the same random numbers. Each kind is made for what
//! it judges.

pub mod dependent;
pub mod endless;
pub mod reducible;
pub mod reversible;
pub mod shared;
pub mod symmetric;
pub mod whole;
