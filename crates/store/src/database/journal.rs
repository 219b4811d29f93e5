//! Storage of a transaction's history entries at its end.

use values::{
    clock::{Instant, now},
    codes,
    error::{Error, Result},
};

use super::Write;
use crate::{
    audit::{Action, HistoryEntry, Journal, RequestId},
    bulk::Rows,
    versioned_cache::{self, CacheTopic},
};

impl Journal {
    /// Stores the noted entries, if the topic still has the required version.
    pub(super) async fn store(self, tx: &Write, required: Option<(CacheTopic, i64)>) -> Result<()> {
        let at: Instant = now();
        let noted = self.noted.into_iter().chain(self.summaries);
        let noted = noted.map(|entry| (entry.changes(), entry));
        let noted: Vec<_> =
            noted.filter(|(changes, entry)| entry.action != Action::Changed || !changes.is_empty()).collect();
        if noted.is_empty() {
            return match required {
                Some((topic, version)) if versioned_cache::current(tx, topic).await? != version => {
                    Err(codes::STALE.into())
                }
                _ => Ok(()),
            };
        }
        let texts =
            |text: fn(&HistoryEntry) -> String| noted.iter().map(|(_, entry)| text(entry).into()).collect();
        let ids =
            |id: fn(&HistoryEntry) -> Option<i64>| noted.iter().map(|(_, entry)| id(entry).into()).collect();
        let changes = noted.iter().map(|(changes, _)| Ok(serde_json::to_value(changes)?.into()));
        let changes = changes.collect::<Result<_, serde_json::Error>>().map_err(Error::internal)?;
        let mut rows = Rows::default();
        rows.with("action", texts(|entry| entry.action.name().to_owned()))?;
        rows.with("record", texts(|entry| entry.record.to_owned()))?;
        rows.with("record_id", ids(|entry| entry.record_id))?;
        rows.with("record_name", texts(|entry| entry.name.clone().unwrap_or_default()))?;
        rows.with("tenant_id", ids(|entry| entry.tenant.map(i64::from)))?;
        rows.with("user_id", ids(|entry| entry.user.map(i64::from)))?;
        rows.with("channel", texts(|entry| entry.channel.name().to_owned()))?;
        rows.with("channel_id", ids(|entry| entry.channel.id()))?;
        rows.with("address", texts(|entry| entry.address.clone().unwrap_or_default()))?;
        rows.with("request", texts(|entry| entry.request.map(RequestId::text).unwrap_or_default()))?;
        rows.with("undoes", ids(|entry| entry.undoes))?;
        rows.with("changes", changes)?;
        rows.with("at", vec![at.into(); noted.len()])?;
        // one statement checks the version and inserts
        let unchanged = required.map(|(topic, version)| {
            let topic = topic.name();
            format!("AND (SELECT version FROM kept_version WHERE topic = '{topic}') = {version}")
        });
        let rest = format!("{} RETURNING id", unchanged.unwrap_or_default());
        let tenant = noted.first().and_then(|(_, first)| first.tenant);
        let tenant = tenant.filter(|_| noted.iter().all(|(_, entry)| entry.tenant == tenant));
        let inserted = rows.insert(&tx.for_tenant(tenant), "audit_entry", &rest).await?;
        if inserted.is_empty() { Err(codes::STALE.into()) } else { Ok(()) }
    }
}
