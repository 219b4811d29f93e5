//! Users: of one tenant, or of none; the e-mail address is unique whatever its case. What somebody may do to others ends
//! where they hold more than he does ([`kernel::grant`]), and nobody changes his own rights.

mod granting;
mod invitation;
pub(crate) mod lock_out;
pub mod lookup;
mod notice;
pub mod status;

use std::collections::HashMap;

use kernel::{
    Code, Database, Field, Instant, Listed, Owner, Permission, PermissionSet, Phrase, Recorded, Reference,
    Resource, Result, Scope, Scoped, TenantId, Unique, UserId, Validated, Violations, Write,
    audit::Action,
    fold, fold_email, grant, now,
    rule::{self, printable},
    scope::{Part, refuse_stale},
    search::{self, Searched},
    tidy,
};
use mail::{Kind, outbox};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    SqlErr,
};
use serde::Deserialize;
use tenancy::tenant::{self, Tenants};
use utoipa::ToSchema;
use validator::Validate;

pub use self::{
    granting::{Explained, explain},
    invitation::{invite, revoke_invitation},
    notice::{wanting, wanting_notices},
};
use self::{
    granting::{Held, check_rights, hold},
    lock_out::{end_sessions, lock_out},
};
pub use crate::entity::user::{Column, Entity as Users, ImportNotices, Model as User, Status};
use crate::{
    audit, email_change,
    entity::{
        user::ActiveModel,
        user_permission::{self, Entity as UserPermissions},
        user_role::{self, Entity as UserRoles},
    },
    link,
    patch::given,
    rights::{self, Holder},
    role::{self, Roles},
    token,
};

impl Scoped for Users {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::TenantOrPlatform(Column::TenantId);
}

impl Recorded for Users {
    const RESOURCE: &'static Resource =
        &Resource::new::<Self>("users", Phrase { de: "Benutzer", en: "users" }, Permission::ListUsers)
            .refers(&[Reference::of::<Self, Tenants>("tenant_id"), Reference::of::<Self, Roles>("role_id")]);
    const PERSONAL: &'static [Column] = &[Column::Name, Column::Email];
    const UNNOTED: &'static [Column] = &[Column::EmailKey];
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] = &[Unique::new("user_email_key_key", "email", Code::EmailTaken)];
}

impl Listed for Users {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold),
        Field::text("email", &Column::EmailFold),
        Field::search("search", &Column::NameFold, &SEARCHED),
        Field::choice("status", &Column::Status, Status::NAMES).unsorted(),
        Field::id("tenant_id", &Column::TenantId).optional(),
        Field::part_id("role_id", &user_role::Column::RoleId, &user_role::Column::UserId).optional(),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
}

/// People are looked for by their name or their address.
const SEARCHED: Searched = Searched {
    columns: &[&Column::NameFold, &Column::EmailFold],
    trigrams: None,
    references: &[],
    read: search::words,
    beginnings: None,
};

impl Part for UserRoles {
    type Whole = Users;
    const WHOLE: user_role::Column = user_role::Column::UserId;
}

impl Part for UserPermissions {
    type Whole = Users;
    const WHOLE: user_permission::Column = user_permission::Column::UserId;
}

/// What a client says to invite a user.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct UserInput {
    #[schema(min_length = 1, max_length = 255, example = "Eva Lindner")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Unique, whatever its case.
    #[schema(min_length = 1, max_length = 255, format = "email", example = "eva.lindner@nordstahl.example")]
    #[validate(length(min = 1, max = 255), custom(function = printable), custom(function = rule::email))]
    pub email: String,
    /// Whom he works for; `null` for the platform. A tenant's users invite into their own tenant only.
    #[schema(value_type = Option<i64>)]
    pub tenant_id: Option<TenantId>,
    /// Those of the platform or of his tenant. Who gives a role holds all its rights himself, also those that the tenant may
    /// not have today, or narrows what the user is left with.
    #[schema(max_items = 50)]
    #[validate(length(max = 50))]
    pub role_ids: Vec<i64>,
    /// Rights of these roles that he is left with; `null` for all of them.
    pub permissions: Option<Vec<Permission>>,
}

