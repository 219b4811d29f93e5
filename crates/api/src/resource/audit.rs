//! The audit over HTTP: what was changed, by whom and by which way.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, LazyLock},
};

use catalog::{
    attribute::{self, Attributes},
    trade_dimension::metres,
};
use chrono::{DateTime, Utc};
use identity::{
    audit::{self, AuditEntries, AuditEntry},
    user,
};
use imports::import::row;
use kernel::{ListQuery, Page, Result, Scope, Snapshot, Unit, audit::Change, may, resource, run_blocking};
use sea_orm::{
    ColumnTrait, ConnectionTrait, QueryFilter, QueryTrait,
    sea_query::{SelectStatement, UnionType},
};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use sheets::table::CellContent;
use tenancy::partner;
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Download, Paged, paged},
        export::{Column, Export, Labels, time},
        input::{Db, List},
        routes::{Answer, Routes},
    },
    publish,
    resource::undo,
    words as texts,
    work::IMPORT_TYPES,
};

mod condition_words;
mod words;

pub(super) use self::words::Telling;

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
    #[schema(example = "changed")]
    action: String,
    /// The kind of the record: `article`, `user`.
    #[schema(example = "materials")]
    record: String,
    #[schema(required)]
    record_id: Option<i64>,
    /// What the record was called then.
    #[schema(required, example = "S355J2")]
    record_name: Option<String>,
    /// Whose the record is, unless it is the platform's.
    #[schema(required)]
    tenant: Option<Named>,
    /// Who did it; nobody where the system did or where it is not known.
    #[schema(required)]
    user: Option<Named>,
    /// `session`, `token`, `import` or `system`.
    #[schema(example = "session")]
    channel: String,
    /// Which token, which import.
    #[schema(required)]
    through: Option<Named>,
    /// Where somebody signed in from.
    #[schema(required, example = "192.0.2.17")]
    address: Option<String>,
    changes: Vec<ChangeView>,
    /// The request that did it: all entries of it can be taken back together.
    #[schema(required, example = "019376f0c2d87b3fb1f4a0e5c6d7e8f9")]
    request_id: Option<String>,
    /// The entry that it takes back.
    #[schema(required)]
    undoes: Option<i64>,
    /// Whether it has been taken back.
    undone: bool,
    /// Whether the caller may take it back, as far as that can be said before it is tried.
    undoable: bool,
}

/// Something that an entry refers to.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = AuditedReference)]
struct Named {
    id: i64,
    /// What it is called today; nothing where it is gone.
    #[schema(required, example = "S355J2")]
    name: Option<String>,
    /// Somebody who works for the platform, and whom the caller may not see.
    platform: bool,
}

