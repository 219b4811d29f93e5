//! Bulk operations on the selected records of a list, or on all that match its filters. Each record is
//! processed by the rules of its domain, so that it is refused for the same reasons as alone; refusals name
//! the record.

use std::{
    borrow::Cow,
    future::{Ready, ready},
};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use lists::{ListQuery, Listed};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};
use serde::{Deserialize, Serialize};
use store::{Database, Recorded, Scope, deadline};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, Ref, RefOr, Schema, path::Operation, schema::AdditionalProperties},
};
use values::{Error, Language, Result, Violations};

use crate::{
    codes,
    contract::Schemas,
    filters,
    input::{self, Input},
    problem::Refusal,
};

/// Maximum number of records in a call.
const MAX: usize = 1_000;

/// Filters of a list, without its pages.
pub struct Filters<E: Listed>(pub ListQuery<E>);

/// Selection of records.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Selection {
    /// Ids of the records; `null` for all that match the filters.
    #[schema(max_items = 1000, example = json!([7, 8]))]
    pub ids: Option<Vec<i64>>,
    /// Expected number of records, at most 1,000; if it differs from the actual one, nothing is done.
    #[schema(example = 2)]
    pub count: u64,
}

/// Selection of records to be deleted, for kinds whose loss is severe.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmedSelection {
    /// Ids of the records; `null` for all that match the filters.
    #[schema(max_items = 1000, example = json!([7, 8]))]
    pub ids: Option<Vec<i64>>,
    /// Expected number of records, at most 1,000; if it differs from the actual one, nothing is done.
    #[schema(example = 2)]
    pub count: u64,
    /// Number of records, retyped as a confirmation, like the name of a single one.
    #[schema(max_length = 255, example = "2")]
    pub confirm: String,
}

impl ConfirmedSelection {
    /// Returns the selection if it was confirmed.
    pub fn into_selection(self) -> Result<Selection> {
        let Self { ids, count, confirm } = self;
        if confirm.trim() != count.to_string() {
            return Err(Violations::error("confirm", codes::CONFIRMATION_MISMATCH.with("expected", count)));
        }
        Ok(Selection { ids, count })
    }
}

/// Change of one field of many records.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BulkChange<C> {
    pub selection: Selection,
    pub change: C,
}

/// Schema named after the change; the derived one would have the same name for all.
impl<C: ToSchema> ToSchema for BulkChange<C> {
    fn name() -> Cow<'static, str> {
        Cow::Owned(format!("Bulk{}", C::name()))
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Selection::name().into_owned(), Selection::schema()));
        schemas.push((C::name().into_owned(), C::schema()));
        Selection::schemas(schemas);
        C::schemas(schemas);
    }
}

impl<C: ToSchema> PartialSchema for BulkChange<C> {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .description(Some("One field of many records."))
            .property("selection", Ref::from_schema_name(Selection::name()))
            .required("selection")
            .property("change", Ref::from_schema_name(C::name()))
            .required("change")
            .additional_properties(Some(AdditionalProperties::FreeForm(false)))
            .into()
    }
}

/// Result of a bulk operation.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct BulkOutcome {
    #[schema(example = 12)]
    done: u64,
    /// Records that stay unchanged, each with its reasons.
    refused: Vec<RefusedRecord>,
}

/// Record that stays unchanged.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RefusedRecord)]
pub struct RefusedRecord {
    id: i64,
    #[schema(example = "S355J2")]
    name: String,
    #[schema(example = json!(["Wird noch verwendet: 12 Artikel."]))]
    messages: Vec<String>,
}

impl RefusedRecord {
    /// Builds the refusal of a record from its error.
    pub fn new(id: i64, name: String, error: &Error, language: Language) -> Self {
        Self { id, messages: reasons(error, language), name }
    }
}

/// Runs `one` for each selected record, one after the other.
pub async fn apply_to_each<E: Listed + Recorded>(
    db: &Database,
    scope: &Scope,
    filters: &Filters<E>,
    selection: &Selection,
    language: Language,
    one: impl AsyncFn(i64, &str) -> Result<()>,
) -> Result<BulkOutcome> {
    let mut outcome = BulkOutcome::default();
    for (id, name) in selected_records(db, scope, filters, selection).await? {
        match one(id, &name).await {
            Ok(()) => outcome.done += 1,
            Err(error) => outcome.refused.push(RefusedRecord::new(id, name, &error, language)),
        }
    }
    Ok(outcome)
}

/// Loads the selected records with their names.
pub async fn selected_records<E: Listed + Recorded>(
    db: &Database,
    scope: &Scope,
    Filters(query): &Filters<E>,
    Selection { ids, count }: &Selection,
) -> Result<Vec<(i64, String)>> {
    deadline::extend(deadline::MANY_RECORDS);
    let query = query.resolved(db).await?;
    let selected = match ids {
        Some(ids) if ids.len() > MAX => {
            return Err(Violations::error("ids", codes::TOO_MANY.with("max", MAX)));
        }
        Some(ids) => query.matching(db, scope)?.filter(E::ID.is_in(ids.iter().copied())),
        None => query.matching(db, scope)?,
    };
    let records: Vec<(i64, String)> = selected
        .select_only()
        .column_as(E::ID, "id")
        .expr_as(scope.column::<E>(E::NAME), "name")
        .order_by_asc(E::ID)
        .limit(MAX as u64 + 1)
        .into_tuple()
        .all(db)
        .await?;
    if records.len() > MAX {
        return Err(Violations::error("count", codes::TOO_MANY.with("max", MAX)));
    }
    if records.len() as u64 != *count {
        return Err(codes::SELECTION_CHANGED.with("found", records.len()).into());
    }
    Ok(records)
}

fn reasons(error: &Error, language: Language) -> Vec<String> {
    match error {
        Error::Invalid(violations) => {
            violations.iter().map(|violation| violation.message.text(language)).collect()
        }
        other => {
            if let Some(cause) = other.hidden_cause() {
                tracing::error!(cause, "one of many records");
            }
            other.sentence(language).into_iter().collect()
        }
    }
}

impl<E: Listed + 'static> FromRequest for Filters<E> {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let pairs = input::parameters(request);
        let query = ListQuery::parse_unpaged(pairs.iter().map(|(name, value)| (&**name, &**value)));
        ready(query.map(Self).map_err(Refusal))
    }
}

impl<E: Listed> Input for Filters<E> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        filters::describe::<E>(operation, schemas);
    }
}
