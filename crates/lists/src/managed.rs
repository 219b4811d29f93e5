//! Operations on the records of a resource. The resource's domain implements these traits next to its
//! rules; the HTTP API publishes them as operations and adds only views and permissions.
//!
//! `C` is the source that a resource needs: [`Database`] for most. Where commands need keys, caches or
//! another domain's data, the API implements the traits for its own state.
#![expect(
    async_fn_in_trait,
    reason = "handlers of the API stay on their thread; callers that name the resource see that it is Send"
)]

use sea_orm::FromQueryResult;
use serde::de::DeserializeOwned;
use store::{Database, Recorded, Scope};
use utoipa::ToSchema;
use values::{Input, Result, Validated};

use crate::Listed;

/// Resource whose records are shown with related data, which are read from a `C`.
pub trait Detailed<C>: Listed + Recorded<Model: FromQueryResult + Send + Sync> + 'static {
    /// Row with its related data.
    type Detail: Clone + Send + 'static;

    /// Loads the related data of rows, in the same order.
    async fn detailed(source: &C, scope: &Scope, rows: Vec<Self::Model>) -> Result<Vec<Self::Detail>>;
}

/// Resource whose records are replaced as a whole from an input.
pub trait Managed<C = Database>: Detailed<C> {
    /// Fields that a caller sends.
    type Input: Input + DeserializeOwned + ToSchema + 'static;
    /// Read-only fields that change without a new version of the record.
    const UNVERSIONED_FIELDS: &'static [(&'static str, UnversionedField)] = &[];

    /// Loads the states that the record had within its present version.
    async fn former_states(_source: &C, _scope: &Scope, _id: i64) -> Result<Vec<Self::Detail>> {
        Ok(Vec::new())
    }

    /// Replaces the fields of a record.
    async fn update(
        source: &C,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<Self::Input>>,
    ) -> Result<Self::Detail>;
}

/// Resource whose records can also be created, from the same input.
pub trait Creatable<C = Database>: Managed<C> {
    /// Creates a record.
    async fn create(
        source: &C,
        scope: &Scope,
        input: impl Into<Validated<Self::Input>>,
    ) -> Result<Self::Detail>;
}

/// Way in which a read-only field changes without a new version of its record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnversionedField {
    /// Derived from other records. Any value can be written back.
    Derived,
    /// Reference, compared by its id: its names are derived from the record that it refers to.
    Reference,
    /// Time, which only increases.
    Time,
    /// Written by the other side of the record. A former value can be written back.
    OtherSide,
}

/// Resource whose records are deleted without confirmation.
pub trait Deletable: Listed + Recorded + 'static {
    /// Deletes a record.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()>;
}

/// Resource of which one field is changed in many records at once.
pub trait Changeable: Listed + Recorded + 'static {
    /// Field with its new value.
    type Change: DeserializeOwned + ToSchema + 'static;

    /// Changes the field of a record by the rules of all its fields.
    async fn change(db: &Database, scope: &Scope, id: i64, change: &Self::Change) -> Result<()>;
}
