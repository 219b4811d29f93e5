//! Records that use another record, as responses list them.

use std::{borrow::Cow, sync::OnceLock};

use serde::{Serialize, Serializer};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use crate::{
    code::{Language, Phrase},
    codes,
    message::Message,
};

/// Records of one resource that refer to a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Usage {
    pub by: ResourceName,
    /// Filter of that resource's list that finds all of them by the record's id.
    #[schema(example = "material_id")]
    pub filter: &'static str,
    /// Number of records in all tenants.
    #[schema(example = 12)]
    pub count: u64,
    /// First records among those that the caller may list; empty if they may list none.
    pub examples: Vec<Example>,
}

/// Record that refers to another record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = UsageExample)]
pub struct Example {
    pub id: i64,
    #[schema(example = "HEB-200-S235JR")]
    pub name: String,
}

/// Name of a resource on the wire and in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceName {
    pub on_the_wire: &'static str,
    pub words: Phrase,
}

impl Serialize for ResourceName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.on_the_wire)
    }
}

/// Names of the resources whose records refer to others and keep them from being deleted.
static REFERRING: OnceLock<Vec<&str>> = OnceLock::new();

/// Declares these resources for the contract, once.
pub fn declare_referring(names: impl Iterator<Item = &'static str>) {
    REFERRING.get_or_init(|| names.collect());
}

impl ToSchema for ResourceName {
    fn name() -> Cow<'static, str> {
        "Resource".into()
    }
}

impl PartialSchema for ResourceName {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("A resource whose records refer to others."))
            .enum_values(Some(REFERRING.get().into_iter().flatten().copied()))
            .into()
    }
}

/// All usages of a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Usages(pub Vec<Usage>);

impl Usages {
    /// Message that explains why a record cannot be deleted: `... (Artikel: 3, Artikeltypen: 1)`.
    pub fn message(&self, language: Language) -> Message {
        let parts = self.0.iter().map(|usage| format!("{}: {}", usage.by.words.text(language), usage.count));
        let parts = parts.collect::<Vec<_>>().join(", ");
        codes::IN_USE.with("uses", if parts.is_empty() { parts } else { format!(" ({parts})") })
    }
}
