//! Listeners to the progress of imports: their number is limited, for each user and each tenant.

use std::sync::{Arc, Mutex, PoisonError};

use http_api::fair_queue::Claimant;
use tokio::sync::watch;
use values::{Error, Result};

use crate::codes;

/// Maximum number of concurrent listeners; each occupies a connection.
const LISTENERS: usize = 500;
/// Maximum number of listeners of one user, one for each open window.
const LISTENERS_PER_USER: usize = 10;
const RETRY_SECONDS: u64 = 30;

/// Listeners of this process, with the signal that wakes them.
#[derive(Debug, Default)]
pub struct ImportListeners {
    moved: watch::Sender<()>,
    listening: Arc<Mutex<Vec<Claimant>>>,
}

/// Listener, counted until it is dropped.
#[derive(Debug)]
pub struct ImportListener {
    moved: watch::Receiver<()>,
    _slot: Slot,
}

/// Counted part of a listener.
#[derive(Debug)]
struct Slot {
    listening: Arc<Mutex<Vec<Claimant>>>,
    claimant: Claimant,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut listening = self.listening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = listening.iter().position(|other| *other == self.claimant) {
            listening.swap_remove(place);
        }
    }
}

/// True if the claimant may open another stream: a tenant never has more places than are left for the others.
fn has_place(listening: &[Claimant], claimant: Claimant) -> bool {
    let of_user = listening.iter().filter(|other| other.user() == claimant.user()).count();
    let of_party = listening.iter().filter(|other| other.party() == claimant.party()).count();
    of_user < LISTENERS_PER_USER && of_party < LISTENERS.saturating_sub(listening.len())
}

impl ImportListeners {
    /// Wakes all listeners after a change of an import.
    pub fn notify(&self) {
        self.moved.send_replace(());
    }

    /// Adds a listener.
    ///
    /// # Errors
    /// [`codes::BUSY`] if the user or their tenant has too many already.
    pub fn listen(&self, claimant: Claimant) -> Result<ImportListener> {
        let mut listening = self.listening.lock().unwrap_or_else(PoisonError::into_inner);
        if !has_place(&listening, claimant) {
            return Err(Error::Later { code: codes::BUSY, seconds: RETRY_SECONDS });
        }
        listening.push(claimant);
        let slot = Slot { listening: self.listening.clone(), claimant };
        Ok(ImportListener { moved: self.moved.subscribe(), _slot: slot })
    }

    pub(super) fn has_listeners(&self) -> bool {
        self.moved.receiver_count() > 0
    }
}

impl ImportListener {
    /// Waits until imports have changed since the last time.
    pub async fn wait_for_change(&mut self) {
        if self.moved.changed().await.is_err() {
            // the server is ending, and closes the stream itself
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tenant_uses_at_most_half_of_the_listener_slots() {
        let listeners = ImportListeners::default();
        let mut open = Vec::new();
        let mut listen = |tenant, user| match listeners.listen(Claimant::new(tenant, user)) {
            Ok(listener) => {
                open.push(listener);
                true
            }
            Err(_) => false,
        };
        let of_one = (0..50).filter(|_| listen(Some(1), 1)).count();
        assert_eq!(of_one, LISTENERS_PER_USER);
        let of_tenant = of_one + (2..1_000).filter(|user| listen(Some(1), *user)).count();
        assert_eq!(of_tenant, LISTENERS / 2);
        for tenant in 2..7 {
            assert!((0..5).all(|user| listen(Some(tenant), 1_000 * tenant + user)), "tenant {tenant}");
        }
        assert!(listen(None, 7), "a user of the platform");
        drop(open);
        assert!(listeners.listening.lock().unwrap().is_empty());
    }
}
