//! Monitoring of feeds: incidents begin and end, and users who have chosen it get one mail for each.

use api::{state::State, webhook_events};
use feeds::{
    health::{self, FeedSigns, IncidentChange, Light},
    permissions,
    settings::{self, fields::FileKind},
};
use identity::user;
use mail::{FeedChange, FeedFile, FeedNotice, Mail, outbox};
use store::{Scope, Write};
use tenancy::tenant;
use values::{Instant, Result};

/// Compares the lights of all feeds with the open incidents.
///
/// # Errors
/// Failures of the database; earlier results stay recorded, and the next run continues.
pub async fn watch(state: &State, now: Instant) -> Result<()> {
    let zone = state.time_zone();
    let mut after = 0;
    loop {
        let batch = settings::batch_of_all(&state.db, after).await?;
        let Some(last) = batch.last() else { break };
        after = last.id;
        let mut open = health::open_incidents(&state.db, batch.iter().map(|settings| settings.id)).await?;
        for signs in health::load_enabled_feeds(&state.db, zone, &batch, now).await? {
            let incident = open.remove(&signs.feed);
            let is_troubled = matches!(signs.light, Light::Broken | Light::Late);
            if is_troubled == incident.is_some() {
                continue;
            }
            let tx = state.db.begin().await?;
            if let Some(change) =
                health::record_light(&tx, signs.feed, incident.as_ref(), signs.light, now).await?
            {
                write_mails(&tx, state, &signs, change, now).await?;
                if let IncidentChange::Began(light) = change {
                    webhook_events::feed_troubled(&tx, &signs, light).await?;
                }
            }
            tx.commit().await?;
        }
        // disabled files: like a pause, the end of an incident is no news
        for (feed, incident) in open {
            let tx = state.db.begin().await?;
            health::record_light(&tx, feed, Some(&incident), Light::Paused, now).await?;
            tx.commit().await?;
        }
    }
    let tx = state.db.begin().await?;
    health::delete_orphaned(&tx).await?;
    tx.commit().await
}

/// Queues a mail to each user of the tenant who may configure feeds and wants notices of problems.
async fn write_mails(
    tx: &Write,
    state: &State,
    signs: &FeedSigns,
    change: IncidentChange,
    now: Instant,
) -> Result<()> {
    let readers = user::wanting_notices(tx, signs.feed.tenant, permissions::CONFIGURE_FTP_IMPORT).await?;
    let companies = tenant::companies(tx, &Scope::platform(), [signs.feed.tenant]).await?;
    let company = companies.into_iter().next().map(|(_, company)| company).unwrap_or_default();
    let page = format!("{}/ftp-settings", state.settings.public_url);
    for reader in readers {
        let language = reader.language().unwrap_or_default();
        let reason = signs.reason.as_ref().map(|message| message.text(language)).unwrap_or_default();
        let change = match change {
            IncidentChange::Began(Light::Broken) => FeedChange::Broken { reason: &reason },
            IncidentChange::Began(_) => FeedChange::Late { expected: signs.expected_by.unwrap_or(now) },
            IncidentChange::Ended { began_at } => FeedChange::Recovered { since: began_at },
        };
        let file = match signs.feed.kind {
            FileKind::Price => FeedFile::Price,
            FileKind::Stock => FeedFile::Stock,
        };
        let notice = FeedNotice { file, host: &signs.host, company: &company, change };
        outbox::queue(tx, reader.recipient(), &Mail::Feed { notice, page: &page }, values::now()).await?;
    }
    Ok(())
}
