//! What was changed, by whom and by which way, as [`kernel::audit`] has noted it: read by those who may, of their own
//! tenant or, on the platform, of everything.

use kernel::{
    Field, Listed, Owner, PermissionSet, Scope, Scoped, Write,
    audit::{Action, Channel, Entry},
};
use sea_orm::{ColumnTrait, Condition};

pub use crate::entity::audit_entry::{Column, Entity as AuditEntries, Model as AuditEntry};
use crate::{
    throttle::Source,
    user::{User, Users},
};

/// The tables whose records have entries.
pub const RECORDS: &[&str] = &[
    "article",
    "article_type",
    "article_type_group",
    "attribute",
    "category",
    "import",
    "material",
    "personal_access_token",
    "processing",
    "role",
    "saved_view",
    "tenant",
    "tenant_group",
    "trade_dimension",
    "user",
];

impl Scoped for AuditEntries {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::TenantOrPlatform(Column::TenantId);

    /// The tenant that a platform user acts for does not narrow what he sees: most of what concerns it is the platform's.
    fn visible_to(scope: &Scope) -> Condition {
        Condition::all().add_option(scope.home().map(|home| Column::TenantId.eq(home)))
    }
}

impl Listed for AuditEntries {
    const FIELDS: &'static [Field] = &[
        Field::choice("record", &Column::Record, RECORDS).unsorted(),
        Field::id("record_id", &Column::RecordId),
        Field::choice("action", &Column::Action, Action::NAMES).unsorted(),
        Field::choice("channel", &Column::Channel, Channel::NAMES).unsorted(),
        Field::id("user_id", &Column::UserId),
        Field::id("tenant_id", &Column::TenantId),
        Field::time("at", &Column::At),
    ];
    const DEFAULT_SORT: &'static str = "-at";
}

/// Notes that somebody has signed in or has tried to, as whom, and from where.
pub(crate) fn sign_in(tx: &Write, action: Action, user: Option<&User>, source: &Source) {
    let mut entry = match user {
        Some(user) => of_user(action, user),
        None => Entry::new(action, "user", None),
    };
    if action == Action::SignInFailed {
        entry.user = None;
    }
    entry.channel = Channel::Session;
    entry.address = Some(source.address().to_owned());
    tx.note(entry);
}

/// Notes what somebody has done by a link that was sent to him.
pub(crate) fn by_link(tx: &Write, action: Action, user: &User) {
    tx.note(of_user(action, user));
}

/// Notes what somebody has done to a user without saying who he is.
pub(crate) fn by_anybody(tx: &Write, action: Action, user: &User) {
    let mut entry = of_user(action, user);
    (entry.user, entry.channel) = (None, Channel::System);
    tx.note(entry);
}

#[expect(clippy::disallowed_methods, reason = "he has proved who he is, or it is said of him")]
fn of_user(action: Action, user: &User) -> Entry {
    let himself =
        Scope::granted_by_authentication(user.tenant_id, None, Some(user.id), PermissionSet::default());
    let entry = himself.ok().and_then(|himself| himself.entry::<Users>(action, Some(user), Some(user)));
    entry.unwrap_or_else(|| Entry::new(action, "user", Some(user.id)))
}
