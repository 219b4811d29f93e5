//! The only way to rows: whose rows a query may touch, decided by authentication and by nothing else.

pub mod history_fields;
pub mod many;
mod outdated;
mod owner;
mod parts;
mod positions;
mod reading;
mod summary;

use sea_orm::{
    ActiveModelBehavior, ActiveModelTrait, ActiveValue, ColumnTrait, Condition, ConnectionTrait, DbErr,
    EntityTrait, ExprTrait, IdenStatic, IntoActiveModel, Iterable, ModelTrait, PrimaryKeyTrait, QueryFilter,
    sea_query::{Expr, SimpleExpr},
};

use self::owner::owner_of;
pub(crate) use self::owner::tenant_of;
pub use self::{owner::Owner, parts::Part};
use crate::{
    audit::{self, Action, Channel, HistoryEntry, RequestId, Undoing},
    clock::{Instant, now},
    code::Code,
    constraint,
    database::Write,
    deleted_record::{Numbered, NumberedTable},
    error::{Error, Result, Violations},
    id::{Principal, TenantId, UserId},
    in_use::Usages,
    kept::{Priced, Topic, Versions},
    natural::sort_key,
    permission::{Permission, PermissionSet},
    resource::Resource,
};

/// The companies that a tenant's users can find and name as trading partners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PartnerCircle {
    /// All of the platform.
    #[default]
    Everyone,
    /// Members of groups that their own company is in, too.
    SharedGroups,
}

/// Whose rows may be read and written.
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
    undoing: Option<Undoing>,
}

/// A table whose rows are reached through a [`Scope`].
pub trait Scoped: EntityTrait<PrimaryKey: PrimaryKeyTrait<ValueType = i64>> {
    const ID: Self::Column;
    const OWNER: Owner<Self::Column>;

    /// The rows that a caller may see.
    fn visible_to(scope: &Scope) -> Condition {
        scope.own::<Self>()
    }

    /// Columns that hold something else for this caller than for the row's owner. Rows, filters, sorts and names all read them
    /// so ([`Scope::column`]).
    fn substitutes(_: &Scope) -> Vec<(Self::Column, SimpleExpr)> {
        Vec::new()
    }
}

/// A table whose rows are written through a [`Scope`], which counts their versions and notes every change
/// ([`crate::audit`]).
pub trait Recorded: Scoped {
    /// What is said once of its records; it needs a line in the list of all resources, too.
    const RESOURCE: &'static Resource;
    /// What people call a row.
    const NAME: Self::Column;
    /// Counts the changes of a row; a change of an older version is refused.
    const VERSION: Self::Column;
    const CREATED_AT: Self::Column;
    const UPDATED_AT: Self::Column;
    /// What is compiled from the rows and their parts, and kept in memory until they change.
    const TOPIC: Option<Topic> = None;
    /// How prices are compiled from the rows and kept for each tenant ([`crate::kept::prices_version`]), if they are.
    const PRICES: Option<Priced<Self::Column>> = None;
    /// The column that numbers changes ([`Numbered`]): every write empties it, so that the change waits for its number.
    const NUMBERED: Option<Numbered<Self::Column>> = None;
    /// What is unique, and where a duplicate is reported.
    const UNIQUE: &'static [Unique] = &[];
    /// Columns of which no change is noted, because other notes say the same.
    const UNNOTED: &'static [Self::Column] = &[];
    /// Columns of values with keys of which a change is noted as one, not key by key.
    const WHOLE: &'static [Self::Column] = &[];
    /// Columns that say who somebody is: they are gone with the row, also from its entries.
    const PERSONAL: &'static [Self::Column] = &[];

    /// Removes the parts of a row that is deleted next, so that its history holds all that it was made of.
    fn remove_parts(_: &Scope, _: &Write, _: i64) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }
}

