//! Start and end of incidents, each recorded by the one process that comes first.

use std::collections::HashMap;

use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter,
    QuerySelect, QueryTrait, sea_query::OnConflict,
};
use store::{Scope, Write};
use values::{Instant, Result};

use super::{
    Light,
    incident_entity::{ActiveModel, Column, Entity as Incidents, Model as Incident},
};
use crate::{
    run::Feed,
    settings::{Column as SettingsColumn, FtpSettingsTable},
};

/// Start or end of an incident that is reported to its tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IncidentChange {
    Began(Light),
    Ended { began_at: Instant },
}

/// The open incidents of these settings, by feed.
#[expect(clippy::disallowed_methods, reason = "of settings that the caller has found")]
pub async fn open_incidents(
    db: &impl ConnectionTrait,
    settings_ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<Feed, Incident>> {
    let incidents = Incidents::find().filter(Column::SettingsId.is_in(settings_ids)).all(db).await?;
    let feed = |incident: &Incident| Feed {
        tenant: incident.tenant_id,
        settings_id: incident.settings_id,
        kind: incident.kind,
    };
    Ok(incidents.into_iter().map(|incident| (feed(&incident), incident)).collect())
}

/// Records the light of a feed. `None` if its incident continues, if there is none, or if another process was
/// first. A pause ends an incident without a notice.
#[expect(clippy::disallowed_methods, reason = "a row that the program writes for a feed that it has found")]
pub async fn record_light(
    tx: &Write,
    feed: Feed,
    open: Option<&Incident>,
    light: Light,
    now: Instant,
) -> Result<Option<IncidentChange>> {
    match (open, light) {
        (None, Light::Broken | Light::Late) => {
            let row = ActiveModel {
                tenant_id: Set(feed.tenant),
                settings_id: Set(feed.settings_id),
                kind: Set(feed.kind),
                light: Set(light),
                began_at: Set(now),
            };
            let key = [Column::TenantId, Column::SettingsId, Column::Kind];
            let on_conflict = OnConflict::columns(key).do_nothing().to_owned();
            let inserted = Incidents::insert(row).on_conflict(on_conflict).exec_without_returning(tx).await?;
            Ok((inserted > 0).then_some(IncidentChange::Began(light)))
        }
        (Some(open), Light::Green | Light::Paused) => {
            let this = Condition::all()
                .add(Column::TenantId.eq(feed.tenant))
                .add(Column::SettingsId.eq(feed.settings_id))
                .add(Column::Kind.eq(feed.kind));
            let deleted = Incidents::delete_many().filter(this).exec(tx).await?.rows_affected;
            let is_reported = deleted > 0 && light == Light::Green;
            Ok(is_reported.then_some(IncidentChange::Ended { began_at: open.began_at }))
        }
        _ => Ok(None),
    }
}

/// The number of open incidents that the caller sees, at most `max`.
#[expect(clippy::disallowed_methods, reason = "of settings that the caller sees")]
pub async fn count_open(db: &impl ConnectionTrait, scope: &Scope, max: u64) -> Result<u64> {
    let visible = scope.find::<FtpSettingsTable>().select_only().column(SettingsColumn::Id);
    let open = Incidents::find().filter(Column::SettingsId.in_subquery(visible.into_query()));
    Ok(open.count(db).await?.min(max))
}

/// Deletes the incidents of deleted settings.
#[expect(clippy::disallowed_methods, reason = "the settings of all tenants are looked at")]
pub async fn delete_orphaned(tx: &Write) -> Result<()> {
    let existing = FtpSettingsTable::find().select_only().column(SettingsColumn::Id).into_query();
    Incidents::delete_many().filter(Column::SettingsId.not_in_subquery(existing)).exec(tx).await?;
    Ok(())
}
