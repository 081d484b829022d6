//! The ratio of two times from pairs of measurements, with its confidence interval.

/// Quantiles of Student's distribution for an interval of 95 %, for 1 to 10 degrees of freedom.
const QUANTILES: [f64; 10] = [
    12.706_2, 4.302_65, 3.182_45, 2.776_45, 2.570_58, 2.446_91, 2.364_62, 2.306_00, 2.262_16,
    2.228_14,
];

/// A ratio and the interval that contains it with a probability of 95 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ratio {
    pub(super) mean: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Ratio {
    /// The ratio of the second to the first time of at least two pairs.
    ///
    /// Times vary by factors, so the mean and the interval are those of the logarithms: the geometric mean, and an interval
    /// that is the same for the inverse ratio. A pair shares the load of the machine, which cancels.
    pub(super) fn of(pairs: &[[f64; 2]]) -> Self {
        let logs: Vec<f64> = pairs.iter().map(|[old, new]| (new / old).ln()).collect();
        let count = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / count;
        let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
        let error = (squares / (count - 1.0) / count).sqrt();
        let reach = quantile(logs.len() - 1) * error;
        Self { mean: mean.exp(), low: (mean - reach).exp(), high: (mean + reach).exp() }
    }

    /// True if the second time is more than 5 % longer, and certainly longer.
    pub(super) fn is_slower(&self) -> bool {
        self.mean > 1.05 && self.low > 1.0
    }
}

/// The quantile 0.975 of Student's distribution: tabled, and from 11 degrees of freedom on the expansion of Cornish and Fisher
/// in the inverse of their number, which is exact to 0.0002 there.
fn quantile(freedom: usize) -> f64 {
    if let Some(tabled) = QUANTILES.get(freedom - 1) {
        return *tabled;
    }
    let (z, n) = (1.959_964_f64, freedom as f64);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / n + second / n.powi(2) + third / n.powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quantiles are those of printed tables, where they are tabled here and where they are computed.
    #[test]
    fn quantiles_are_those_of_tables() {
        let tables = [
            (1, 12.706),
            (7, 2.365),
            (10, 2.228),
            (11, 2.201),
            (19, 2.093),
            (30, 2.042),
            (120, 1.980),
        ];
        for (freedom, expected) in tables {
            assert!(
                (quantile(freedom) - expected).abs() < 6e-4,
                "{freedom}: {}",
                quantile(freedom)
            );
        }
    }

    /// Log ratios of ln 1.1 ± 0.02 in four pairs: the geometric mean, and 3.18245 standard errors of 0.02/√3 on each side.
    #[test]
    fn an_interval_is_that_of_the_log_ratios() {
        let pair = |log: f64| [2.0, 2.2 * log.exp()];
        let ratio = Ratio::of(&[0.02, -0.02, 0.02, -0.02].map(pair));
        let reach = (3.182_45 * 0.02 / 3f64.sqrt()).exp();
        assert!((ratio.mean - 1.1).abs() < 1e-12);
        assert!(
            (ratio.low - 1.1 / reach).abs() < 1e-12 && (ratio.high - 1.1 * reach).abs() < 1e-12
        );
        assert!(ratio.is_slower());
    }

    /// Equal times have the ratio 1 without doubt; a wide interval or a small change is not reported.
    #[test]
    fn small_and_uncertain_changes_are_not_slower() {
        assert_eq!(Ratio::of(&[[3.0, 3.0]; 5]), Ratio { mean: 1.0, low: 1.0, high: 1.0 });
        assert!(!Ratio::of(&[[1.0, 1.04], [1.0, 1.04]]).is_slower());
        assert!(!Ratio::of(&[[1.0, 0.9], [1.0, 1.5]]).is_slower());
    }

    /// Nine in ten intervals or more contain the true ratio of noisy times: about 95 % of 2000.
    #[test]
    fn intervals_contain_the_true_ratio() {
        let mut random = pliant_kernels::math::SplitMix::new(7);
        // Half a sum of twelve uniform numbers from −1 to 1 is nearly normal, with variance 1.
        let mut normal = || 0.5 * (0..12).map(|_| random.signed_unit()).sum::<f64>();
        let hits = (0..2000).filter(|_| {
            let pairs: Vec<[f64; 2]> =
                (0..6).map(|_| [1.0, 1.2 * (0.1 * normal()).exp()]).collect();
            let ratio = Ratio::of(&pairs);
            ratio.low < 1.2 && 1.2 < ratio.high
        });
        let share = hits.count() as f64 / 2000.0;
        assert!((share - 0.95).abs() < 0.02, "{share}");
    }
}
