//! Mail about a webhook that was paused.

use kernel::Language;

use super::Content;

/// Reason for a pause of a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookPause {
    /// The receiver wants no more events.
    Gone,
    /// The receiver has accepted no event for three days.
    Undeliverable,
}

/// A mail about a webhook.
#[derive(Debug, Clone, Copy)]
pub struct WebhookNotice<'a> {
    /// The receiver.
    pub host: &'a str,
    /// Company of the tenant.
    pub company: &'a str,
    pub pause: WebhookPause,
}

pub(super) fn content(notice: WebhookNotice<'_>, page: &str, language: Language) -> Content {
    let WebhookNotice { host, company, pause } = notice;
    match language {
        Language::De => {
            let lead = match pause {
                WebhookPause::Gone => format!("der Empfänger {host} will keine Meldungen mehr (Status 410)."),
                WebhookPause::Undeliverable => {
                    format!("der Empfänger {host} hat seit drei Tagen keine Meldung angenommen.")
                }
            };
            Content {
                subject: format!("Der Webhook zu {host} ist angehalten"),
                before: vec![
                    lead,
                    format!("Mandant: {company}."),
                    "Offene Meldungen bleiben 30 Tage gespeichert. Bringen Sie den Empfänger in Ordnung und setzen Sie \
                     den Webhook dann fort: Die offenen Meldungen werden in ihrer Reihenfolge zugestellt."
                        .to_owned(),
                ],
                action: ("Webhook öffnen".to_owned(), page.to_owned()),
                after: vec![
                    "Ob Sie solche Nachrichten bekommen, legen Sie unter „Mein Konto“ fest.".to_owned(),
                ],
            }
        }
        Language::En => {
            let lead = match pause {
                WebhookPause::Gone => format!("the receiver {host} wants no more messages (status 410)."),
                WebhookPause::Undeliverable => {
                    format!("the receiver {host} has taken no message for three days.")
                }
            };
            Content {
                subject: format!("The webhook to {host} is paused"),
                before: vec![
                    lead,
                    format!("Tenant: {company}."),
                    "Pending messages are kept for 30 days. Repair the receiver, then resume the webhook: the pending \
                     messages are delivered in their order."
                        .to_owned(),
                ],
                action: ("Open the webhook".to_owned(), page.to_owned()),
                after: vec!["You choose under “My account” whether you get these messages.".to_owned()],
            }
        }
    }
}
