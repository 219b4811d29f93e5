//! Rows of imports, of all tenants, that wait for numbers which are matched by now: the input of automatic
//! replays. They are read from committed data, so that a crash between a matching and the replay loses
//! nothing.

use std::collections::BTreeMap;

use imports::import_type::ImportType;
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement};
use store::Database;
use values::{FeedId, Instant, Principal, Result, TenantId, UserId};

/// Number of external numbers that are read in one statement.
const NUMBERS_AT_ONCE: usize = 5_000;

/// Matched numbers, with waiting rows that a user has uploaded or a feed has fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedNumbers {
    pub tenant: TenantId,
    pub principal: Principal,
    /// Type of the rows, if they come from a feed.
    pub r#type: Option<ImportType>,
    pub numbers: Vec<i64>,
}

/// Position among the matched numbers, which are sorted by tenant and id. The default is before the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Position {
    pub tenant: i64,
    /// Id of the number.
    pub number: i64,
}

/// Page of matched numbers, and the start of the next page.
#[derive(Debug, Default)]
pub struct Page {
    pub numbers: Vec<MatchedNumbers>,
    /// Position after which the next page starts; `None` at the end.
    pub next: Option<Position>,
}

/// Time of the last change of any matching.
pub async fn last_change(db: &Database) -> Result<Option<Instant>> {
    let sql = "SELECT max(updated_at) AS changed FROM matching";
    let row = db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await?;
    Ok(row.map(|row| row.try_get("", "changed")).transpose()?.flatten())
}

/// Returns the matched numbers after a position, in their order.
pub async fn matched_numbers(db: &Database, after: Position) -> Result<Page> {
    let limit = i64::try_from(NUMBERS_AT_ONCE).unwrap_or(i64::MAX);
    let values = [after.tenant.into(), after.number.into(), limit.into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), matched_sql(), values);
    let mut numbers_by_owner: BTreeMap<(TenantId, Principal, Option<String>), Vec<i64>> = BTreeMap::new();
    let rows = db.query_all_raw(statement).await?;
    for row in &rows {
        let user: Option<i64> = row.try_get("", "created_by")?;
        let principal = match user {
            Some(user) => Principal::User(UserId(user)),
            None => Principal::Feed(FeedId(row.try_get("", "feed_id")?)),
        };
        let owner = (TenantId(row.try_get("", "tenant_id")?), principal, row.try_get("", "type")?);
        numbers_by_owner.entry(owner).or_default().push(row.try_get("", "id")?);
    }
    let position = |row: &QueryResult| {
        Ok::<_, DbErr>(Position { tenant: row.try_get("", "tenant_id")?, number: row.try_get("", "id")? })
    };
    let next = match (rows.first(), rows.last()) {
        (Some(first), Some(last)) if rows.len() >= NUMBERS_AT_ONCE => {
            let end = position(last)?;
            // Rows of further users and feeds may wait for the last number.
            let is_cut = position(first)? != end;
            Some(Position { number: if is_cut { end.number - 1 } else { end.number }, ..end })
        }
        _ => None,
    };
    let numbers = numbers_by_owner.into_iter().map(|((tenant, principal, name), numbers)| {
        let r#type = name.as_deref().and_then(ImportType::parse);
        MatchedNumbers { tenant, principal, r#type, numbers }
    });
    Ok(Page { numbers: numbers.collect(), next })
}

/// Query of matched numbers. Rows of an automatic replay count only if the matching has changed since, so
/// that no replay causes itself.
fn matched_sql() -> String {
    let matched_condition = |kind: &str, column: &str| {
        format!(
            "(n.kind = '{kind}' AND EXISTS (SELECT 1 FROM matching m WHERE m.tenant_id = n.tenant_id \
             AND m.{column} = n.number_fold AND m.{column} <> '' \
             AND (i.replay_cause IS NULL OR i.replay_cause <> 'automatic' OR m.updated_at > i.created_at)))"
        )
    };
    format!(
        "SELECT DISTINCT n.tenant_id, n.id, i.created_by, i.feed_id, \
         CASE WHEN i.feed_id IS NOT NULL THEN i.type END AS type FROM unresolved_number n \
         JOIN unresolved_row r ON r.tenant_id = n.tenant_id AND r.unresolved_number_id = n.id \
         JOIN import i ON i.tenant_id = n.tenant_id AND i.id = r.import_id \
         WHERE (n.tenant_id, n.id) > ($1, $2) AND n.state = 'open' AND ({}) \
         AND (i.created_by IS NOT NULL OR i.feed_id IS NOT NULL) \
         ORDER BY n.tenant_id, n.id, i.created_by, i.feed_id, type LIMIT $3",
        [
            matched_condition("article", "external_article_number_fold"),
            matched_condition("warehouse", "external_warehouse_identifier_fold"),
            matched_condition("tenant", "external_tenant_identifier_fold"),
        ]
        .join(" OR ")
    )
}