/// What became of a field.
#[derive(Serialize, ToSchema)]
#[schema(as = AuditedChange)]
pub(super) struct ChangeView {
    /// The field, or the kind of parts that have gone and come.
    #[schema(example = "density")]
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

/// Lists what happened, the latest first. Of one record (`filter[record]` and `filter[record_id]`) also what rows of imports
/// have made of it; otherwise an import is one entry, and its rows are its own.
#[utoipa::path(get, path = "/api/admin/audit")]
async fn list(
    by: Authorized<may::ListAudit>,
    Db(db): Db,
    List(query): List<AuditEntries>,
) -> Answer<Paged<AuditEntryView>> {
    let page: Page<AuditEntry> = match of_one(&query) {
        Some((record, id)) => query.fetch_from(&db, lives_of(&db, by.scope(), &record, &[id])).await?,
        None => query.fetch(&db, by.scope(), |select| select).await?,
    };
    Ok(paged(page.detailed(async |rows| shown(&db, by.scope(), rows).await).await?))
}

/// The only record that is asked for.
fn of_one(query: &ListQuery<AuditEntries>) -> Option<(String, i64)> {
    Some((query.only("record")?, query.only("record_id")?.parse().ok()?))
}

/// Everything that happened to records of a kind: their entries, and what rows of imports have made of them.
pub(super) fn lives_of(
    db: &impl ConnectionTrait,
    scope: &Scope,
    record: &str,
    ids: &[i64],
) -> SelectStatement {
    let mut entries = scope
        .find::<AuditEntries>()
        .filter(audit::Column::Record.eq(record))
        .filter(audit::Column::RecordId.is_in(ids.iter().copied()))
        .into_query();
    // What is the platform's has no tenant in its entries, whoever's file it was.
    let is_platforms = IMPORT_TYPES.is_platforms(record);
    match scope.home() {
        Some(_) if is_platforms => entries,
        home => entries
            .union(UnionType::All, row::history(db.get_database_backend(), record, ids, home, is_platforms))
            .take(),
    }
}

/// An entry, and in words what its record is and what became of the fields.
struct Told {
    row: AuditEntryView,
    record: String,
    changes: String,
}

const COLUMNS: &[Column<Told>] = &[
    ("at", |Told { row, .. }, _| time(row.at)),
    ("user_id", |Told { row, .. }, words| of(row.user.as_ref(), words)),
    ("action", |Told { row, .. }, words| words.choice("action", &row.action)),
    ("record", |told, _| told.record.as_str().into()),
    ("record_id", |Told { row, .. }, _| row.record_id.into()),
    ("record_name", |Told { row, .. }, _| row.record_name.as_deref().into()),
    ("changes", |told, _| told.changes.as_str().into()),
    ("tenant_id", |Told { row, .. }, words| of(row.tenant.as_ref(), words)),
    ("channel", |Told { row, .. }, words| words.choice("channel", &row.channel)),
    ("through", |Told { row, .. }, words| of(row.through.as_ref(), words)),
    ("address", |Told { row, .. }, _| row.address.as_deref().into()),
];

/// Exports all entries that the filters match; of one record also what rows of imports have made of it.
#[utoipa::path(get, path = "/api/admin/audit/export")]
async fn export(by: Authorized<may::ListAudit>, export: Export<AuditEntries>) -> Answer<Download> {
    let telling = Arc::new(Telling::new(export.language)?);
    let told = async |db: &Snapshot, rows: Vec<AuditEntry>| {
        let (views, telling) = (shown(db, by.scope(), rows).await?, telling.clone());
        let told = move |row: AuditEntryView| {
            let (record, changes) = (telling.record(&row.record), telling.changes(&row));
            Told { row, record, changes }
        };
        run_blocking(move || views.into_iter().map(told).collect()).await
    };
    let texts = texts!("audit");
    Ok(match of_one(&export.query) {
        Some((record, id)) => {
            let source = |db: &Snapshot| lives_of(db, by.scope(), &record, &[id]);
            export.table_from(source, texts, COLUMNS, told).await?
        }
        None => export.table(by.scope(), texts, COLUMNS, told).await?,
    })
}

/// What a reference is called, or its number where it is gone.
fn of(named: Option<&Named>, words: &Labels) -> CellContent {
    let text = |Named { id, name, platform }: &Named| match name {
        Some(name) => name.clone(),
        None if *platform => words.text(&["platform"]).to_owned(),
        None => format!("#{id}"),
    };
    named.map(text).as_deref().into()
}

/// Parts that are nothing but a reference, by their table, and references that their crate cannot declare: it does not know
/// the other.
const REFERENCES: &[(&str, &str)] = &[
    ("created_by", "user"),
    ("tenant_group_member", "tenant"),
    ("user_role", "role"),
    ("price_list_tenant", "tenant"),
    ("price_list_tenant_group", "tenant_group"),
    ("price_list_excluded_tenant", "tenant"),
    ("tenant_ids", "tenant"),
    ("tenant_group_ids", "tenant_group"),
    ("excluded_tenant_ids", "tenant"),
];

/// The ranges of a trade dimension, and which of their columns are lengths.
const LADDER: &str = "trade_dimension_cluster";
const LENGTHS: [&str; 3] = ["minimum", "maximum", "calculation_value"];

/// The values of an article, by attribute.
const VALUES: &str = "attribute_values.";

/// Kinds of records by their tables. Options are parts of attributes, and have no descriptor.
type Kind = &'static str;

const ATTRIBUTE: Kind = "attribute";
const USER: Kind = "user";
const OPTION: Kind = "attribute_option";

/// What a field refers to.
fn kind_of(field: &str) -> Option<Kind> {
    // asked of every value of every change
    static KINDS: LazyLock<HashMap<&str, Kind>> = LazyLock::new(|| {
        let declared = resource::all().iter().flat_map(|resource| resource.references);
        let declared = declared.map(|reference| (reference.field, reference.table()));
        // the first one of a name counts
        let all: Vec<_> = declared.chain(REFERENCES.iter().copied()).collect();
        all.into_iter().rev().collect()
    });
    KINDS.get(field).copied()
}

/// The records that an adjustment to articles names, by the lists that name them.
const APPLIED_TO: [(&str, Kind); 4] = [
    ("articles", "article"),
    ("article_types", "article_type"),
    ("categories", "category"),
    ("materials", "material"),
];

/// What a list within a field refers to: of a comparison what it compares, of what an adjustment applies to.
fn kind_within(part: &Map<String, Json>, field: &str) -> Option<Kind> {
    let text = |name: &str| part.get(name).and_then(Json::as_str);
    if field == "value" && part.contains_key("op") {
        let compared = text("type")?;
        return resource::all().iter().map(|resource| resource.table()).find(|table| *table == compared);
    }
    let is_applied_to = text("kind") == Some("item");
    APPLIED_TO.iter().find(|(name, _)| is_applied_to && *name == field).map(|(_, kind)| *kind)
}

/// What entries refer to, and what it is called.
#[derive(Default)]
struct Names {
    wanted: HashSet<(Kind, i64)>,
    known: HashMap<(Kind, i64), String>,
    /// Users whom the caller does not see: the platform's.
    hidden: HashSet<i64>,
    /// Of metric attributes: what their values are stored in.
    units: HashMap<i64, Unit>,
}

impl Names {
    fn want(&mut self, kind: Kind, id: Option<i64>) {
        self.wanted.extend(id.map(|id| (kind, id)));
    }

