//! Log of changed articles for each version of a part of a tenant's prices. A compiled value is brought from
//! one version to another by reading only these articles.
//!
//! A write that does not name its articles, or changes too many, logs nothing. The missing version is
//! detected, and the part is compiled from scratch. The same happens after a write of a process whose program
//! version has no log.

use std::collections::{BTreeSet, HashMap, hash_map::Entry};

use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement, Value};
use serde_json::json;
use values::{
    clock::{Instant, now},
    error::Result,
};

use super::{ALL_TENANTS, ChangedArticles, OutdatedPrices, PricePart, PriceVersions};

/// Maximum number of articles that a write logs for a part.
const LOGGED_MAX: usize = 2_000;

/// Maximum number of articles of a part that are worth reading one by one.
const ARTICLES_MAX: usize = 10_000;

/// Maximum number of versions of a part that are read from the log.
const VERSIONS_MAX: i64 = 2_000;

/// Number of parts in one statement.
const PARTS: usize = 100;

/// Number of rows in one statement.
const ROWS: usize = 1_000;

/// Hours after which a row of the log is deleted.
const KEPT_HOURS: i64 = 6;

/// Logs the changed articles of the versions that were just raised.
pub(super) async fn write(
    tx: &impl ConnectionTrait,
    parts: &OutdatedPrices,
    versions: &[QueryResult],
) -> Result<()> {
    let articles: HashMap<(i64, i64), &BTreeSet<i64>> = parts
        .iter()
        .filter_map(|((tenant, part), articles)| match articles {
            ChangedArticles::These(articles) if articles.len() <= LOGGED_MAX => {
                Some(((tenant.map_or(ALL_TENANTS, i64::from), i64::from(*part)), articles))
            }
            _ => None,
        })
        .collect();
    let mut rows: Vec<[Value; 5]> = Vec::new();
    for row in versions {
        let key: (i64, i64) = (row.try_get("", "tenant_id")?, row.try_get("", "part")?);
        if let Some(articles) = articles.get(&key) {
            let version: i64 = row.try_get("", "version")?;
            rows.push([key.0.into(), key.1.into(), version.into(), json!(articles).into(), now().into()]);
        }
    }
    for rows in rows.chunks(ROWS) {
        let places: Vec<_> = (0..rows.len())
            .map(|row| 5 * row)
            .map(|at| format!("(${}, ${}, ${}, ${}, ${})", at + 1, at + 2, at + 3, at + 4, at + 5))
            .collect();
        let sql = format!(
            "INSERT INTO price_change (tenant_id, part, version, articles, written_at) VALUES {}",
            places.join(", ")
        );
        let values = rows.iter().flatten().cloned();
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await?;
    }
    Ok(())
}

/// Deletes old rows of the log. Values of older versions are then compiled from scratch.
pub async fn clean_up(tx: &impl ConnectionTrait, now: Instant) -> Result<()> {
    let sql = "DELETE FROM price_change WHERE written_at < $1";
    let before = now - chrono::TimeDelta::hours(KEPT_HOURS);
    tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, [before.into()])).await?;
    Ok(())
}

/// Changed parts of a tenant's prices between two versions, with their changed articles.
#[derive(Debug, Default)]
pub struct PriceChanges(HashMap<i64, ChangedArticles>);

impl PriceChanges {
    /// True if the rules of prices have changed.
    pub fn rules(&self) -> bool {
        self.0.contains_key(&PricePart::Rules.into())
    }

    /// Changed articles of the stocks; `None` if nothing has changed.
    pub fn in_stocks(&self) -> Option<&ChangedArticles> {
        self.0.get(&PricePart::Stocks.into())
    }

    /// Changed articles of a price list; `None` if nothing has changed.
    pub fn in_list(&self, list: i64) -> Option<&ChangedArticles> {
        // a write that names no list names no articles either
        let lists = self.0.get(&PricePart::Lists.into());
        lists.or_else(|| self.0.get(&PricePart::List(list).into()))
    }
}

/// Part whose version has been raised.
struct ChangedPart {
    tenant: i64,
    part: i64,
    from: i64,
    to: i64,
}

impl PriceVersions {
    /// Changes since older versions. These versions and the log must be read in one snapshot.
    pub async fn changes_since(&self, db: &impl ConnectionTrait, older: &Self) -> Result<PriceChanges> {
        let mut changes = PriceChanges::default();
        let mut changed_parts = Vec::new();
        for ((tenant, part), to) in &self.0 {
            let from = older.0.get(&(*tenant, *part)).copied().unwrap_or_default();
            if from == *to {
                continue;
            }
            let is_logged =
                [PricePart::Rules, PricePart::Lists].into_iter().all(|kind| i64::from(kind) != *part);
            if is_logged && (1..=VERSIONS_MAX).contains(&(to - from)) {
                changes.add(*part, ChangedArticles::These(BTreeSet::new()));
                changed_parts.push(ChangedPart { tenant: *tenant, part: *part, from, to: *to });
            } else {
                changes.add(*part, ChangedArticles::Any);
            }
        }
        for batch in changed_parts.chunks(PARTS) {
            changes.read(db, batch).await?;
        }
        for articles in changes.0.values_mut() {
            if matches!(articles, ChangedArticles::These(articles) if articles.len() > ARTICLES_MAX) {
                *articles = ChangedArticles::Any;
            }
        }
        Ok(changes)
    }
}

impl PriceChanges {
    fn add(&mut self, part: i64, articles: ChangedArticles) {
        match self.0.entry(part) {
            Entry::Occupied(mut entry) => entry.get_mut().add(articles),
            Entry::Vacant(free) => {
                free.insert(articles);
            }
        }
    }

    /// Adds the articles of these parts, or `Any` if a version is missing in the log.
    async fn read(&mut self, db: &impl ConnectionTrait, parts: &[ChangedPart]) -> Result<()> {
        let conditions: Vec<_> = (0..parts.len())
            .map(|part| 4 * part)
            .map(|at| {
                let (tenant, part, from, to) = (at + 1, at + 2, at + 3, at + 4);
                format!(
                    "(tenant_id = ${tenant} AND part = ${part} AND version > ${from} AND version <= ${to})"
                )
            })
            .collect();
        let sql =
            format!("SELECT tenant_id, part, articles FROM price_change WHERE {}", conditions.join(" OR "));
        let values = parts.iter().flat_map(|part| [part.tenant, part.part, part.from, part.to]);
        let values = values.map(Value::from);
        let rows =
            db.query_all_raw(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).await?;
        let mut versions: HashMap<(i64, i64), i64> = HashMap::new();
        for row in &rows {
            let (tenant, part): (i64, i64) = (row.try_get("", "tenant_id")?, row.try_get("", "part")?);
            *versions.entry((tenant, part)).or_default() += 1;
            let articles: serde_json::Value = row.try_get("", "articles")?;
            let articles =
                serde_json::from_value(articles).map_err(|error| DbErr::Json(error.to_string()))?;
            self.add(part, ChangedArticles::These(articles));
        }
        for ChangedPart { tenant, part, from, to } in parts {
            if versions.get(&(*tenant, *part)).copied().unwrap_or_default() != to - from {
                self.add(*part, ChangedArticles::Any);
            }
        }
        Ok(())
    }
}
