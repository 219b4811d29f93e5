//! The audit over HTTP: what was changed, by whom and by which way.

use std::collections::{HashMap, HashSet};

use catalog::{
    article::Articles,
    article_type::ArticleTypes,
    article_type_group::ArticleTypeGroups,
    attribute::{self, Attributes},
    category::Categories,
    material::Materials,
    trade_dimension::TradeDimensions,
};
use chrono::{DateTime, Utc};
use identity::{
    audit::{AuditEntries, AuditEntry},
    role::Roles,
    token::Tokens,
    user::Users,
};
use imports::{file::table::Entry, import::Imports};
use kernel::{Page, Recorded, Result, Scope, Unit, audit::Change, may};
use logistics::warehouse::Warehouses;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QuerySelect};
use serde::Serialize;
use serde_json::{Value as Json, json};
use tenancy::tenant::Tenants;
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Download, Listing, listing},
        export::{Export, Table, time},
        input::{Db, List},
        routes::{Answer, Routes},
    },
    publish, words as texts,
};

mod words;

use self::words::Telling;

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "audit": list, export);
}

/// What happened to a record.
#[derive(Serialize, ToSchema)]
#[schema(as = AuditEntry)]
struct AuditEntryView {
    id: i64,
    at: DateTime<Utc>,
    /// `created`, `changed`, `deleted`, or what else was done.
    action: String,
    /// The kind of the record: `article`, `user`.
    record: String,
    #[schema(required)]
    record_id: Option<i64>,
    /// What the record was called then.
    #[schema(required)]
    record_name: Option<String>,
    /// Whose the record is, unless it is the platform's.
    #[schema(required)]
    tenant: Option<Named>,
    /// Who did it; nobody where the system did or where it is not known.
    #[schema(required)]
    user: Option<Named>,
    /// `session`, `token`, `import` or `system`.
    channel: String,
    /// Which token, which import.
    #[schema(required)]
    through: Option<Named>,
    /// Where somebody signed in from.
    #[schema(required)]
    address: Option<String>,
    changes: Vec<ChangeView>,
}

/// Something that an entry refers to.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AuditedReference)]
struct Named {
    id: i64,
    /// What it is called today; nothing where it is gone.
    #[schema(required)]
    name: Option<String>,
}

/// What became of a field.
#[derive(Serialize, ToSchema)]
#[schema(as = AuditedChange)]
struct ChangeView {
    /// The field, or the kind of parts that have gone and come.
    field: String,
    /// The attribute whose value it is.
    #[schema(required)]
    of: Option<Named>,
    /// What the numbers are given in.
    #[schema(required)]
    unit: Option<Unit>,
    /// A text, a number, `true`, a reference as `{"id", "name"}`, or a list of parts; `null`: nothing.
    #[schema(value_type = Value)]
    from: Json,
    #[schema(value_type = Value)]
    to: Json,
}

/// Lists what happened, the latest first.
#[utoipa::path(get, path = "/api/admin/audit")]
async fn list(
    by: Authorized<may::ListAudit>,
    Db(db): Db,
    List(query): List<AuditEntries>,
) -> Answer<Listing<AuditEntryView>> {
    let page: Page<AuditEntry> = query.fetch(&db, by.scope(), |select| select).await?;
    Ok(listing(page.detailed(async |rows| shown(&db, by.scope(), rows).await).await?))
}

/// An entry, and what became of the fields in words.
type Told = (AuditEntryView, String);

/// Exports all entries that the filters match.
#[utoipa::path(get, path = "/api/admin/audit/export")]
async fn export(by: Authorized<may::ListAudit>, export: Export<AuditEntries>) -> Answer<Download> {
    let table = Table {
        words: texts!("audit"),
        columns: &[
            ("at", |(row, _): &Told, _| time(row.at)),
            ("user_id", |(row, _), _| of(row.user.as_ref())),
            ("action", |(row, _), words| words.choice("action", &row.action)),
            ("record", |(row, _), words| words.choice("record", &row.record)),
            ("record_id", |(row, _), _| row.record_id.into()),
            ("record_name", |(row, _), _| row.record_name.as_deref().into()),
            ("changes", |(_, changes), _| changes.as_str().into()),
            ("tenant_id", |(row, _), _| of(row.tenant.as_ref())),
            ("channel", |(row, _), words| words.choice("channel", &row.channel)),
            ("through", |(row, _), _| of(row.through.as_ref())),
            ("address", |(row, _), _| row.address.as_deref().into()),
        ],
    };
    let telling = Telling::new(export.language)?;
    let told = async |db: &_, rows: Vec<AuditEntry>| {
        let views = shown(db, by.scope(), rows).await?;
        let told = |view| {
            let changes = telling.changes(&view);
            (view, changes)
        };
        Ok(views.into_iter().map(told).collect())
    };
    Ok(export.table(by.scope(), &table, told).await?)
}