/// What a client says to change a user: what it leaves out stays.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct UserPatch {
    #[serde(default, deserialize_with = "given")]
    #[schema(nullable = false, min_length = 1, max_length = 255, example = "Eva Lindner")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: Option<String>,
    /// Ends his sessions.
    #[serde(default, deserialize_with = "given")]
    #[schema(
        nullable = false,
        min_length = 1,
        max_length = 255,
        format = "email",
        example = "eva.lindner@nordstahl.example"
    )]
    #[validate(length(min = 1, max = 255), custom(function = printable), custom(function = rule::email))]
    pub email: Option<String>,
    /// More rights than before end his sessions, as do those below.
    #[serde(default, deserialize_with = "given")]
    #[schema(nullable = false, max_items = 50)]
    #[validate(length(max = 50))]
    pub role_ids: Option<Vec<i64>>,
    /// Rights of his roles that he is left with.
    #[serde(default, deserialize_with = "given")]
    #[schema(nullable = false)]
    pub permissions: Option<Vec<Permission>>,
    /// `false`: he has all rights of his roles again.
    #[serde(default, deserialize_with = "given")]
    #[schema(nullable = false)]
    pub narrowed: Option<bool>,
    /// Whether he is kept from signing in; ends his sessions and personal access tokens.
    #[serde(default, deserialize_with = "given")]
    #[schema(nullable = false)]
    pub disabled: Option<bool>,
    /// The version that was edited; an older one than the current is refused.
    #[serde(default, deserialize_with = "given")]
    #[schema(nullable = false)]
    pub version: Option<i64>,
}

tidy!(UserInput: trim name, email;);
tidy!(UserPatch: trim name, email;);

/// A user with what he holds.
#[derive(Debug, Clone)]
pub struct UserDetail {
    pub user: User,
    /// As of now: an invitation may have expired.
    pub status: Status,
    /// The company of his tenant.
    pub tenant: Option<String>,
    /// By name.
    pub roles: Vec<(i64, String)>,
    /// The rights he is left with, where he is narrowed.
    pub chosen: Option<PermissionSet>,
    /// What he may do now.
    pub effective: PermissionSet,
    /// Until when his invitation can be accepted.
    pub invited_until: Option<Instant>,
    /// Whether the mail of his invitation could not be delivered.
    pub undelivered: bool,
    /// Whether the caller may change him: he holds nothing that the caller does not hold.
    pub writable: bool,
}

