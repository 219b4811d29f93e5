//! Changes of the history as the API returns them: references with their present names, values in their
//! units.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use catalog::{
    attribute::{self, Attributes},
    trade_dimension::metres,
};
use chrono::{DateTime, Utc};
use identity::user;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use store::{Scope, audit::Change, resource};
use tenancy::partner;
use utoipa::ToSchema;
use values::{Result, Unit};

/// Record that an entry refers to.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(in crate::resource) struct AuditedReference {
    pub(in crate::resource) id: i64,
    /// Present name; `null` if the record is deleted.
    #[schema(required, example = "S355J2")]
    pub(in crate::resource) name: Option<String>,
    /// True for a user of the platform whom the caller may not see.
    pub(in crate::resource) platform: bool,
}

/// Change of a field.
#[derive(Serialize, ToSchema)]
#[schema(as = AuditedChange)]
pub(in crate::resource) struct ChangeView {
    /// Field, or the kind of parts that were removed and added.
    #[schema(example = "density")]
    pub(super) field: String,
    /// Attribute that the value belongs to.
    #[schema(required)]
    pub(super) of: Option<AuditedReference>,
    /// Unit of the numbers.
    #[schema(required)]
    pub(super) unit: Option<Unit>,
    /// Text, number, `true`, reference as `{"id", "name"}`, or list of parts; `null` for no value.
    #[schema(value_type = Value)]
    pub(super) from: Json,
    #[schema(value_type = Value)]
    pub(super) to: Json,
}

/// Parts that consist of a single reference, by their table, and references that their crate cannot declare
/// because it does not depend on the other crate.
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

/// Table of the ranges of a commercial length, some of whose columns are lengths.
const LADDER: &str = "trade_dimension_cluster";
const LENGTHS: [&str; 3] = ["minimum", "maximum", "calculation_value"];

/// Columns with unordered lists: a change shows the entries that were removed and added.
const UNORDERED: [&str; 2] = ["departures", "exceptions"];

/// Prefix of the fields with the values of an article, followed by the attribute.
const VALUES: &str = "attribute_values.";

/// Kind of records, by its table. Options are parts of attributes and have no descriptor.
pub(in crate::resource) type Kind = &'static str;

const ATTRIBUTE: Kind = "attribute";
pub(in crate::resource) const USER: &str = "user";
const OPTION: Kind = "attribute_option";

/// Returns the kind of records that a field refers to.
fn kind_of(field: &str) -> Option<Kind> {
    // cached, because it is used for every value of every change
    static KINDS: LazyLock<HashMap<&str, Kind>> = LazyLock::new(|| {
        let declared = resource::all().iter().flat_map(|resource| resource.references);
        let declared = declared.map(|reference| (reference.field, reference.table()));
        // the first one of each name is used
        let all: Vec<_> = declared.chain(REFERENCES.iter().copied()).collect();
        all.into_iter().rev().collect()
    });
    KINDS.get(field).copied()
}

/// Kinds of records in the lists of articles, materials and others that an adjustment applies to.
const APPLIED_TO: [(&str, Kind); 4] = [
    ("articles", "article"),
    ("article_types", "article_type"),
    ("categories", "category"),
    ("materials", "material"),
];

/// Returns the kind of records in a list within a field: those that a comparison compares, or that an
/// adjustment applies to.
fn kind_within(part: &Map<String, Json>, field: &str) -> Option<Kind> {
    let text = |name: &str| part.get(name).and_then(Json::as_str);
    if field == "value" && part.contains_key("op") {
        let compared = text("type")?;
        return resource::all().iter().map(|resource| resource.table()).find(|table| *table == compared);
    }
    let is_applied_to = text("kind") == Some("item");
    APPLIED_TO.iter().find(|(name, _)| is_applied_to && *name == field).map(|(_, kind)| *kind)
}

