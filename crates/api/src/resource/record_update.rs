//! Bodies that clients send to change a record, interpreted by the contract: read-only fields may be sent
//! back unchanged, a reference can replace its id, and a merge patch is turned into a full input.

mod difference;
mod unversioned_fields;

use std::{
    any::TypeId,
    collections::{BTreeMap, HashMap},
    sync::{Mutex, PoisonError},
};

use background::Attempts;
use http_api::{
    access::Authorized,
    answer::{OkJson, ok_json},
    input::{Id, RequestInfo},
    json,
    raw_body::{Patch, RawBody},
    request_limits::REQUEST_TIMEOUT,
    routes::Answer,
};
use lists::Managed;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use store::{Scope, deadline, standing::is_same};
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema, schema::ArrayItems},
};
use values::{Error, Fault, Language, Result, Validated, Violations, fold, permission::Grants};

use self::difference::difference;
use crate::{
    codes,
    resource::view::{DataSource, DetailOf, Writable, load_detail},
    state::{Server, State},
};

pub(in crate::resource) use self::unversioned_fields::refresh_unversioned_fields;

/// Replaces a record. Read-only fields may be sent back unchanged.
pub(super) async fn put<R: Writable, P: Grants>(
    by: Authorized<P>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    body: RawBody<R::Input>,
) -> Answer<OkJson<R::View>> {
    let reader = R::reading_scope(by.scope());
    let mut retries = WriterRetries::default();
    loop {
        let input: Validated<R::Input> = match json::read(&body.bytes) {
            Err(refused) => read_written_back::<R>(&state, &reader, id, &body.bytes, refused).await?,
            Ok(input) => input,
        };
        match <R as Managed<_>>::update(R::Source::from_state(&state), by.scope(), id, input).await {
            Err(error) => {
                let is_blind = || json::read_tree(&body.bytes).is_ok_and(|body| is_blind(&body));
                if let Err(error) = retries.wait(error, is_blind).await {
                    return Err(with_current::<R>(&state, &reader, id, error).await.into());
                }
            }
            Ok(detail) => return Ok(ok_json((detail, request.language))),
        }
    }
}

/// True if a body has no version: it is applied to the record as it is now.
pub(super) fn is_blind(body: &Value) -> bool {
    body.get("version").is_none_or(Value::is_null)
}

/// Retries of a change without a version, which waits for other writers of the record.
#[derive(Default)]
pub(super) struct WriterRetries(Option<Attempts>);

impl WriterRetries {
    /// Waits before a retry if only another writer prevented a change without a version.
    ///
    /// # Errors
    /// The given error if there is another reason; [`codes::BUSY`] if other writers prevent it for too long.
    pub(super) async fn wait(&mut self, error: Error, is_blind: impl FnOnce() -> bool) -> Result<()> {
        let in_the_way = error.code() == codes::STALE || error.fault() == Some(Fault::Busy);
        if !in_the_way || !is_blind() {
            return Err(error);
        }
        let attempts = self.0.get_or_insert_with(|| {
            deadline::extend(REQUEST_TIMEOUT * 3);
            Attempts::within(REQUEST_TIMEOUT * 2)
        });
        if attempts.pause().await { Ok(()) } else { Err(codes::BUSY.into()) }
    }
}

/// Turns a body that is not an input by itself into one.
async fn read_written_back<R: Writable>(
    state: &State,
    reader: &Scope,
    id: i64,
    bytes: &[u8],
    refused: Error,
) -> Result<Validated<R::Input>> {
    let contract = Contract::from_types::<R::Input, R::View>();
    let Ok(mut body) = json::read_tree(bytes) else { return Err(refused) };
    if !contract.is_written_back(&body) {
        return Err(refused);
    }
    let current = Current::load::<R>(state, reader, reader.get::<R>(&state.db, id).await?).await?;
    current.check_version(&body)?;
    refresh_unversioned_fields::<R>(state, reader, &mut body, &current).await?;
    read_replacement::<R>(body, None, &current)
}

/// Adds the present record to the refusal of a stale version, if the caller can read it.
async fn with_current<R: Writable>(state: &State, reader: &Scope, id: i64, error: Error) -> Error {
    if error.code() != codes::STALE {
        return error;
    }
    let Ok(row) = reader.get::<R>(&state.db, id).await else { return error };
    match Current::load::<R>(state, reader, row).await {
        Ok(current) => Error::Changed(current.0),
        Err(_) => error,
    }
}