/// What a reference is called, or its number where it is gone.
fn of(named: Option<&Named>) -> Entry {
    named.map(|Named { id, name }| name.clone().unwrap_or_else(|| format!("#{id}"))).as_deref().into()
}

/// Kinds of records by what refers to them.
const REFERENCES: &[(&str, Kind)] = &[
    ("article_id", Kind::Article),
    ("article_type_group_id", Kind::ArticleTypeGroup),
    ("article_type_id", Kind::ArticleType),
    ("attribute_id", Kind::Attribute),
    ("created_by", Kind::User),
    ("material_id", Kind::Material),
    ("parent_id", Kind::Category),
    ("role_id", Kind::Role),
    ("tenant_group_member", Kind::Tenant),
    ("tenant_id", Kind::Tenant),
    ("trade_dimension_id", Kind::TradeDimension),
    ("user_id", Kind::User),
    ("user_role", Kind::Role),
    ("warehouse_id", Kind::Warehouse),
];

/// The values of an article, by attribute.
const VALUES: &str = "attribute_values.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Article,
    ArticleType,
    ArticleTypeGroup,
    Attribute,
    Category,
    Import,
    Material,
    Option,
    Role,
    Tenant,
    Token,
    TradeDimension,
    User,
    Warehouse,
}

fn kind_of(field: &str) -> Option<Kind> {
    REFERENCES.iter().find(|(name, _)| *name == field).map(|(_, kind)| *kind)
}

/// What entries refer to, and what it is called.
#[derive(Default)]
struct Names {
    wanted: HashSet<(Kind, i64)>,
    known: HashMap<(Kind, i64), String>,
    /// Of metric attributes: what their values are stored in.
    units: HashMap<i64, Unit>,
}

impl Names {
    fn want(&mut self, kind: Kind, id: Option<i64>) {
        self.wanted.extend(id.map(|id| (kind, id)));
    }

    fn of(&self, kind: Kind, id: i64) -> Named {
        Named { id, name: self.known.get(&(kind, id)).cloned() }
    }

    /// Names are those that the caller could see anyway.
    async fn load(&mut self, db: &impl ConnectionTrait, scope: &Scope) -> Result<()> {
        let everybody = &scope.acting_for(None);
        self.named::<Articles>(db, scope, Kind::Article).await?;
        self.named::<ArticleTypes>(db, scope, Kind::ArticleType).await?;
        self.named::<ArticleTypeGroups>(db, scope, Kind::ArticleTypeGroup).await?;
        self.named::<Attributes>(db, scope, Kind::Attribute).await?;
        self.named::<Categories>(db, scope, Kind::Category).await?;
        self.named::<Imports>(db, everybody, Kind::Import).await?;
        self.named::<Materials>(db, scope, Kind::Material).await?;
        self.named::<Roles>(db, everybody, Kind::Role).await?;
        self.named::<Tenants>(db, everybody, Kind::Tenant).await?;
        self.named::<Tokens>(db, everybody, Kind::Token).await?;
        self.named::<TradeDimensions>(db, scope, Kind::TradeDimension).await?;
        self.named::<Users>(db, everybody, Kind::User).await?;
        self.named::<Warehouses>(db, everybody, Kind::Warehouse).await?;
        let metric =
            scope.find::<Attributes>().filter(attribute::Column::Id.is_in(self.ids(Kind::Attribute)));
        for attribute in metric.filter(attribute::Column::UnitCategory.is_not_null()).all(db).await? {
            self.units.extend(attribute.unit_category.map(|category| (attribute.id, category.base())));
        }
        let options = attribute::option_names(db, scope, self.ids(Kind::Option)).await?;
        self.known.extend(options.into_iter().map(|(id, name)| ((Kind::Option, id), name)));
        Ok(())
    }