/// Names of records that entries refer to.
#[derive(Default)]
pub(in crate::resource) struct Names {
    requested: HashSet<(Kind, i64)>,
    by_record: HashMap<(Kind, i64), String>,
    /// Users of the platform whom the caller does not see.
    hidden: HashSet<i64>,
    /// Units in which values of metric attributes are stored.
    units: HashMap<i64, Unit>,
}

impl Names {
    pub(in crate::resource) fn request(&mut self, kind: Kind, id: Option<i64>) {
        self.requested.extend(id.map(|id| (kind, id)));
    }

    pub(in crate::resource) fn request_all(&mut self, changes: &[Change]) {
        for change in changes {
            for value in [&change.from, &change.to] {
                collect(&change.field, value, self);
            }
        }
    }

    pub(in crate::resource) fn reference(&self, kind: Kind, id: i64) -> AuditedReference {
        let name = self.by_record.get(&(kind, id)).cloned();
        AuditedReference { id, name, platform: kind == USER && self.hidden.contains(&id) }
    }

    /// Loads the names that the caller could see anyway.
    pub(in crate::resource) async fn load(&mut self, db: &impl ConnectionTrait, scope: &Scope) -> Result<()> {
        let everybody = &scope.acting_for(None);
        for resource in resource::all() {
            let ids = self.ids(resource.table());
            if ids.is_empty() {
                continue;
            }
            for row in db.query_all(&resource.names(everybody, &ids)).await? {
                let (id, name) = (row.try_get("", "id")?, row.try_get("", "name")?);
                self.by_record.insert((resource.table(), id), name);
            }
        }
        let companies =
            self.ids("tenant").into_iter().filter(|id| !self.by_record.contains_key(&("tenant", *id)));
        let companies = partner::companies(db, scope, companies.collect::<Vec<_>>()).await?;
        self.by_record.extend(companies.into_iter().map(|(id, company)| (("tenant", id), company)));
        let unseen = self.ids(USER).into_iter().filter(|id| !self.by_record.contains_key(&(USER, *id)));
        let unseen: Vec<_> = unseen.collect();
        if !unseen.is_empty() {
            self.hidden = user::lookup::existing(db, unseen).await?.into_iter().collect();
        }
        let metric = scope.find::<Attributes>().filter(attribute::Column::Id.is_in(self.ids(ATTRIBUTE)));
        for attribute in metric.filter(attribute::Column::UnitCategory.is_not_null()).all(db).await? {
            self.units.extend(attribute.unit_category.map(|category| (attribute.id, category.base())));
        }
        let options = attribute::option_names(db, scope, self.ids(OPTION)).await?;
        self.by_record.extend(options.into_iter().map(|(id, name)| ((OPTION, id), name)));
        Ok(())
    }

    fn ids(&self, kind: Kind) -> Vec<i64> {
        self.requested.iter().filter(|(other, _)| *other == kind).map(|(_, id)| *id).collect()
    }
}

/// Converts changes for the API, with the names of their references.
pub(in crate::resource) async fn load_change_views(
    db: &impl ConnectionTrait,
    scope: &Scope,
    changes: Vec<Vec<Change>>,
) -> Result<Vec<Vec<ChangeView>>> {
    let mut names = Names::default();
    for changes in &changes {
        names.request_all(changes);
    }
    names.load(db, scope).await?;
    let view = |changes: Vec<Change>| changes.into_iter().map(|change| change_view(change, &names)).collect();
    Ok(changes.into_iter().map(view).collect())
}

fn collect(field: &str, value: &Json, names: &mut Names) {
    if let Some(attribute) = field.strip_prefix(VALUES) {
        names.request(ATTRIBUTE, attribute.parse().ok());
        names.request(OPTION, value.get("o").and_then(Json::as_i64));
        return;
    }
    match value {
        Json::Array(parts) => parts.iter().for_each(|part| collect(field, part, names)),
        Json::Object(part) => {
            for (field, value) in part {
                match (kind_within(part, field), value.as_array()) {
                    (Some(kind), Some(ids)) => ids.iter().for_each(|id| names.request(kind, id.as_i64())),
                    _ => collect(field, value, names),
                }
            }
        }
        value => {
            if let Some(kind) = kind_of(field) {
                names.request(kind, value.as_i64());
            }
        }
    }
}