/// Turns a body into an input for the present record, if there is one.
pub(super) fn read_replacement<R: Writable>(
    body: Value,
    name_in_path: Option<&NameInPath<'_>>,
    current: &Current,
) -> Result<Validated<R::Input>> {
    let (body, wrong) =
        Contract::from_types::<R::Input, R::View>().strip_read_only(body, current, name_in_path);
    read(&body, wrong)
}

/// Name under which a record is written. The body cannot name another one, and it does not follow from other
/// fields.
pub(super) struct NameInPath<'a> {
    pub(super) field: &'static str,
    pub(super) name: &'a str,
}

impl NameInPath<'_> {
    fn insert_into(&self, fields: &mut Map<String, Value>, current: &Current, wrong: &mut Violations) {
        let present = current.0.first().and_then(|now| now.get(self.field)).cloned();
        match fields.get(self.field) {
            None | Some(Value::Null) => {}
            Some(Value::String(name)) if fold(name) != fold(self.name) => {
                wrong.add(self.field, codes::OTHER_KEY.with("expected", self.name));
            }
            Some(_) => return,
        }
        fields.insert(self.field.to_owned(), present.unwrap_or_else(|| self.name.into()));
    }
}

/// Changes the fields of a record that are sent.
pub(super) async fn patch<R: Writable, P: Grants>(
    by: Authorized<P>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Patch(bytes): Patch,
) -> Answer<OkJson<R::View>> {
    let patch = json::read_tree(&bytes)?;
    let reader = R::reading_scope(by.scope());
    let find = async || reader.get::<R>(&state.db, id).await;
    let detail = apply_patch::<R>(&state, by.scope(), &patch, &id.to_string(), None, find).await?;
    Ok(ok_json((detail, request.language)))
}

/// Changes some fields of the record that is found. Without a version the present record is changed, however
/// often others change it meanwhile: such changes of this process are queued by `queue_key`, the name or id
/// in the request.
pub(super) async fn apply_patch<R: Writable>(
    state: &State,
    scope: &Scope,
    patch: &Value,
    queue_key: &str,
    name_in_path: Option<&NameInPath<'_>>,
    find: impl AsyncFn() -> Result<R::Model>,
) -> Result<DetailOf<R>> {
    if !patch.is_object() {
        return Err(Violations::error("body", codes::WRONG_TYPE));
    }
    let contract = Contract::from_types::<R::Input, R::View>();
    let is_blind = is_blind(patch);
    let _slot = if is_blind { state.changes.queue((R::RESOURCE.name, queue_key)).await } else { None };
    let mut retries = WriterRetries::default();
    loop {
        let row = find().await?;
        let reader = R::reading_scope(scope);
        let current = Current::load::<R>(state, &reader, row).await?;
        let id = current.id().ok_or_else(Error::not_found)?;
        current.check_version(patch)?;
        let mut patch = patch.clone();
        refresh_unversioned_fields::<R>(state, &reader, &mut patch, &current).await?;
        let mut input = current.0.first().map(|view| contract.input_of(view)).unwrap_or_default();
        let version = input.get("version").cloned();
        let (patch, wrong) = contract.strip_read_only(patch, &current, name_in_path);
        merge(&mut input, patch);
        if let (true, Some(fields), Some(version)) = (is_blind, input.as_object_mut(), version) {
            fields.insert("version".to_owned(), version);
        }
        let input: Validated<R::Input> = read(&input, wrong)?;
        match <R as Managed<_>>::update(R::Source::from_state(state), scope, id, input).await {
            Err(error) => retries.wait(error, || is_blind).await?,
            done => return done,
        }
    }
}

/// Record as it is shown, in each language: texts for people differ.
#[derive(Debug, Default)]
pub(crate) struct Current(pub(crate) Vec<Value>);

impl Current {
    pub(super) async fn load<R: Writable>(state: &State, scope: &Scope, row: R::Model) -> Result<Self> {
        let detail = load_detail::<R>(state, scope, row).await?;
        let in_language = |language| serde_json::to_value(R::View::from((detail.clone(), language)));
        let views = [Language::De, Language::En].into_iter().map(in_language).collect::<Result<_, _>>();
        views.map(Self).map_err(Error::internal)
    }

