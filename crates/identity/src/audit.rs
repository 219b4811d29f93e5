//! History of changes, sign-ins and similar events, as recorded by [`store::audit`]. Users with the
//! permission read that of their own tenant, platform users everything.

use lists::{Field, Listed};
use sea_orm::{
    ActiveModelTrait,
    ActiveValue::Set,
    ColumnTrait, Condition, EntityTrait, IdenStatic, QueryFilter,
    sea_query::{Expr, ExprTrait, LikeExpr, SimpleExpr},
};
use serde_json::Value as Json;
use store::{
    Database, Owner, Recorded, Scope, Scoped, Write,
    audit::{Action, Change, Channel, HistoryEntry, RequestId},
    months::{Month, MonthColumn, MonthlyTable},
    past::KEPT,
    retention,
};
use values::{Instant, PermissionSet, Result, UserId};

pub use crate::entity::audit_entry::{Column, Entity as AuditEntries, Model as AuditEntry};
use crate::{
    entity::{
        audit_entry::ActiveModel,
        user::{Entity as Users, Model as User},
    },
    retention::ADDRESSES_KEPT,
    source::Source,
    user::lookup,
};

impl Scoped for AuditEntries {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::TenantOrPlatform(Column::TenantId);

    /// A platform user sees everything even while acting for a tenant, because most changes that concern it
    /// belong to the platform.
    fn visible_to(scope: &Scope) -> Condition {
        Condition::all().add_option(scope.home().map(|home| Column::TenantId.eq(home)))
    }
}

impl Listed for AuditEntries {
    const FIELDS: &'static [Field] = &[
        Field::resource("record", &Column::Record),
        Field::id("record_id", &Column::RecordId).optional(),
        Field::choice("action", &Column::Action, Action::NAMES).unsorted(),
        Field::choice("channel", &Column::Channel, Channel::NAMES).unsorted(),
        Field::id("user_id", &Column::UserId).optional(),
        Field::id("tenant_id", &Column::TenantId).optional(),
        Field::time("at", &Column::At),
        Field::key("request_id", &Column::Request, |id| {
            RequestId::parse(id).map_or_else(|| Expr::val(false), request_condition)
        }),
        // Not indexed: it filters the entries of one record, which are found by that record's index.
        Field::key(FIELD, &Column::Changes, changes_field),
    ];
    const DEFAULT_SORT: &'static str = "-at";
    /// Small chunks, because one entry may list thousands of parts.
    const CHUNK: usize = 40;
}

/// Filter by a changed field, within the entries of one record.
pub const FIELD: &str = "field";

/// Condition for entries in which a field has changed: its name is quoted in the changes, and in both sides
/// of an import's row.
fn changes_field(field: &str) -> SimpleExpr {
    let escaped = field.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    let pattern = LikeExpr::new(format!("%\"{escaped}\"%")).escape('\\');
    Expr::col(Column::Changes).cast_as("text").like(pattern)
}

/// Condition for the entries of a request; the time in its id narrows the search.
pub fn request_condition(request: RequestId) -> SimpleExpr {
    let Some((from, until)) = request.span() else { return Expr::val(false) };
    Column::At.between(from, until).and(Column::Request.eq(request.text()))
}

/// Records a sign-in or a failed attempt, with its user and source.
pub(crate) fn record_sign_in(tx: &Write, action: Action, user: Option<&User>, source: &Source) {
    let mut entry = match user {
        Some(user) => user_entry(action, user),
        None => HistoryEntry::new(action, "user", None),
    };
    if action == Action::SignInFailed {
        entry.user = None;
    }
    entry.channel = Channel::Session;
    entry.address = Some(source.address().to_owned());
    tx.note(entry);
}

/// Records a change that callers made to their own sessions.
pub(crate) async fn record_own_sessions(tx: &Write, action: Action, caller: i64) -> Result<()> {
    if let Some(user) = lookup::by_id(tx, caller).await? {
        tx.note(user_entry(action, &user));
    }
    Ok(())
}