/// A unique index, and how a row is refused that it does not take.
#[derive(Debug, Clone, Copy)]
pub struct Unique {
    /// The name of the index: the table and its columns.
    pub key: &'static str,
    /// The field of the input.
    pub field: &'static str,
    pub code: Code,
    /// What its columns would make of its name, where that is too long for one: SQLite refuses by columns.
    by_columns: Option<&'static str>,
}

impl Unique {
    pub const fn new(key: &'static str, field: &'static str, code: Code) -> Self {
        Self { key, field, code, by_columns: None }
    }

    /// With the name that its columns would make.
    #[must_use]
    pub const fn over(self, by_columns: &'static str) -> Self {
        Self { by_columns: Some(by_columns), ..self }
    }

    /// Whether a refusal means it ([`constraint::violated_key`]).
    fn is(&self, violated: &str) -> bool {
        self.key == violated || self.by_columns == Some(violated)
    }
}

const ROWS_PER_INSERT: usize = 500;

impl Scope {
    /// The scope of a caller: his own tenant (`home`, none for platform administrators), the tenant he acts for, who
    /// he is and what he may do. A tenant's user acts for his own tenant only.
    pub fn granted_by_authentication(
        home: Option<TenantId>,
        chosen: Option<TenantId>,
        user: Option<UserId>,
        rights: PermissionSet,
    ) -> Result<Self> {
        match (home, chosen) {
            (Some(home), Some(chosen)) if home != chosen => Err(Code::TenantMismatch.into()),
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

    /// The scope of a feed or an external API of a tenant.
    pub fn granted_to_source(tenant: TenantId, source: Principal, rights: PermissionSet) -> Self {
        let channel = match source {
            Principal::User(_) => Channel::Session,
            Principal::Feed(feed) => Channel::Feed(feed),
            Principal::ExternalApi(api) => Channel::ExternalApi(api),
        };
        let (home, principal) = (Some(tenant), Some(source));
        Self { home, tenant: home, principal, channel, rights, ..Self::platform() }
    }

    /// The same caller by another way than a session.
    #[must_use]
    pub fn through(self, channel: Channel) -> Self {
        Self { channel, ..self }
    }

    /// The same caller, who has just learned how new what is kept in memory must be.
    #[must_use]
    pub fn knowing(self, versions: Versions) -> Self {
        Self { versions, ..self }
    }

    /// The same caller, who finds these companies as trading partners.
    #[must_use]
    pub fn with_partners(self, partners: PartnerCircle) -> Self {
        Self { partners, ..self }
    }

    /// The same caller, whose writes belong together.
    #[must_use]
    pub fn within(self, request: RequestId) -> Self {
        Self { request: Some(request), ..self }
    }

    /// The same caller, who takes something back.
    #[must_use]
    pub fn undoing(self, undoing: Undoing) -> Self {
        Self { undoing: Some(undoing), ..self }
    }

    /// Everything: start-up, demo data, tests.
    pub fn platform() -> Self {
        Self {
            home: None,
            partners: PartnerCircle::default(),
            tenant: None,
            principal: None,
            channel: Channel::System,
            rights: PermissionSet::ALL,
            versions: Versions::default(),
            request: None,
            undoing: None,
        }
    }

    /// The same caller acting for another tenant, or for none; a tenant's user acts for his own whatever is asked.
    #[must_use]
    pub fn acting_for(&self, tenant: Option<TenantId>) -> Self {
        Self { tenant: self.home.or(tenant), ..*self }
    }

    /// The tenant that is acted for.
    pub fn tenant(&self) -> Result<TenantId> {
        self.tenant.ok_or_else(|| Code::TenantRequired.into())
    }

    /// The tenant that the caller belongs to.
    pub fn home(&self) -> Option<TenantId> {
        self.home
    }

    /// The companies that the caller finds as trading partners.
    pub fn partners(&self) -> PartnerCircle {
        self.partners
    }

    /// The import whose rows it writes.
    pub fn import(&self) -> Option<i64> {
        match self.channel {
            Channel::Import(import) => Some(import),
            _ => None,
        }
    }

    /// Whether a program calls with a personal access token.
    pub fn is_of_token(&self) -> bool {
        matches!(self.channel, Channel::Token(_))
    }

    /// The user, the feed or the external API that acts; `None`: the system.
    pub fn principal(&self) -> Option<Principal> {
        self.principal
    }

    pub fn user(&self) -> Option<UserId> {
        self.principal.and_then(Principal::user)
    }

    /// How new what is kept in memory must be, as far as the request has learned it.
    pub fn versions(&self) -> Versions {
        self.versions
    }

    /// What the caller may do.
    pub fn rights(&self) -> PermissionSet {
        self.rights
    }

    /// Whether the caller may do this besides what the operation demands.
    pub fn may(&self, permission: Permission) -> bool {
        self.rights.contains(permission)
    }

    /// Refuses whoever may not do this besides.
    pub fn demand(&self, permission: Permission) -> Result<()> {
        if self.may(permission) {
            return Ok(());
        }
        Err(Code::Forbidden.with("permission", permission.as_str()).into())
    }

    /// Whether the caller belongs to no tenant.
    pub fn is_platform(&self) -> bool {
        self.home.is_none()
    }

    /// Refuses callers who may not write rows of this table.
    pub fn claim<E: Scoped>(&self) -> Result<()> {
        match E::OWNER {
            Owner::Platform if !self.is_platform() => Err(Code::PlatformOnly.into()),
            Owner::Platform | Owner::TenantOrPlatform(_) | Owner::TenantOrNobody(_) | Owner::User(_) => {
                Ok(())
            }
            Owner::Tenant(_) => self.tenant().map(|_| ()),
        }
    }

    /// Refuses what [`Scope::update`] would refuse, before any work is done for it.
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

    /// Inserts a row for the acting tenant, as version 1.
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
        let row = row.insert(&tx.of(self.writes_only::<E>())).await.map_err(refused_by_the_database::<E>)?;
        self.outdates_rows::<E>(tx, [&row]);
        self.note::<E>(tx, Action::Created, None, Some(&row));
        Ok(row)
    }

    /// Inserts many rows for the acting tenant, as version 1.
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
            let inserted = E::insert_many(batch).exec_with_returning(&tx.of(self.writes_only::<E>())).await;
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
            Owner::TenantOrNobody(column) => {
                row.set(column, self.tenant.map_or(owner::NOBODY, i64::from).into());
            }
            Owner::User(column) => row.set(column, self.user().into()),
        }
        if let Some(Undoing { record, record_id, .. }) = self.undoing
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