    /// Refuses a body that was read from another version; the error has the present record.
    pub(super) fn check_version(&self, body: &Value) -> Result<()> {
        let now = self.0.first().and_then(|view| view.get("version"));
        match (body.get("version"), now) {
            (Some(Value::Number(read)), Some(Value::Number(now))) if read != now => {
                Err(Error::Changed(self.0.clone()))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn id(&self) -> Option<i64> {
        self.0.first()?.get("id")?.as_i64()
    }
}

/// Schemas of a record's input and view.
pub(crate) struct Contract {
    input: SchemaWithParts,
    view: SchemaWithParts,
}

struct SchemaWithParts {
    schema: RefOr<Schema>,
    parts: HashMap<String, RefOr<Schema>>,
}

impl SchemaWithParts {
    fn from_type<T: ToSchema>() -> Self {
        let mut parts = Vec::new();
        T::schemas(&mut parts);
        Self { schema: T::schema(), parts: parts.into_iter().collect() }
    }

    /// Resolves references and nullable schemas to the schema itself.
    fn resolve<'a>(&'a self, schema: &'a RefOr<Schema>) -> Option<&'a Schema> {
        match schema {
            RefOr::Ref(reference) => {
                let name = reference.ref_location.rsplit('/').next()?;
                self.resolve(self.parts.get(name)?)
            }
            RefOr::T(Schema::OneOf(choices)) => choices.items.iter().find_map(|choice| {
                let choice = self.resolve(choice)?;
                matches!(choice, Schema::Object(object) if !object.properties.is_empty()).then_some(choice)
            }),
            RefOr::T(schema) => Some(schema),
        }
    }

    /// True if it is one of several kinds of objects, which is written as it is shown.
    fn is_choice(&self, schema: &RefOr<Schema>) -> bool {
        match schema {
            RefOr::Ref(reference) => {
                let name = reference.ref_location.rsplit('/').next().unwrap_or_default();
                self.parts.get(name).is_some_and(|schema| self.is_choice(schema))
            }
            RefOr::T(Schema::OneOf(choices)) => {
                let objects = choices.items.iter().filter_map(|choice| self.resolve(choice));
                objects
                    .filter(
                        |choice| matches!(choice, Schema::Object(object) if !object.properties.is_empty()),
                    )
                    .count()
                    > 1
            }
            RefOr::T(_) => false,
        }
    }

    fn field<'a>(&'a self, schema: &'a RefOr<Schema>, name: &str) -> Option<&'a RefOr<Schema>> {
        match self.resolve(schema)? {
            Schema::Object(object) => object.properties.get(name),
            _ => None,
        }
    }

    fn fields<'a>(
        &'a self,
        schema: &'a RefOr<Schema>,
    ) -> impl Iterator<Item = (&'a String, &'a RefOr<Schema>)> {
        let object = match self.resolve(schema) {
            Some(Schema::Object(object)) => Some(object),
            _ => None,
        };
        object.into_iter().flat_map(|object| &object.properties)
    }

    fn entry<'a>(&'a self, schema: &'a RefOr<Schema>) -> Option<&'a RefOr<Schema>> {
        match self.resolve(schema)? {
            Schema::Array(array) => match &array.items {
                ArrayItems::RefOrSchema(schema) => Some(schema),
                ArrayItems::False => None,
            },
            _ => None,
        }
    }
}

/// Position within a body, with its schemas and present values.
struct BodyPosition<'a> {
    input: &'a RefOr<Schema>,
    view: Option<&'a RefOr<Schema>>,
    current: Vec<&'a Value>,
    path: String,
}

impl Contract {
    /// Contract of two types, cached for the whole process.
    pub(crate) fn from_types<I: ToSchema + 'static, V: ToSchema + 'static>() -> &'static Self {
        static CONTRACTS: Mutex<BTreeMap<(TypeId, TypeId), &'static Contract>> = Mutex::new(BTreeMap::new());
        let mut contracts = CONTRACTS.lock().unwrap_or_else(PoisonError::into_inner);
        let describe = || {
            &*Box::leak(Box::new(Self {
                input: SchemaWithParts::from_type::<I>(),
                view: SchemaWithParts::from_type::<V>(),
            }))
        };
        contracts.entry((TypeId::of::<I>(), TypeId::of::<V>())).or_insert_with(describe)
    }