    async fn named<E: Recorded>(
        &mut self,
        db: &impl ConnectionTrait,
        scope: &Scope,
        kind: Kind,
    ) -> Result<()> {
        let ids = self.ids(kind);
        if ids.is_empty() {
            return Ok(());
        }
        let found = scope.find::<E>().filter(E::ID.is_in(ids)).select_only().column(E::ID).column(E::NAME);
        let found: Vec<(i64, String)> = found.into_tuple().all(db).await?;
        self.known.extend(found.into_iter().map(|(id, name)| ((kind, id), name)));
        Ok(())
    }

    fn ids(&self, kind: Kind) -> Vec<i64> {
        self.wanted.iter().filter(|(other, _)| *other == kind).map(|(_, id)| *id).collect()
    }
}

async fn shown(
    db: &impl ConnectionTrait,
    scope: &Scope,
    entries: Vec<AuditEntry>,
) -> Result<Vec<AuditEntryView>> {
    let mut names = Names::default();
    let mut read = Vec::new();
    for entry in entries {
        let changes: Vec<Change> = serde_json::from_value(entry.changes.clone()).unwrap_or_default();
        names.want(Kind::Tenant, entry.tenant_id);
        names.want(Kind::User, entry.user_id);
        names.want(Kind::Import, entry.channel_id.filter(|_| entry.channel == "import"));
        names.want(Kind::Token, entry.channel_id.filter(|_| entry.channel == "token"));
        for change in &changes {
            for value in [&change.from, &change.to] {
                collect(&change.field, value, &mut names);
            }
        }
        read.push((entry, changes));
    }
    names.load(db, scope).await?;
    let text = |text: String| (!text.is_empty()).then_some(text);
    let view = |(entry, changes): (AuditEntry, Vec<Change>)| AuditEntryView {
        id: entry.id,
        at: entry.at,
        action: entry.action,
        record: entry.record,
        record_id: entry.record_id,
        record_name: text(entry.record_name),
        tenant: entry.tenant_id.map(|id| names.of(Kind::Tenant, id)),
        user: entry.user_id.map(|id| names.of(Kind::User, id)),
        through: entry.channel_id.map(|id| match entry.channel.as_str() {
            "import" => names.of(Kind::Import, id),
            "token" => names.of(Kind::Token, id),
            _ => Named { id, name: None },
        }),
        channel: entry.channel,
        address: text(entry.address),
        changes: changes.into_iter().map(|change| change_view(change, &names)).collect(),
    };
    Ok(read.into_iter().map(view).collect())
}

fn collect(field: &str, value: &Json, names: &mut Names) {
    if let Some(attribute) = field.strip_prefix(VALUES) {
        names.want(Kind::Attribute, attribute.parse().ok());
        names.want(Kind::Option, value.get("o").and_then(Json::as_i64));
        return;
    }
    match value {
        Json::Array(parts) => parts.iter().for_each(|part| collect(field, part, names)),
        Json::Object(part) => part.iter().for_each(|(field, value)| collect(field, value, names)),
        value => {
            if let Some(kind) = kind_of(field) {
                names.want(kind, value.as_i64());
            }
        }
    }
}

fn change_view(Change { field, from, to }: Change, names: &Names) -> ChangeView {
    let Some(attribute) = field.strip_prefix(VALUES).and_then(|id| id.parse().ok()) else {
        let (from, to) = (resolved(&field, from, names), resolved(&field, to, names));
        return ChangeView { field, of: None, unit: None, from, to };
    };
    let value = |value: Json| match value.get("o").and_then(Json::as_i64) {
        Some(option) => json!(names.of(Kind::Option, option)),
        None => ["n", "t"].iter().find_map(|kind| value.get(*kind)).cloned().unwrap_or_default(),
    };
    let of = Some(names.of(Kind::Attribute, attribute));
    let unit = names.units.get(&attribute).copied();
    ChangeView { field: "attribute_values".to_owned(), of, unit, from: value(from), to: value(to) }
}

/// The value with `{"id", "name"}` in place of each reference.
fn resolved(field: &str, value: Json, names: &Names) -> Json {
    match value {
        Json::Array(parts) => parts.into_iter().map(|part| resolved(field, part, names)).collect(),
        Json::Object(part) => {
            let part = part.into_iter().map(|(field, value)| {
                let value = resolved(&field, value, names);
                (field, value)
            });
            part.collect::<serde_json::Map<_, _>>().into()
        }
        value => match (kind_of(field), value.as_i64()) {
            (Some(kind), Some(id)) => json!(names.of(kind, id)),
            _ => value,
        },
    }
}
