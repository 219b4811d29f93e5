//! Scope: the only way to rows, created by authentication alone. It decides which rows a caller may access.

pub mod history_fields;
pub mod many;
mod outdated;
mod owner;
mod parts;
mod positions;
mod reading;
pub mod resource;
mod summary;

use sea_orm::{
    ActiveModelBehavior, ActiveModelTrait, ActiveValue, ColumnTrait, Condition, ConnectionTrait, DbErr,
    EntityTrait, ExprTrait, IdenStatic, IntoActiveModel, Iterable, ModelTrait, PrimaryKeyTrait, QueryFilter,
    sea_query::{Expr, SimpleExpr},
};
use values::{
    Code, Error, Instant, Permission, PermissionSet, Principal, Result, TenantId, UserId, Violations, codes,
    in_use::Usages, natural::sort_key, now,
};

use self::owner::owner_of;
pub(crate) use self::owner::tenant_of;
use self::resource::Resource;
pub use self::{owner::Owner, parts::Part};
use crate::{
    audit::{self, Action, Channel, HistoryEntry, RequestId, UndoInProgress},
    constraint,
    database::Write,
    deleted_record::{NumberedColumns, NumberedTable},
    versioned_cache::{CacheTopic, PriceRole, Versions},
};

/// Companies that a tenant's users can find and name as trading partners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PartnerCircle {
    /// All companies of the platform.
    #[default]
    Everyone,
    /// Members of the groups to which their own company belongs.
    SharedGroups,
}

/// Caller with their tenant and permissions, which decide on the rows that may be read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    home: Option<TenantId>,
    partners: PartnerCircle,
    tenant: Option<TenantId>,
    principal: Option<Principal>,
    channel: Channel,
    rights: PermissionSet,
    versions: Versions,
    request: Option<RequestId>,
    undoing: Option<UndoInProgress>,
}

/// Table whose rows are accessed through a [`Scope`].
pub trait Scoped: EntityTrait<PrimaryKey: PrimaryKeyTrait<ValueType = i64>> {
    const ID: Self::Column;
    const OWNER: Owner<Self::Column>;

    /// Condition for the rows that a caller may see.
    fn visible_to(scope: &Scope) -> Condition {
        scope.own::<Self>()
    }

    /// Columns with another value for this caller than for the row's owner. Rows, filters, sorts and names
    /// all read them in this form ([`Scope::column`]).
    fn substitutes(_: &Scope) -> Vec<(Self::Column, SimpleExpr)> {
        Vec::new()
    }
}

/// Table whose rows are written through a [`Scope`], which increments their versions and notes every change
/// ([`crate::audit`]).
pub trait Recorded: Scoped {
    /// Declaration of the resource, which must also be in the list of all resources.
    const RESOURCE: &'static Resource;
    /// Column with the name of a row for people.
    const NAME: Self::Column;
    /// Column with the version of a row; a change that is based on an older version is refused.
    const VERSION: Self::Column;
    const CREATED_AT: Self::Column;
    const UPDATED_AT: Self::Column;
    /// Topic of the cached values that are compiled from the rows and their parts.
    const TOPIC: Option<CacheTopic> = None;
    /// Role of the rows in the compiled prices of each tenant ([`crate::versioned_cache::prices_version`]), if
    /// any.
    const PRICES: Option<PriceRole<Self::Column>> = None;
    /// Column that numbers changes ([`NumberedColumns`]): every write clears it until the change is numbered.
    const NUMBERED: Option<NumberedColumns<Self::Column>> = None;
    /// Unique indexes, and the fields at which a duplicate is reported.
    const UNIQUE: &'static [Unique] = &[];
    /// Columns whose changes are not noted, because other notes imply them.
    const UNNOTED: &'static [Self::Column] = &[];
    /// JSON columns whose changes are noted as a whole, not key by key.
    const WHOLE: &'static [Self::Column] = &[];
    /// Columns with personal data, which is deleted with the row, also from its history.
    const PERSONAL: &'static [Self::Column] = &[];