    /// True if a body contains read-only fields.
    pub(crate) fn is_written_back(&self, body: &Value) -> bool {
        self.holds_read_only(&self.input.schema, Some(&self.view.schema), body)
    }

    fn holds_read_only(&self, input: &RefOr<Schema>, view: Option<&RefOr<Schema>>, body: &Value) -> bool {
        match body {
            Value::Object(fields) => fields.iter().any(|(name, value)| {
                let view_field = view.and_then(|view| self.view.field(view, name));
                match self.input.field(input, name) {
                    Some(input) => self.holds_read_only(input, view_field, value),
                    None => view_field.is_some(),
                }
            }),
            Value::Array(entries) => self.input.entry(input).is_some_and(|input| {
                let view = view.and_then(|view| self.view.entry(view));
                entries.iter().any(|entry| self.holds_read_only(input, view, entry))
            }),
            _ => false,
        }
    }

    /// Returns a body without its read-only fields, and an error for each that differs from the record. A
    /// derived field that is written back unchanged stays derived.
    fn strip_read_only(
        &self,
        mut body: Value,
        current: &Current,
        name_in_path: Option<&NameInPath<'_>>,
    ) -> (Value, Violations) {
        let mut wrong = Violations::new();
        let first = current.0.first();
        if let Value::Object(fields) = &mut body {
            let follows = |name: &&String| {
                let now = first.and_then(|now| now.get(name.as_str()));
                fields.get(&override_flag(name)) == Some(&Value::Bool(false))
                    && first.is_some_and(|now| !is_overridden(now, name))
                    && fields.get(name.as_str()).zip(now).is_some_and(|(value, now)| is_same(value, now))
            };
            for name in fields.keys().filter(follows).cloned().collect::<Vec<_>>() {
                fields.remove(&name);
            }
            if let Some(name_in_path) = name_in_path {
                name_in_path.insert_into(fields, current, &mut wrong);
            }
        }
        let position = BodyPosition {
            input: &self.input.schema,
            view: Some(&self.view.schema),
            current: current.0.iter().collect(),
            path: String::new(),
        };
        let body = self.strip_at(position, body, &mut wrong);
        (body, wrong)
    }

    fn strip_at(&self, position: BodyPosition<'_>, body: Value, wrong: &mut Violations) -> Value {
        let BodyPosition { input, view, current, path } = position;
        let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        match body {
            Value::Object(fields) => {
                let (mut input_fields, mut read) = (Map::new(), Vec::new());
                for (name, value) in fields {
                    let current: Vec<&Value> = current.iter().filter_map(|now| now.get(&name)).collect();
                    let view_field = view.and_then(|view| self.view.field(view, &name));
                    match (self.input.field(input, &name), view_field) {
                        (Some(input), view) => {
                            let position = BodyPosition { input, view, current, path: below(&name) };
                            let value = self.strip_at(position, value, wrong);
                            input_fields.insert(name, value);
                        }
                        (None, Some(_)) => {
                            if let Some(path) = difference(&value, &current, &below(&name)) {
                                wrong.add(path, codes::READ_ONLY);
                            }
                            read.push(name);
                        }
                        // unknown to both schemas: reading the input reports it
                        (None, None) => {
                            input_fields.insert(name, value);
                        }
                    }
                }
                for (field, _) in self.input.fields(input) {
                    if let (false, Some(now)) = (input_fields.contains_key(field), current.first())
                        && let Some((name, id)) = find_reference(now, field)
                        && read.contains(name)
                    {
                        input_fields.insert(field.clone(), id);
                    }
                }
                Value::Object(input_fields)
            }
            Value::Array(entries) => {
                let Some(input) = self.input.entry(input) else { return Value::Array(entries) };
                let view = view.and_then(|view| self.view.entry(view));
                let entries = entries.into_iter().enumerate().map(|(index, entry)| {
                    let current = current.iter().filter_map(|now| find_entry(now, &entry, index)).collect();
                    self.strip_at(
                        BodyPosition { input, view, current, path: below(&index.to_string()) },
                        entry,
                        wrong,
                    )
                });
                Value::Array(entries.collect())
            }
            other => other,
        }
    }

    /// True if the input has a field of that name.
    pub(super) fn has_input_field(&self, field: &str) -> bool {
        self.input.field(&self.input.schema, field).is_some()
    }