    /// Changes a row that the caller may write. With `version`, only if it is still the row's version.
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

    /// Changes a row that the caller may write and that this transaction has just read.
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
        let written = tx.of(if is_moved { None } else { tenant_of::<E>(before) });
        let updated = update.exec_with_returning(&written).await.map_err(refused_by_the_database::<E>)?;
        let after = updated.into_iter().next().ok_or(Code::Stale)?;
        self.outdates_change::<E>(tx, before, &after);
        self.note::<E>(tx, Action::Changed, Some(before), Some(&after));
        Ok(after)
    }

    /// Deletes a row that the caller may write and nobody refers to; [`crate::usage::delete`] also says who does.
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
        let deleted = E::delete_many().filter(this).exec(&tx.of(tenant_of::<E>(&row))).await;
        deleted.map_err(|error| {
            if constraint::is_referred_to(&error) { Error::InUse(Usages::default()) } else { error.into() }
        })?;
        self.outdates_rows::<E>(tx, [&row]);
        self.note::<E>(tx, Action::Deleted, Some(&row), None);
        Ok(())
    }

    /// Notes what this caller has done to a record, for whoever writes in statements of his own. Where nothing of the
    /// record has changed, before and after are the same.
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

    /// What there is to be noted.
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
            Owner::Platform | Owner::Tenant(_) | Owner::TenantOrPlatform(_) | Owner::TenantOrNobody(_) => {
                tenant_of::<E>(row)
            }
        };
        self.sign(&mut entry);
        let fields = |row: Option<&E::Model>| row.map(history_fields::of_model::<E>).unwrap_or_default();
        entry.fields(&fields(before), &fields(after));
        if action == Action::Deleted && !E::PERSONAL.is_empty() {
            entry.forget(E::PERSONAL.iter().map(IdenStatic::as_str));
        }
        Some(entry)
    }

    /// Who did it, by which way, and why.
    fn sign(&self, entry: &mut HistoryEntry) {
        (entry.user, entry.channel, entry.request) = (self.user(), self.channel, self.request);
        let of_this =
            |undoing: &Undoing| undoing.record == entry.record && Some(undoing.record_id) == entry.record_id;
        entry.undoes = self.undoing.filter(of_this).map(|undoing| undoing.entry);
    }

    /// The rows of the tenant that is acted for, or of the user. The platform acts for all tenants until one is chosen, the
    /// system for all users.
    pub fn own<E: Scoped>(&self) -> Condition {
        let owner = match E::OWNER {
            Owner::Platform => None,
            Owner::Tenant(column) | Owner::TenantOrPlatform(column) | Owner::TenantOrNobody(column) => {
                self.tenant.map(|tenant| column.eq(tenant))
            }
            Owner::User(column) => self.user().map(|user| column.eq(user)),
        };
        Condition::all().add_option(owner)
    }

    /// The rows that a write may touch, once the caller may write at all.
    fn condition<E: Scoped>(&self) -> Condition {
        match E::OWNER {
            Owner::Platform | Owner::Tenant(_) | Owner::TenantOrPlatform(_) | Owner::TenantOrNobody(_) => {
                self.own::<E>()
            }
            // which may be an "or", to which nothing must be added
            Owner::User(_) => Condition::all().add(E::visible_to(self)),
        }
    }
}

