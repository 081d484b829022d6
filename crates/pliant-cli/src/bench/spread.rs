//! Distribution of frame times.

use std::fmt;

/// Mean, median, 99th percentile and longest of some times; displayed as cells of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spread {
    pub(super) mean: f64,
    pub(super) median: f64,
    /// The time that 1 % of the frames exceed.
    pub(super) ninety_ninth: f64,
    pub(super) longest: f64,
}

impl Spread {
    pub(super) fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let count = times.len().max(1);
        let at = |share: f64| {
            let place = ((share * count as f64) as usize).min(count - 1);
            times.get(place).copied().unwrap_or(0.0)
        };
        let mean = times.iter().sum::<f64>() / count as f64;
        Self { mean, median: at(0.5), ninety_ninth: at(0.99), longest: at(1.0) }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mean, median, ninety_ninth, longest } = self;
        write!(f, "{mean:.2} | {median:.2} | {ninety_ninth:.2} | {longest:.2}")
    }
}