    /// Deletes the parts of a row that is about to be deleted, so that they are noted in its history.
    fn remove_parts(_: &Scope, _: &Write, _: i64) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }
}

/// Unique index, and the error for a row that violates it.
#[derive(Debug, Clone, Copy)]
pub struct Unique {
    /// Name of the index, built from the table and its columns.
    pub key: &'static str,
    /// Field of the input.
    pub field: &'static str,
    pub code: Code,
    /// Name that follows from the columns, where it is too long for an index: SQLite reports the columns.
    by_columns: Option<&'static str>,
}

impl Unique {
    /// Creates the description of the unique key `key`; its violation is reported at `field` with `code`.
    pub const fn new(key: &'static str, field: &'static str, code: Code) -> Self {
        Self { key, field, code, by_columns: None }
    }

    /// Sets the name that follows from the columns.
    #[must_use]
    pub const fn over(self, by_columns: &'static str) -> Self {
        Self { by_columns: Some(by_columns), ..self }
    }

    /// True if a violation ([`constraint::violated_key`]) is one of this index.
    fn is(&self, violated: &str) -> bool {
        self.key == violated || self.by_columns == Some(violated)
    }
}

const ROWS_PER_INSERT: usize = 500;

impl Scope {
    /// Creates the scope of a caller: their own tenant (`home`, `None` for platform administrators), the
    /// tenant for which they act, the user and their permissions. A tenant's user acts for their own tenant
    /// only.
    pub fn granted_by_authentication(
        home: Option<TenantId>,
        chosen: Option<TenantId>,
        user: Option<UserId>,
        rights: PermissionSet,
    ) -> Result<Self> {
        match (home, chosen) {
            (Some(home), Some(chosen)) if home != chosen => Err(codes::TENANT_MISMATCH.into()),
            _ => {
                let channel = if user.is_some() { Channel::Session } else { Channel::System };
                let tenant = home.or(chosen);
                let mut scope = Self { rights, ..Self::platform() };
                (scope.home, scope.tenant, scope.channel) = (home, tenant, channel);
                scope.principal = user.map(Principal::User);
                Ok(scope)
            }
        }
    }

    /// Creates the scope of a feed or an external API of a tenant.
    pub fn granted_to_source(tenant: TenantId, source: Principal, rights: PermissionSet) -> Self {
        let channel = match source {
            Principal::User(_) => Channel::Session,
            Principal::Feed(feed) => Channel::Feed(feed),
            Principal::ExternalApi(api) => Channel::ExternalApi(api),
        };
        let (home, principal) = (Some(tenant), Some(source));
        Self { home, tenant: home, principal, channel, rights, ..Self::platform() }
    }

    /// Sets the channel; the default is a session.
    #[must_use]
    pub fn through(self, channel: Channel) -> Self {
        Self { channel, ..self }
    }

    /// Sets the versions that cached values must have at least.
    #[must_use]
    pub fn knowing(self, versions: Versions) -> Self {
        Self { versions, ..self }
    }

    /// Sets the companies that the caller finds as trading partners.
    #[must_use]
    pub fn with_partners(self, partners: PartnerCircle) -> Self {
        Self { partners, ..self }
    }

    /// Sets the request to which the writes belong.
    #[must_use]
    pub fn within(self, request: RequestId) -> Self {
        Self { request: Some(request), ..self }
    }

    /// Sets the history entry that the writes undo.
    #[must_use]
    pub fn undoing(self, undoing: UndoInProgress) -> Self {
        Self { undoing: Some(undoing), ..self }
    }

    /// Unrestricted scope: start-up, demo data, tests.
    pub fn platform() -> Self {
        Self {
            home: None,
            partners: PartnerCircle::default(),
            tenant: None,
            principal: None,
            channel: Channel::System,
            rights: PermissionSet::all(),
            versions: Versions::default(),
            request: None,
            undoing: None,
        }
    }