/// The table of these rows, if their changes are numbered.
pub(crate) fn numbered_table<E: Recorded>() -> Option<NumberedTable> {
    let Numbered { change, part } = E::NUMBERED?;
    let owner = match E::OWNER {
        Owner::Platform => None,
        Owner::Tenant(column)
        | Owner::TenantOrPlatform(column)
        | Owner::TenantOrNobody(column)
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

/// Makes the change wait for its number.
pub(crate) fn unnumbered<E: Recorded>(row: &mut E::ActiveModel) {
    if let Some(numbered) = E::NUMBERED {
        row.set(numbered.change, None::<i64>.into());
    }
}

/// Makes the key `x_sort` whenever the folded text `x_fold` is written, so that nobody else has to think of it.
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

/// The tenant of a row that is known, in every statement that touches it: it leads to the row's index, and to its shard.
fn same_owner<E: Scoped>(row: &E::Model) -> Condition {
    let owner = match E::OWNER {
        Owner::Tenant(column) | Owner::TenantOrNobody(column) => Some(column.eq(row.get(column))),
        Owner::Platform | Owner::TenantOrPlatform(_) | Owner::User(_) => None,
    };
    Condition::all().add_option(owner)
}

/// Refuses a change of an older version than the current one, before anything else is said about it.
pub fn refuse_stale(edited: Option<i64>, current: i64) -> Result<()> {
    if edited.is_none_or(|edited| edited == current) { Ok(()) } else { Err(Code::Stale.into()) }
}

/// A unique index that refuses a row names the field; so two requests at once get the same answer as one after the
/// other. A foreign key refuses what another request has made wrong since the rules were checked.
pub(crate) fn refused_by_the_database<E: Recorded>(error: DbErr) -> Error {
    if constraint::is_foreign_key(&error) {
        return Code::Stale.into();
    }
    let key = constraint::violated_key(&error);
    match E::UNIQUE.iter().find(|unique| key.as_deref().is_some_and(|key| unique.is(key))) {
        Some(unique) => Violations::of(unique.field, unique.code),
        None => error.into(),
    }
}
