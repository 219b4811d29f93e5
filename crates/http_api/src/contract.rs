//! Parts of the contract that describe operations and their inputs: schemas, query parameters, answers.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{
        Array, Content, ObjectBuilder, Ref, RefOr, Required, Response, ResponseBuilder, Schema,
        path::{Operation, ParameterBuilder, ParameterIn},
        schema::{AnyOf, AnyOfBuilder, KnownFormat, SchemaFormat, Type},
    },
};

use crate::problem::Problem;

/// Query parameter with the tenant that a user of the platform acts for.
pub const TENANT: &str = "tenant_id";

/// Parameter of lists that selects properties of rows.
pub(crate) const FIELDS: &str = "fields";

/// Schemas that operations refer to.
#[derive(Default)]
pub struct Schemas {
    by_name: BTreeMap<String, RefOr<Schema>>,
    /// Values of filters with a fixed choice, by the name of their schema; filters with the same values share
    /// one.
    choices: BTreeMap<String, Vec<&'static str>>,
}

impl Schemas {
    /// Returns a reference to `T`, whose schema is added once.
    pub fn refer<T: ToSchema>(&mut self) -> RefOr<Schema> {
        let mut parts = Vec::new();
        T::schemas(&mut parts);
        for (name, schema) in parts {
            self.define(&name, schema);
        }
        self.define(&T::name(), T::schema());
        Ref::from_schema_name(T::name()).into()
    }

    /// Adds a schema under a name.
    ///
    /// # Panics
    /// If two types share a name, as the document would describe one of them wrongly.
    pub fn define(&mut self, name: &str, schema: RefOr<Schema>) {
        let schema = flatten(schema);
        match self.by_name.get(name) {
            Some(existing) => assert!(*existing == schema, "two schemas are named {name}"),
            None => {
                self.by_name.insert(name.to_owned(), schema);
            }
        }
    }

    /// True if the record in the answer of an operation has the field.
    pub(super) fn answer_has(&self, operation: &Operation, field: &str) -> bool {
        let content = match operation.responses.responses.get("200") {
            Some(RefOr::T(response)) => response.content.get("application/json"),
            _ => None,
        };
        let Some(RefOr::T(Content { schema: Some(RefOr::Ref(schema)), .. })) = content else { return false };
        let name = schema.ref_location.rsplit('/').next().unwrap_or_default();
        matches!(
            self.by_name.get(name),
            Some(RefOr::T(Schema::Object(object))) if object.properties.contains_key(field)
        )
    }

    /// Returns a reference to the schema of a filter with these values.
    pub fn choice(&mut self, list: &str, field: &str, values: Vec<&'static str>) -> Ref {
        let name = format!("{list}_{field}").split('_').map(capitalise).collect::<String>();
        let filter = Ref::from_schema_name(format!("{name}Filter"));
        self.choices.insert(name, values);
        filter
    }

    pub(super) fn all(&self) -> BTreeMap<String, RefOr<Schema>> {
        let mut all = self.by_name.clone();
        for (name, values) in &self.choices {
            let values: Vec<Value> = values.iter().map(|value| Value::from(*value)).collect();
            let same = |schema: &RefOr<Schema>| match schema {
                RefOr::T(Schema::Object(object)) => {
                    object.enum_values.as_deref().is_some_and(|enum_values| {
                        enum_values.len() == values.len()
                            && values.iter().all(|value| enum_values.contains(value))
                    })
                }
                _ => false,
            };
            let existing = self.by_name.iter().find(|(_, schema)| same(schema)).map(|(name, _)| name);
            let chosen = existing.cloned().unwrap_or_else(|| {
                let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(values));
                all.insert(name.clone(), schema.into());
                name.clone()
            });
            let filter = one_or_several(Ref::from_schema_name(chosen));
            all.insert(format!("{name}Filter"), filter.into());
        }
        all
    }
}

/// Replaces a `oneOf` with a single schema by that schema.
fn flatten(schema: RefOr<Schema>) -> RefOr<Schema> {
    match schema {
        RefOr::T(Schema::OneOf(mut choice)) if choice.items.len() == 1 => {
            let mut only = choice.items.remove(0);
            if let RefOr::T(Schema::Object(object)) = &mut only {
                object.description = choice.description.or(object.description.take());
            }
            only
        }
        schema => schema,
    }
}

fn capitalise(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_uppercase() + rest
}

/// Schema of an id or a count.
pub(crate) fn integer() -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
        .into()
}

/// Schema of a text that names something.
pub fn text() -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).max_length(Some(255)).into()
}

/// Schema of a value, or several.
pub(crate) fn one_or_several(value: impl Into<RefOr<Schema>>) -> AnyOfBuilder {
    let value = value.into();
    AnyOf::builder().item(value.clone()).item(Array::new(value))
}

/// Adds a required query parameter.
pub fn required_parameter(operation: &mut Operation, name: &str, description: &str, schema: RefOr<Schema>) {
    parameter(operation, name, description, schema, Required::True);
}

/// Adds an optional query parameter.
pub fn query_parameter(operation: &mut Operation, name: &str, description: &str, schema: RefOr<Schema>) {
    parameter(operation, name, description, schema, Required::False);
}

fn parameter(
    operation: &mut Operation,
    name: &str,
    description: &str,
    schema: RefOr<Schema>,
    required: Required,
) {
    let parameter = ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(required)
        .description(Some(description))
        .schema(Some(schema));
    operation.parameters.get_or_insert_default().push(parameter.build().into());
}

/// Documents a refusal.
pub(crate) fn refuses(operation: &mut Operation, schemas: &mut Schemas, status: &str, description: &str) {
    let problem = ("application/json", schemas.refer::<Problem>());
    let response = response(description, Some(problem));
    operation.responses.responses.entry(status.to_owned()).or_insert(RefOr::T(response));
}

/// Builds an answer with a description.
pub(crate) fn response(
    description: &str,
    content: impl IntoIterator<Item = (&'static str, RefOr<Schema>)>,
) -> Response {
    let response = ResponseBuilder::new().description(description);
    let with = |response: ResponseBuilder, (media_type, schema)| {
        response.content(media_type, Content::new(Some(schema)))
    };
    content.into_iter().fold(response, with).build()
}