pub(in crate::resource) fn change_view(Change { field, from, to }: Change, names: &Names) -> ChangeView {
    let Some(attribute) = field.strip_prefix(VALUES).and_then(|id| id.parse().ok()) else {
        let (from, to) = (resolved(&field, from, names), resolved(&field, to, names));
        if UNORDERED.contains(&&*field) {
            let (from, to) = differing(from, to);
            return ChangeView { field, of: None, unit: None, from, to };
        }
        if field == LADDER {
            let (from, to) = (in_metres(from), in_metres(to));
            return ChangeView { field, of: None, unit: Some(Unit::Metre), from, to };
        }
        return ChangeView { field, of: None, unit: None, from, to };
    };
    let value = |value: Json| match value.get("o").and_then(Json::as_i64) {
        Some(option) => json!(names.reference(OPTION, option)),
        None => ["n", "t"].iter().find_map(|kind| value.get(*kind)).cloned().unwrap_or_default(),
    };
    let reference = Some(names.reference(ATTRIBUTE, attribute));
    let unit = names.units.get(&attribute).copied();
    ChangeView { field: "attribute_values".to_owned(), of: reference, unit, from: value(from), to: value(to) }
}

/// Returns the entries of each of two lists that are not in the other.
fn differing(from: Json, to: Json) -> (Json, Json) {
    let entries = |list: Json| if let Json::Array(entries) = list { entries } else { Vec::new() };
    let (from, to) = (entries(from), entries(to));
    let (removed, added): (Vec<_>, Vec<_>) = (
        from.iter().filter(|entry| !to.contains(entry)).cloned().collect(),
        to.into_iter().filter(|entry| !from.contains(entry)).collect(),
    );
    (removed.into(), added.into())
}

/// Converts the lengths of ranges into metres, as the API returns them.
pub(in crate::resource) fn in_metres(mut ranges: Json) -> Json {
    for range in ranges.as_array_mut().into_iter().flatten().filter_map(Json::as_object_mut) {
        for name in LENGTHS {
            let stored = range.get(name).and_then(Json::as_str).and_then(|length| length.parse().ok());
            range.extend(stored.map(|length| (name.to_owned(), metres(length).to_string().into())));
        }
    }
    ranges
}

/// Converts a time for the API. Older entries have it as in a statement:
/// `'2026-11-21 09:30:00.000000 +00:00'`.
fn moment(value: Json) -> Json {
    let noted = value.as_str().and_then(|text| text.strip_prefix('\'')?.strip_suffix('\''));
    let moment = noted.and_then(|noted| DateTime::parse_from_str(noted, "%Y-%m-%d %H:%M:%S%.6f %:z").ok());
    moment.map_or(value, |moment| json!(moment.with_timezone(&Utc)))
}

/// Replaces each reference in a value by `{"id", "name"}`.
fn resolved(field: &str, value: Json, names: &Names) -> Json {
    match value {
        Json::Array(parts) => parts.into_iter().map(|part| resolved(field, part, names)).collect(),
        Json::Object(part) => {
            let fields = part.iter().map(|(field, value)| {
                let of_kind = |kind| {
                    move |id: &Json| id.as_i64().map_or(Json::Null, |id| json!(names.reference(kind, id)))
                };
                let value = match (kind_within(&part, field), value.as_array()) {
                    (Some(kind), Some(ids)) => ids.iter().map(of_kind(kind)).collect(),
                    _ => resolved(field, value.clone(), names),
                };
                (field.clone(), value)
            });
            fields.collect::<Map<_, _>>().into()
        }
        value => match (kind_of(field), value.as_i64()) {
            (Some(kind), Some(id)) => json!(names.reference(kind, id)),
            _ if field.ends_with("_at") => moment(value),
            _ => value,
        },
    }
}