/// Records an action that a user performed by a link from a mail.
pub(crate) fn record_by_link(tx: &Write, action: Action, user: &User) {
    tx.note(user_entry(action, user));
}

/// Records an action on a user by an unidentified person.
pub(crate) fn record_anonymous(tx: &Write, action: Action, user: &User) {
    let mut entry = user_entry(action, user);
    (entry.user, entry.channel) = (None, Channel::System);
    tx.note(entry);
}

/// Records a change that the owner of an account made by a link from a mail.
pub(crate) fn record_change_by_link(tx: &Write, before: &User, after: &User) {
    tx.note(change_entry(Action::Changed, before, after));
}

fn user_entry(action: Action, user: &User) -> HistoryEntry {
    change_entry(action, user, user)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the user has proved their identity, or the entry is about them"
)]
fn change_entry(action: Action, before: &User, after: &User) -> HistoryEntry {
    let own_scope = Scope::granted_by_authentication(
        after.tenant_id,
        None,
        Some(UserId(after.id)),
        PermissionSet::default(),
    );
    let entry = own_scope.ok().and_then(|scope| scope.entry::<Users>(action, Some(before), Some(after)));
    entry.unwrap_or_else(|| HistoryEntry::new(action, "user", Some(after.id)))
}

/// Anonymises a user in the history: entries stay, but name and addresses are deleted.
#[expect(clippy::disallowed_methods, reason = "the caller has just deleted the user through their scope")]
pub(crate) async fn forget(tx: &Write, user: i64) -> Result<()> {
    AuditEntries::update_many()
        .col_expr(Column::Address, Expr::value(""))
        .filter(Condition::any().add(Column::UserId.eq(user)).add(user_condition(user)))
        .filter(Column::Address.ne(""))
        .exec(tx)
        .await?;
    for entry in AuditEntries::find().filter(user_condition(user)).all(tx).await? {
        let mut changes: Vec<Change> =
            serde_json::from_value(entry.changes).map_err(values::Error::internal)?;
        let personal = |field: &str| Users::PERSONAL.iter().any(|column| column.as_str() == field);
        for change in changes.iter_mut().filter(|change| personal(&change.field)) {
            (change.from, change.to) = (Json::Null, Json::Null);
        }
        let row = ActiveModel {
            id: Set(entry.id),
            record_name: Set(String::new()),
            changes: Set(serde_json::to_value(changes).map_err(values::Error::internal)?),
            ..Default::default()
        };
        row.update(tx).await?;
    }
    Ok(())
}

const ENTRIES: MonthlyTable = MonthlyTable { name: "audit_entry", column: MonthColumn::Time, key: "id" };

/// Creates the partitions for future entries.
pub async fn prepare(db: &Database, now: Instant) -> Result<()> {
    ENTRIES.prepare(db, now).await
}

/// Deletes old history: whole months of entries, and single addresses.
#[expect(clippy::disallowed_methods, reason = "expiry concerns the rows of all users")]
pub async fn clean_up(db: &Database, now: Instant) -> Result<()> {
    prepare(db, now).await?;
    let older = |before, which| retention::oldest::<AuditEntries>(Column::Id, Column::At, before, which);
    let month = Month::at(now - KEPT);
    let old = Column::Id.in_subquery(older(month.start(), Condition::all()));
    ENTRIES.forget_before(db, month, &AuditEntries::delete_many().filter(old)).await?;
    // Same text as in the partial index.
    let has_address = Condition::all().add(Expr::cust("address <> ''"));
    let forgotten = AuditEntries::update_many()
        .col_expr(Column::Address, Expr::value(""))
        .filter(Column::Id.in_subquery(older(now - ADDRESSES_KEPT, has_address)));
    retention::in_batches(db, &forgotten).await
}

fn user_condition(user: i64) -> Condition {
    Condition::all().add(Column::Record.eq("user")).add(Column::RecordId.eq(user))
}