    /// Returns the scope acting for another tenant, or for none; a tenant's user always acts for their own.
    #[must_use]
    pub fn acting_for(&self, tenant: Option<TenantId>) -> Self {
        Self { tenant: self.home.or(tenant), ..*self }
    }

    /// Tenant for which the caller acts.
    pub fn tenant(&self) -> Result<TenantId> {
        self.tenant.ok_or_else(|| codes::TENANT_REQUIRED.into())
    }

    /// Tenant to which the caller belongs.
    pub fn home(&self) -> Option<TenantId> {
        self.home
    }

    /// Companies that the caller finds as trading partners.
    pub fn partners(&self) -> PartnerCircle {
        self.partners
    }

    /// Import whose rows are written.
    pub fn import(&self) -> Option<i64> {
        match self.channel {
            Channel::Import(import) => Some(import),
            _ => None,
        }
    }

    /// True if the caller is a program with a personal access token.
    pub fn is_of_token(&self) -> bool {
        matches!(self.channel, Channel::Token(_))
    }

    /// User, feed or external API that acts; `None` for the system.
    pub fn principal(&self) -> Option<Principal> {
        self.principal
    }

    /// Id of the calling user; `None` for feeds, external APIs and the system.
    pub fn user(&self) -> Option<UserId> {
        self.principal.and_then(Principal::user)
    }

    /// Versions that cached values must have at least, if the request has read them.
    pub fn versions(&self) -> Versions {
        self.versions
    }

    /// Permissions of the caller.
    pub fn rights(&self) -> PermissionSet {
        self.rights
    }

    /// True if the caller has a permission beyond the one that the operation requires.
    pub fn may(&self, permission: Permission) -> bool {
        self.rights.contains(permission)
    }

    /// Refuses callers without this permission.
    pub fn demand(&self, permission: Permission) -> Result<()> {
        if self.may(permission) {
            return Ok(());
        }
        Err(codes::FORBIDDEN.with("permission", permission.as_str()).into())
    }

    /// True if the caller belongs to no tenant.
    pub fn is_platform(&self) -> bool {
        self.home.is_none()
    }

    /// Refuses callers who may not write rows of this table.
    pub fn claim<E: Scoped>(&self) -> Result<()> {
        match E::OWNER {
            Owner::Platform if !self.is_platform() => Err(codes::PLATFORM_ONLY.into()),
            Owner::Platform | Owner::TenantOrPlatform(_) | Owner::TenantOrZero(_) | Owner::User(_) => Ok(()),
            Owner::Tenant(_) => self.tenant().map(|_| ()),
        }
    }

    /// Refuses what [`Scope::update`] would refuse, before any work is done.
    pub async fn refuse_change<E: Recorded>(
        &self,
        db: &impl ConnectionTrait,
        id: i64,
        version: Option<i64>,
    ) -> Result<()> {
        let row = self.get::<E>(db, id).await?;
        self.claim::<E>()?;
        refuse_stale(version, audit::id(row.get(E::VERSION)).unwrap_or_default())
    }

    /// Inserts a row of the acting tenant, as version 1.
    #[expect(clippy::disallowed_methods, reason = "the one place that inserts")]
    pub async fn create<E: Recorded>(
        &self,
        tx: &Write,
        row: impl IntoActiveModel<E::ActiveModel>,
    ) -> Result<E::Model>
    where
        E::ActiveModel: ActiveModelTrait<Entity = E> + ActiveModelBehavior + Send,
        E::Model: IntoActiveModel<E::ActiveModel> + Sync,
    {
        let row = self.first_version::<E>(row.into_active_model(), now())?;
        let inserted = row.insert(&tx.for_tenant(self.writes_only::<E>())).await;
        let row = inserted.map_err(refused_by_the_database::<E>)?;
        self.outdates_rows::<E>(tx, [&row]);
        self.note::<E>(tx, Action::Created, None, Some(&row));
        Ok(row)
    }