    fn want_all(&mut self, changes: &[Change]) {
        for change in changes {
            for value in [&change.from, &change.to] {
                collect(&change.field, value, self);
            }
        }
    }

    fn of(&self, kind: Kind, id: i64) -> Named {
        let name = self.known.get(&(kind, id)).cloned();
        Named { id, name, platform: kind == USER && self.hidden.contains(&id) }
    }

    /// Names are those that the caller could see anyway.
    async fn load(&mut self, db: &impl ConnectionTrait, scope: &Scope) -> Result<()> {
        let everybody = &scope.acting_for(None);
        for resource in resource::all() {
            let ids = self.ids(resource.table());
            if ids.is_empty() {
                continue;
            }
            for row in db.query_all(&resource.names(everybody, &ids)).await? {
                let (id, name) = (row.try_get("", "id")?, row.try_get("", "name")?);
                self.known.insert((resource.table(), id), name);
            }
        }
        let companies =
            self.ids("tenant").into_iter().filter(|id| !self.known.contains_key(&("tenant", *id)));
        let companies = partner::companies(db, scope, companies.collect::<Vec<_>>()).await?;
        self.known.extend(companies.into_iter().map(|(id, company)| (("tenant", id), company)));
        let unseen = self.ids(USER).into_iter().filter(|id| !self.known.contains_key(&(USER, *id)));
        let unseen: Vec<_> = unseen.collect();
        if !unseen.is_empty() {
            self.hidden = user::lookup::existing(db, unseen).await?.into_iter().collect();
        }
        let metric = scope.find::<Attributes>().filter(attribute::Column::Id.is_in(self.ids(ATTRIBUTE)));
        for attribute in metric.filter(attribute::Column::UnitCategory.is_not_null()).all(db).await? {
            self.units.extend(attribute.unit_category.map(|category| (attribute.id, category.base())));
        }
        let options = attribute::option_names(db, scope, self.ids(OPTION)).await?;
        self.known.extend(options.into_iter().map(|(id, name)| ((OPTION, id), name)));
        Ok(())
    }

