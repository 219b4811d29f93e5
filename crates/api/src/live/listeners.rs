//! Listeners to the progress of imports: a bounded number of them, for each user and each tenant.

use std::sync::{Arc, Mutex, PoisonError};

use kernel::{Code, Error, Result};
use tokio::sync::watch;

use crate::fair_turns::Claimant;

/// So many listen at a time: each keeps a connection for as long as it does.
const LISTENERS: usize = 500;
/// Streams of one person: one for each window that is open.
const OF_ONE_PERSON: usize = 10;
const LATER_SECONDS: u64 = 30;

/// Who listens.
#[derive(Debug, Default)]
pub struct Live {
    moved: watch::Sender<()>,
    listening: Arc<Mutex<Vec<Claimant>>>,
}

/// One who listens, as long as this lives.
#[derive(Debug)]
pub struct Listener {
    moved: watch::Receiver<()>,
    _place: Place,
}

/// A place among those who listen.
#[derive(Debug)]
struct Place {
    listening: Arc<Mutex<Vec<Claimant>>>,
    claimant: Claimant,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut listening = self.listening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = listening.iter().position(|other| *other == self.claimant) {
            listening.swap_remove(place);
        }
    }
}

/// True if the claimant may open another stream: a tenant never holds more places than are left for the others.
fn has_place(listening: &[Claimant], claimant: Claimant) -> bool {
    let of_person = listening.iter().filter(|other| other.user() == claimant.user()).count();
    let of_party = listening.iter().filter(|other| other.party() == claimant.party()).count();
    of_person < OF_ONE_PERSON && of_party < LISTENERS.saturating_sub(listening.len())
}

impl Live {
    /// An import has changed.
    pub fn moved(&self) {
        self.moved.send_replace(());
    }

    /// Takes a place among those who listen.
    ///
    /// # Errors
    /// [`Code::Busy`] where the person or their tenant has enough of them.
    pub fn listen(&self, claimant: Claimant) -> Result<Listener> {
        let mut listening = self.listening.lock().unwrap_or_else(PoisonError::into_inner);
        if !has_place(&listening, claimant) {
            return Err(Error::Later { code: Code::Busy, seconds: LATER_SECONDS });
        }
        listening.push(claimant);
        let place = Place { listening: self.listening.clone(), claimant };
        Ok(Listener { moved: self.moved.subscribe(), _place: place })
    }

    pub(super) fn is_heard(&self) -> bool {
        self.moved.receiver_count() > 0
    }
}

impl Listener {
    /// Resolves when imports have changed since the last time.
    pub async fn moved(&mut self) {
        if self.moved.changed().await.is_err() {
            // the server is gone, which tells it otherwise
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_takes_all_places_of_those_who_listen() {
        let live = Live::default();
        let mut kept = Vec::new();
        let mut listen = |tenant, user| match live.listen(Claimant::new(tenant, user)) {
            Ok(listener) => {
                kept.push(listener);
                true
            }
            Err(_) => false,
        };
        let of_one = (0..50).filter(|_| listen(Some(1), 1)).count();
        assert_eq!(of_one, OF_ONE_PERSON);
        let of_tenant = of_one + (2..1_000).filter(|user| listen(Some(1), *user)).count();
        assert_eq!(of_tenant, LISTENERS / 2);
        for tenant in 2..7 {
            assert!((0..5).all(|user| listen(Some(tenant), 1_000 * tenant + user)), "tenant {tenant}");
        }
        assert!(listen(None, 7), "somebody of the platform");
        drop(kept);
        assert!(live.listening.lock().unwrap().is_empty());
    }
}
