//! Signal by which background work learns that the process is ending.

use tokio::sync::watch;

/// Receiver of the signal; cheap to clone.
#[derive(Clone, Debug)]
pub struct ShutdownSignal(watch::Receiver<bool>);

impl From<watch::Receiver<bool>> for ShutdownSignal {
    fn from(receiver: watch::Receiver<bool>) -> Self {
        Self(receiver)
    }
}

impl ShutdownSignal {
    /// True if the process is ending, or the sender of the signal is gone.
    pub fn is_set(&self) -> bool {
        *self.0.borrow() || self.0.has_changed().is_err()
    }

    /// Waits until the process is ending.
    pub async fn wait(&mut self) {
        // An error means that the sender is gone.
        let _ = self.0.wait_for(|ending| *ending).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_signal_is_set_when_it_is_sent_or_its_sender_is_dropped() {
        let (sender, ending) = watch::channel(false);
        let mut ending = ShutdownSignal::from(ending);
        assert!(!ending.is_set());
        sender.send(true).unwrap();
        assert!(ending.is_set());
        ending.wait().await;

        let (sender, ending) = watch::channel(false);
        let mut ending = ShutdownSignal::from(ending);
        drop(sender);
        assert!(ending.is_set());
        ending.wait().await;
    }
}
