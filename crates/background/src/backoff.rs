//! Backoff after failures.

use std::time::Duration;

/// First and longest pause after failures. The pause doubles with each failure in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    pub first: Duration,
    pub longest: Duration,
}

impl Backoff {
    /// Pause after this number of failures in a row, with jitter, so that several processes do not retry
    /// together. At most the longest one, at least half of the pause without jitter.
    pub(crate) fn pause(self, failures: u32) -> Duration {
        let doublings = failures.saturating_sub(1).min(16);
        jittered(self.first.saturating_mul(1 << doublings).min(self.longest), random())
    }
}

fn jittered(whole: Duration, random: u32) -> Duration {
    whole.mul_f64(0.5 + f64::from(random) / f64::from(u32::MAX) / 2.0)
}

/// Random number; the maximum, and so the longest pause, if the system has no randomness.
fn random() -> u32 {
    getrandom::u32().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn pauses_grow_to_a_maximum_with_jitter() {
        let backoff = Backoff { first: SECOND, longest: SECOND * 10 };
        for (failures, whole) in [(0, 1), (1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (40, 10), (u32::MAX, 10)] {
            for _ in 0..50 {
                let pause = backoff.pause(failures);
                assert!(pause >= SECOND * whole / 2 && pause <= SECOND * whole, "{failures}: {pause:?}");
            }
        }
        assert_eq!(jittered(SECOND, 0), SECOND / 2);
        assert_eq!(jittered(SECOND, u32::MAX), SECOND);
        let pauses: std::collections::HashSet<_> = (0..20).map(|_| backoff.pause(1)).collect();
        assert!(pauses.len() > 1);
    }
}