    /// Inserts many rows of the acting tenant, as version 1.
    #[expect(clippy::disallowed_methods, reason = "the one place that inserts many")]
    pub async fn create_all<E: Recorded>(
        &self,
        tx: &Write,
        rows: impl IntoIterator<Item = E::ActiveModel>,
    ) -> Result<()>
    where
        E::Model: IntoActiveModel<E::ActiveModel>,
        E::ActiveModel: Send,
    {
        let now = now();
        let mut rows = rows.into_iter().map(|row| self.first_version::<E>(row, now));
        loop {
            let batch: Vec<E::ActiveModel> = rows.by_ref().take(ROWS_PER_INSERT).collect::<Result<_>>()?;
            if batch.is_empty() {
                return Ok(());
            }
            let inserted =
                E::insert_many(batch).exec_with_returning(&tx.for_tenant(self.writes_only::<E>())).await;
            let inserted = inserted.map_err(refused_by_the_database::<E>)?;
            self.outdates_rows::<E>(tx, &inserted);
            for row in inserted {
                self.note::<E>(tx, Action::Created, None, Some(&row));
            }
        }
    }

    fn first_version<E: Recorded>(&self, mut row: E::ActiveModel, now: Instant) -> Result<E::ActiveModel> {
        self.claim::<E>()?;
        match E::OWNER {
            Owner::Platform => {}
            Owner::Tenant(column) => row.set(column, self.tenant()?.into()),
            Owner::TenantOrPlatform(column) => row.set(column, self.tenant.into()),
            Owner::TenantOrZero(column) => {
                row.set(column, self.tenant.map_or(owner::NO_TENANT, i64::from).into());
            }
            Owner::User(column) => row.set(column, self.user().into()),
        }
        if let Some(UndoInProgress { record, record_id, .. }) = self.undoing
            && record == audit::table::<E>()
        {
            row.set(E::ID, record_id.into());
        }
        row.set(E::VERSION, 1_i64.into());
        row.set(E::CREATED_AT, now.into());
        row.set(E::UPDATED_AT, now.into());
        unnumbered::<E>(&mut row);
        sorted_naturally::<E>(&mut row)?;
        Ok(row)
    }

    /// Updates a row that the caller may write; if `version` is given, only if the row still has it.
    pub async fn update<E: Recorded>(
        &self,
        tx: &Write,
        id: i64,
        version: Option<i64>,
        row: impl IntoActiveModel<E::ActiveModel>,
    ) -> Result<E::Model>
    where
        E::ActiveModel: ActiveModelTrait<Entity = E>,
    {
        let before = self.get_locked::<E>(tx, id).await?;
        refuse_stale(version, audit::id(before.get(E::VERSION)).unwrap_or_default())?;
        self.update_from::<E>(tx, &before, row).await
    }

    /// Updates a row that the caller may write and that this transaction has just read.
    #[expect(clippy::disallowed_methods, reason = "the one place that updates")]
    pub async fn update_from<E: Recorded>(
        &self,
        tx: &Write,
        before: &E::Model,
        row: impl IntoActiveModel<E::ActiveModel>,
    ) -> Result<E::Model>
    where
        E::ActiveModel: ActiveModelTrait<Entity = E>,
    {
        self.claim::<E>()?;
        let mut row = row.into_active_model();
        let is_moved = owner_of::<E>().is_some_and(
            |owner| matches!(row.get(owner), ActiveValue::Set(value) if value != before.get(owner)),
        );
        row.not_set(E::ID);
        row.not_set(E::VERSION);
        row.set(E::UPDATED_AT, now().into());
        unnumbered::<E>(&mut row);
        sorted_naturally::<E>(&mut row)?;
        let this = Condition::all()
            .add(E::ID.eq(before.get(E::ID)))
            .add(E::VERSION.eq(before.get(E::VERSION)))
            .add(same_owner::<E>(before));
        let update = E::update_many()
            .set(row)
            .col_expr(E::VERSION, Expr::col(E::VERSION).add(1))
            .filter(self.condition::<E>().add(this));
        let written = tx.for_tenant(if is_moved { None } else { tenant_of::<E>(before) });
        let updated = update.exec_with_returning(&written).await.map_err(refused_by_the_database::<E>)?;
        let after = updated.into_iter().next().ok_or(codes::STALE)?;
        self.outdates_change::<E>(tx, before, &after);
        self.note::<E>(tx, Action::Changed, Some(before), Some(&after));
        Ok(after)
    }