    /// Returns the fields of the entries of a list; empty if they are not objects.
    pub(super) fn fields_of_entries(&self, list: &str) -> Vec<&str> {
        let entry = self.input.field(&self.input.schema, list).and_then(|list| self.input.entry(list));
        entry.map(|entry| self.input.fields(entry).map(|(name, _)| &**name).collect()).unwrap_or_default()
    }

    /// Rebuilds the input of a record from its view, without derived fields.
    pub(crate) fn input_of(&self, record: &Value) -> Value {
        self.input_at(&self.input.schema, record)
    }

    fn input_at(&self, input: &RefOr<Schema>, record: &Value) -> Value {
        match record {
            Value::Object(_) if self.input.is_choice(input) => record.clone(),
            Value::Object(now) => {
                let mut fields = Map::new();
                for (field, schema) in self.input.fields(input) {
                    match now.get(field) {
                        Some(_) if !is_overridden(record, field) => {}
                        Some(value) => {
                            fields.insert(field.clone(), self.input_at(schema, value));
                        }
                        None => {
                            fields.extend(find_reference(record, field).map(|(_, id)| (field.clone(), id)));
                        }
                    }
                }
                // an input without known fields is free-form
                if self.input.fields(input).next().is_none() { record.clone() } else { Value::Object(fields) }
            }
            Value::Array(entries) => match self.input.entry(input) {
                Some(input) => entries.iter().map(|entry| self.input_at(input, entry)).collect(),
                None => record.clone(),
            },
            other => other.clone(),
        }
    }
}

/// Reads an input whose read-only fields were removed; returns all errors together.
pub(crate) fn read<T: DeserializeOwned + ToSchema>(body: &Value, mut wrong: Violations) -> Result<T> {
    let bytes = serde_json::to_vec(body).map_err(Error::internal)?;
    match json::read(&bytes) {
        Err(Error::Invalid(more)) => {
            wrong.extend(more);
            Err(Error::Invalid(wrong))
        }
        read => wrong.check().and(read),
    }
}

/// Applies a merge patch (RFC 7396).
pub(crate) fn merge(target: &mut Value, patch: Value) {
    match patch {
        Value::Object(patch) => {
            if !target.is_object() {
                *target = Value::Object(Map::new());
            }
            let Some(fields) = target.as_object_mut() else { return };
            for (name, value) in patch {
                if value.is_null() {
                    fields.remove(&name);
                } else {
                    merge(fields.entry(name).or_insert(Value::Null), value);
                }
            }
        }
        other => *target = other,
    }
}

pub(super) fn override_flag(name: &str) -> String {
    format!("{name}_overridden")
}

/// False if the record marks the field as derived.
fn is_overridden(record: &Value, name: &str) -> bool {
    record.get(override_flag(name)) != Some(&Value::Bool(false))
}

/// Field in which a record shows what an id of the input refers to, and that id: `article_type_group_id` is
/// shown as `group`, `tenant_ids` as `tenants`.
fn find_reference<'a>(record: &'a Value, field: &str) -> Option<(&'a String, Value)> {
    let fields = record.as_object()?;
    let id = |reference: &Value| reference.get("id").cloned();
    if let Some(stem) = field.strip_suffix("_id") {
        let names = |name: &String| stem == name.as_str() || stem.ends_with(&format!("_{name}"));
        let (name, reference) = fields
            .iter()
            .find(|(name, reference)| names(name) && (reference.is_object() || reference.is_null()))?;
        return Some((name, if reference.is_null() { Value::Null } else { id(reference)? }));
    }
    let plural = format!("{}s", field.strip_suffix("_ids")?);
    let (name, references) = fields.iter().find(|(name, _)| **name == plural)?;
    Some((name, references.as_array()?.iter().map(id).collect::<Option<Vec<_>>>()?.into()))
}

/// Finds the entry of a list that corresponds to an entry of a body: by its id, otherwise by its position.
fn find_entry<'a>(list: &'a Value, entry: &Value, index: usize) -> Option<&'a Value> {
    let list = list.as_array()?;
    for key in ["id", "attribute_id"] {
        if let Some(id) = entry.get(key).filter(|id| !id.is_null()) {
            return list.iter().find(|now| now.get(key) == Some(id));
        }
    }
    list.get(index)
}

#[cfg(test)]
mod tests;