pub async fn get(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<UserDetail> {
    let user = scope.get::<Users>(db, id).await?;
    Ok(detailed(db, scope, vec![user]).await?.remove(0))
}

/// Creates a user who cannot sign in yet: an invitation lets him choose his password.
pub async fn create(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<UserInput>>,
) -> Result<UserDetail> {
    let (input, mut violations) = input.into().parts();
    let tx = db.begin().await?;
    let scope = &of_tenant(&tx, scope, input.tenant_id).await?;
    let tenant = scope.tenant().ok();
    let person = person(Some(input.name), Some(input.email));
    let roles = Held { role_ids: input.role_ids, chosen: input.permissions };
    check_rights(&mut violations, &tx, scope, tenant, &rights::Held::default(), &roles).await?;
    violations.check()?;
    let row = ActiveModel {
        password_hash: Set(None),
        status: Set(Status::NotInvited),
        narrowed: Set(roles.chosen.is_some()),
        language: Set(None),
        import_notices: Set(ImportNotices::Never),
        ..person
    };
    let user = scope.create::<Users>(&tx, row).await?;
    hold(&tx, scope, user.id, roles).await?;
    finish(tx, scope, user.id).await
}

/// Changes a user. A changed e-mail address is announced at both addresses, with links to the site at this address.
pub async fn change(
    db: &Database,
    scope: &Scope,
    id: i64,
    patch: impl Into<Validated<UserPatch>>,
    site: &str,
) -> Result<UserDetail> {
    let patch = patch.into();
    let tx = db.begin().await?;
    let before = within_reach(&tx, scope, id).await?;
    refuse_stale(patch.version, before.user.version)?;
    let (UserPatch { name, email, role_ids, permissions, narrowed, disabled, version }, mut violations) =
        patch.parts();
    let regrants = role_ids.is_some() || permissions.is_some() || narrowed.is_some();
    if (regrants || disabled.is_some()) && scope.user() == Some(UserId(id)) {
        return Err(Code::OwnRights.into());
    }
    let administered = before.user.tenant_id.is_none() && rights::is_administered(&tx).await?;
    let moved = email.as_deref().is_some_and(|email| fold_email(email) != before.user.email_key);

    let mut row = person(name, email);
    let roles = regrants.then(|| Held {
        role_ids: role_ids.unwrap_or_else(|| before.roles.iter().map(|(id, _)| *id).collect()),
        chosen: match (narrowed, permissions) {
            (Some(false), _) => None,
            (_, Some(permissions)) => Some(permissions),
            (_, None) => before.chosen.map(|chosen| chosen.iter().collect()),
        },
    });
    if let Some(roles) = &roles {
        let held = rights::held(&tx, &[Holder::from(&before.user)]).await?.remove(&id).unwrap_or_default();
        check_rights(&mut violations, &tx, scope, before.user.tenant_id, &held, roles).await?;
        row.narrowed = Set(roles.chosen.is_some());
    }
    violations.check()?;
    if let Some(disabled) = disabled {
        row.status = Set(match (disabled, &before.user.password_hash) {
            (true, _) => Status::Disabled,
            (false, Some(_)) => Status::Verified,
            (false, None) => Status::NotInvited,
        });
    }
    let updated = scope.update::<Users>(&tx, id, version, row).await?;
    if let Some(roles) = roles {
        hold(&tx, scope, id, roles).await?;
        // a session that somebody has stolen must not come to hold more
        if !rights::effective(&tx, Holder::from(&updated)).await?.is_subset(before.effective) {
            end_sessions(&tx, id).await?;
        }
    }
    if moved || disabled == Some(true) {
        lock_out(&tx, id).await?;
    }
    if moved {
        email_change::announce(&tx, scope, (&before.user, &updated), site, now()).await?;
    }
    if disabled == Some(true) {
        token::revoke_all(&tx, scope, id).await?;
    }
    rights::changed(&tx).await?;
    rights::keep_administered(&tx, administered).await?;
    finish(tx, scope, id).await
}

/// Deletes a user with his sessions and views. What he has made and what has happened keeps existing, without his name.
pub async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    let tx = db.begin().await?;
    let before = within_reach(&tx, scope, id).await?;
    if scope.user() == Some(UserId(id)) {
        return Err(Code::OwnRights.into());
    }
    let administered = before.user.tenant_id.is_none() && rights::is_administered(&tx).await?;
    scope.delete::<Users>(&tx, id).await?;
    audit::forget(&tx, id).await?;
    rights::changed(&tx).await?;
    rights::keep_administered(&tx, administered).await?;
    tx.commit().await
}

/// The scope of the tenant that a user is to work for.
async fn of_tenant(db: &impl ConnectionTrait, scope: &Scope, tenant: Option<TenantId>) -> Result<Scope> {
    let known = match (scope.home(), tenant) {
        (_, None) => true,
        (Some(home), Some(tenant)) => home == tenant,
        (None, Some(tenant)) => tenant::get(db, scope, tenant.0).await.is_ok(),
    };
    if known {
        Ok(scope.acting_for(tenant))
    } else {
        Err(Violations::of("tenant_id", Code::UnknownReference))
    }
}