    /// Deletes an unreferenced row that the caller may write; [`crate::usage::delete`] also reports usages.
    #[expect(clippy::disallowed_methods, reason = "the one place that deletes")]
    pub async fn delete<E: Recorded>(&self, tx: &Write, id: i64) -> Result<()> {
        let row = self.get::<E>(tx, id).await?;
        self.claim::<E>()?;
        if let Some(numbered) = numbered_table::<E>() {
            numbered.remember_deleted(tx, tenant_of::<E>(&row), &[id]).await?;
        }
        let owner = self.acting_for(tenant_of::<E>(&row).or(self.tenant));
        E::remove_parts(&owner, tx, id).await?;
        let this = self.condition::<E>().add(same_owner::<E>(&row)).add(E::ID.eq(id));
        let deleted = E::delete_many().filter(this).exec(&tx.for_tenant(tenant_of::<E>(&row))).await;
        deleted.map_err(|error| {
            if constraint::is_referred_to(&error) { Error::InUse(Usages::default()) } else { error.into() }
        })?;
        self.outdates_rows::<E>(tx, [&row]);
        self.note::<E>(tx, Action::Deleted, Some(&row), None);
        Ok(())
    }

    /// Notes a change of this caller to a record, for code with its own statements. If nothing has changed,
    /// `before` and `after` are the same.
    pub fn note<E: Recorded>(
        &self,
        tx: &Write,
        action: Action,
        before: Option<&E::Model>,
        after: Option<&E::Model>,
    ) {
        if let Some(entry) = self.entry::<E>(action, before, after) {
            tx.note(entry);
        }
    }

    /// Builds the history entry of a change.
    pub fn entry<E: Recorded>(
        &self,
        action: Action,
        before: Option<&E::Model>,
        after: Option<&E::Model>,
    ) -> Option<HistoryEntry> {
        let row = after.or(before)?;
        let mut entry = HistoryEntry::new(action, audit::table::<E>(), audit::id(row.get(E::ID)));
        entry.name = audit::text(row.get(E::NAME));
        entry.tenant = match E::OWNER {
            Owner::User(_) => self.home,
            Owner::Platform | Owner::Tenant(_) | Owner::TenantOrPlatform(_) | Owner::TenantOrZero(_) => {
                tenant_of::<E>(row)
            }
        };
        self.sign(&mut entry);
        let fields = |row: Option<&E::Model>| row.map(history_fields::model_fields::<E>).unwrap_or_default();
        entry.fields(&fields(before), &fields(after));
        if action == Action::Deleted && !E::PERSONAL.is_empty() {
            entry.remove_fields(E::PERSONAL.iter().map(IdenStatic::as_str));
        }
        Some(entry)
    }

    /// Adds user, channel, request and undone entry.
    fn sign(&self, entry: &mut HistoryEntry) {
        (entry.user, entry.channel, entry.request) = (self.user(), self.channel, self.request);
        let of_this = |undoing: &UndoInProgress| {
            undoing.record == entry.record && Some(undoing.record_id) == entry.record_id
        };
        entry.undoes = self.undoing.filter(of_this).map(|undoing| undoing.entry);
    }