    fn ids(&self, kind: Kind) -> Vec<i64> {
        self.wanted.iter().filter(|(other, _)| *other == kind).map(|(_, id)| *id).collect()
    }
}

/// What has changed, as the history tells it.
pub(super) async fn shown_changes(
    db: &impl ConnectionTrait,
    scope: &Scope,
    changes: Vec<Vec<Change>>,
) -> Result<Vec<Vec<ChangeView>>> {
    let mut names = Names::default();
    for changes in &changes {
        names.want_all(changes);
    }
    names.load(db, scope).await?;
    let view = |changes: Vec<Change>| changes.into_iter().map(|change| change_view(change, &names)).collect();
    Ok(changes.into_iter().map(view).collect())
}

async fn shown(
    db: &impl ConnectionTrait,
    scope: &Scope,
    entries: Vec<AuditEntry>,
) -> Result<Vec<AuditEntryView>> {
    let undone = undo::undone(db, scope, &entries).await?;
    let offered = undo::offered(db, scope, &entries, &undone).await?;
    // what became of a record may be thousands of parts, whose computing must keep nobody else waiting
    let scope = *scope;
    let (read, mut names) = run_blocking(move || read_changes(&scope, entries)).await?;
    names.load(db, &scope).await?;
    run_blocking(move || views((&undone, &offered), read, &names)).await
}

/// Reads the changes of the entries and collects the names of what they refer to.
fn read_changes(scope: &Scope, entries: Vec<AuditEntry>) -> (Vec<(AuditEntry, Vec<Change>)>, Names) {
    let mut names = Names::default();
    let read = |entry: AuditEntry| {
        let mut changes = row::changes_of(&entry.changes);
        resource::hide(scope, &entry.record, &mut changes);
        names.want("tenant", entry.tenant_id);
        names.want(USER, entry.user_id);
        names.want("import", entry.channel_id.filter(|_| entry.channel == "import"));
        names.want("personal_access_token", entry.channel_id.filter(|_| entry.channel == "token"));
        names.want_all(&changes);
        (entry, changes)
    };
    (entries.into_iter().map(read).collect(), names)
}

/// `undone` have been taken back, `offered` can be.
fn views(
    (undone, offered): (&HashSet<i64>, &HashSet<i64>),
    read: Vec<(AuditEntry, Vec<Change>)>,
    names: &Names,
) -> Vec<AuditEntryView> {
    let text = |text: String| (!text.is_empty()).then_some(text);
    let view = |(entry, changes): (AuditEntry, Vec<Change>)| AuditEntryView {
        undone: undone.contains(&entry.id),
        undoable: offered.contains(&entry.id),
        undoes: entry.undoes,
        request_id: text(entry.request),
        id: entry.id,
        at: entry.at,
        action: entry.action,
        record: entry.record,
        record_id: entry.record_id,
        record_name: text(entry.record_name),
        tenant: entry.tenant_id.map(|id| names.of("tenant", id)),
        user: entry.user_id.map(|id| names.of(USER, id)),
        through: entry.channel_id.map(|id| match entry.channel.as_str() {
            "import" => names.of("import", id),
            "token" => names.of("personal_access_token", id),
            _ => Named { id, name: None, platform: false },
        }),
        channel: entry.channel,
        address: text(entry.address),
        changes: changes.into_iter().map(|change| change_view(change, names)).collect(),
    };
    read.into_iter().map(view).collect()
}

fn collect(field: &str, value: &Json, names: &mut Names) {
    if let Some(attribute) = field.strip_prefix(VALUES) {
        names.want(ATTRIBUTE, attribute.parse().ok());
        names.want(OPTION, value.get("o").and_then(Json::as_i64));
        return;
    }
    match value {
        Json::Array(parts) => parts.iter().for_each(|part| collect(field, part, names)),
        Json::Object(part) => {
            for (field, value) in part {
                match (kind_within(part, field), value.as_array()) {
                    (Some(kind), Some(ids)) => ids.iter().for_each(|id| names.want(kind, id.as_i64())),
                    _ => collect(field, value, names),
                }
            }
        }
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
        if field == LADDER {
            let (from, to) = (in_metres(from), in_metres(to));
            return ChangeView { field, of: None, unit: Some(Unit::Metre), from, to };
        }
        return ChangeView { field, of: None, unit: None, from, to };
    };
    let value = |value: Json| match value.get("o").and_then(Json::as_i64) {
        Some(option) => json!(names.of(OPTION, option)),
        None => ["n", "t"].iter().find_map(|kind| value.get(*kind)).cloned().unwrap_or_default(),
    };
    let of = Some(names.of(ATTRIBUTE, attribute));
    let unit = names.units.get(&attribute).copied();
    ChangeView { field: "attribute_values".to_owned(), of, unit, from: value(from), to: value(to) }
}

/// Ranges with their lengths as the API gives them.
pub(super) fn in_metres(mut ranges: Json) -> Json {
    for range in ranges.as_array_mut().into_iter().flatten().filter_map(Json::as_object_mut) {
        for name in LENGTHS {
            let stored = range.get(name).and_then(Json::as_str).and_then(|length| length.parse().ok());
            range.extend(stored.map(|length| (name.to_owned(), metres(length).to_string().into())));
        }
    }
    ranges
}

/// A moment as the API gives it. Earlier it was noted as in a statement: `'2026-11-21 09:30:00.000000 +00:00'`.
fn moment(value: Json) -> Json {
    let noted = value.as_str().and_then(|text| text.strip_prefix('\'')?.strip_suffix('\''));
    let moment = noted.and_then(|noted| DateTime::parse_from_str(noted, "%Y-%m-%d %H:%M:%S%.6f %:z").ok());
    moment.map_or(value, |moment| json!(moment.with_timezone(&Utc)))
}

/// The value with `{"id", "name"}` in place of each reference.
fn resolved(field: &str, value: Json, names: &Names) -> Json {
    match value {
        Json::Array(parts) => parts.into_iter().map(|part| resolved(field, part, names)).collect(),
        Json::Object(part) => {
            let told = part.iter().map(|(field, value)| {
                let of_kind =
                    |kind| move |id: &Json| id.as_i64().map_or(Json::Null, |id| json!(names.of(kind, id)));
                let value = match (kind_within(&part, field), value.as_array()) {
                    (Some(kind), Some(ids)) => ids.iter().map(of_kind(kind)).collect(),
                    _ => resolved(field, value.clone(), names),
                };
                (field.clone(), value)
            });
            told.collect::<Map<_, _>>().into()
        }
        value => match (kind_of(field), value.as_i64()) {
            (Some(kind), Some(id)) => json!(names.of(kind, id)),
            _ if field.ends_with("_at") => moment(value),
            _ => value,
        },
    }
}