/// A user whom the caller may change: nobody changes who holds more than he.
pub(crate) async fn within_reach(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<UserDetail> {
    let found = get(db, scope, id).await?;
    grant::reach(scope, found.effective)?;
    Ok(found)
}

fn person(name: Option<String>, email: Option<String>) -> ActiveModel {
    let mut row = ActiveModel { ..Default::default() };
    if let Some(name) = name {
        (row.name_fold, row.name) = (Set(fold(&name)), Set(name));
    }
    if let Some(email) = email {
        (row.email_key, row.email_fold, row.email) = (Set(fold_email(&email)), Set(fold(&email)), Set(email));
    }
    row
}

async fn finish(tx: Write, scope: &Scope, id: i64) -> Result<UserDetail> {
    let detail = get(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(detail)
}

/// Users with what they hold.
#[expect(clippy::disallowed_methods, reason = "parts of rows that the caller has found through his scope")]
pub async fn detailed(db: &impl ConnectionTrait, scope: &Scope, users: Vec<User>) -> Result<Vec<UserDetail>> {
    let tenants = users.iter().filter_map(|user| user.tenant_id);
    let companies: HashMap<TenantId, String> =
        tenant::companies(db, scope, tenants).await?.into_iter().collect();
    let holders: Vec<Holder> = users.iter().map(Holder::from).collect();
    let mut held = rights::held(db, &holders).await?;
    let role_ids = held.values().flat_map(|held| held.of_roles.iter().map(|(id, _)| *id));
    let roles = Roles::find().filter(role::Column::Id.is_in(role_ids)).order_by_asc(role::Column::NameFold);
    let roles = roles.all(db).await?;
    let invited = users.iter().filter(|user| user.status.is_invited()).map(|user| user.id);
    let links = link::invitations(db, invited.clone(), now()).await?;
    let undelivered = outbox::undelivered(db, invited, Kind::Invitation).await?;
    let detail = |user: User| {
        let held = held.remove(&user.id).unwrap_or_default();
        let own = |role: &&role::Role| held.of_roles.iter().any(|(id, _)| *id == role.id);
        let invited_until = links.get(&user.id).copied();
        UserDetail {
            status: match user.status {
                status if status.is_invited() && invited_until.is_none() => Status::InvitationExpired,
                status => status,
            },
            tenant: user.tenant_id.and_then(|tenant| companies.get(&tenant).cloned()),
            roles: roles.iter().filter(own).map(|role| (role.id, role.name.clone())).collect(),
            chosen: held.chosen,
            invited_until,
            undelivered: user.status == Status::InvitationPending && undelivered.contains(&user.id),
            effective: held.effective(),
            writable: held.effective().is_subset(scope.rights()),
            user,
        }
    };
    Ok(users.into_iter().map(detail).collect())
}

/// An account that is made without anybody's doing: the first administrator, those of the demo.
#[derive(Debug, Clone, Validate)]
pub struct Account {
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    #[validate(length(min = 1, max = 255), custom(function = printable), custom(function = rule::email))]
    pub email: String,
    pub tenant_id: Option<TenantId>,
    pub role_ids: Vec<i64>,
    /// `None`: he sets it by a one-time link.
    pub password_hash: Option<String>,
}

tidy!(Account: trim name, email;);

/// Makes an account. Only the platform does so.
#[expect(clippy::disallowed_methods, reason = "users without tenant are owned by nobody")]
pub async fn enroll(db: &Database, scope: &Scope, input: impl Into<Validated<Account>>) -> Result<User> {
    if !scope.is_platform() {
        return Err(Code::PlatformOnly.into());
    }
    let input = input.into().valid()?;
    let tx = db.begin().await?;
    let now = now();
    let status = if input.password_hash.is_some() { Status::Verified } else { Status::NotInvited };
    let row = ActiveModel {
        tenant_id: Set(input.tenant_id),
        name_fold: Set(fold(&input.name)),
        name: Set(input.name),
        email_key: Set(fold_email(&input.email)),
        email_fold: Set(fold(&input.email)),
        email: Set(input.email),
        password_hash: Set(input.password_hash),
        status: Set(status),
        narrowed: Set(false),
        language: Set(None),
        import_notices: Set(ImportNotices::Never),
        version: Set(1),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    };
    let user = row.insert(&tx).await.map_err(|error| match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => Violations::of("email", Code::EmailTaken),
        _ => error.into(),
    })?;
    if !input.role_ids.is_empty() {
        let roles = input
            .role_ids
            .into_iter()
            .map(|role_id| user_role::ActiveModel { user_id: Set(user.id), role_id: Set(role_id) });
        user_role::Entity::insert_many(roles).exec_without_returning(&tx).await?;
    }
    scope.note::<Users>(&tx, Action::Created, None, Some(&user));
    rights::changed(&tx).await?;
    tx.commit().await?;
    Ok(user)
}