    /// Condition for the rows of the acting tenant, or of the user. The platform acts for all tenants until
    /// one is chosen, the system for all users.
    pub fn own<E: Scoped>(&self) -> Condition {
        let owner = match E::OWNER {
            Owner::Platform => None,
            Owner::Tenant(column) | Owner::TenantOrPlatform(column) | Owner::TenantOrZero(column) => {
                self.tenant.map(|tenant| column.eq(tenant))
            }
            Owner::User(column) => self.user().map(|user| column.eq(user)),
        };
        Condition::all().add_option(owner)
    }

    /// Condition for the rows that a write may touch, once the caller may write at all.
    fn condition<E: Scoped>(&self) -> Condition {
        match E::OWNER {
            Owner::Platform | Owner::Tenant(_) | Owner::TenantOrPlatform(_) | Owner::TenantOrZero(_) => {
                self.own::<E>()
            }
            // wrapped, because it may be an "or", to which nothing can be added
            Owner::User(_) => Condition::all().add(E::visible_to(self)),
        }
    }
}

/// Names for statements about this table, if its changes are numbered.
pub(crate) fn numbered_table<E: Recorded>() -> Option<NumberedTable> {
    let NumberedColumns { change, part } = E::NUMBERED?;
    let owner = match E::OWNER {
        Owner::Platform => None,
        Owner::Tenant(column)
        | Owner::TenantOrPlatform(column)
        | Owner::TenantOrZero(column)
        | Owner::User(column) => Some(column),
    };
    let text = |column: Option<E::Column>| column.map(|column| column.as_str());
    Some(NumberedTable {
        table: audit::table::<E>(),
        id: E::ID.as_str(),
        name: E::NAME.as_str(),
        change: change.as_str(),
        owner: text(owner),
        part: text(part),
    })
}

/// Clears the change number of a row.
pub(crate) fn unnumbered<E: Recorded>(row: &mut E::ActiveModel) {
    if let Some(numbered) = E::NUMBERED {
        row.set(numbered.change, None::<i64>.into());
    }
}

/// Sets the sort key `x_sort` whenever the folded text `x_fold` is written.
pub(crate) fn sorted_naturally<E: EntityTrait>(row: &mut E::ActiveModel) -> Result<()> {
    for key in E::Column::iter() {
        let Some(text) = key.as_str().strip_suffix("_sort") else { continue };
        let folded = format!("{text}_fold").parse::<E::Column>();
        let folded =
            folded.map_err(|_| Error::internal(format!("nothing is folded for {}", key.as_str())))?;
        row.not_set(key);
        if let ActiveValue::Set(value) = row.get(folded) {
            row.set(key, sort_key(&audit::text(value).unwrap_or_default()).into());
        }
    }
    Ok(())
}

/// Condition on the owner of a row, for every statement about it: it leads to the row's index and shard.
fn same_owner<E: Scoped>(row: &E::Model) -> Condition {
    let owner = match E::OWNER {
        Owner::Tenant(column) | Owner::TenantOrZero(column) => Some(column.eq(row.get(column))),
        Owner::Platform | Owner::TenantOrPlatform(_) | Owner::User(_) => None,
    };
    Condition::all().add_option(owner)
}

/// Refuses a change that is based on an older version, before any other check.
pub fn refuse_stale(edited: Option<i64>, current: i64) -> Result<()> {
    if edited.is_none_or(|edited| edited == current) { Ok(()) } else { Err(codes::STALE.into()) }
}

/// Converts a violated unique index into a violation of its field, so that concurrent requests get the same
/// error as consecutive ones. A violated foreign key means that another request has changed something since
/// the rules were checked.
pub(crate) fn refused_by_the_database<E: Recorded>(error: DbErr) -> Error {
    if constraint::is_foreign_key(&error) {
        return codes::STALE.into();
    }
    let key = constraint::violated_key(&error);
    match E::UNIQUE.iter().find(|unique| key.as_deref().is_some_and(|key| unique.is(key))) {
        Some(unique) => Violations::error(unique.field, unique.code),
        None => error.into(),
    }
}
