//! Resources as the API shows them: the view of their records, and the source from which they are read. What
//! can be done with the records is implemented by their domain ([`lists::managed`]).

use lists::{Detailed, Managed};
use serde::Serialize;
use store::{Database, Scope};
use utoipa::ToSchema;
use values::{Error, Language, Result};

use crate::state::State;

/// A resource with a view of its records.
pub(crate) trait HasView: Detailed<<Self as HasView>::Source> {
    /// Source of its records: the database, or the server's state if they need more.
    type Source: DataSource;
    /// View that the API returns.
    type View: From<(DetailOf<Self>, Language)> + Serialize + ToSchema + 'static;

    /// Scope with which the caller reads. It is not narrowed to the tenant they act for where they choose
    /// that tenant from the list.
    fn reading_scope(scope: &Scope) -> Scope {
        *scope
    }
}

/// A resource whose records are changed over HTTP.
pub(crate) trait Writable: HasView + Managed<<Self as HasView>::Source> {}

impl<R: HasView + Managed<<R as HasView>::Source>> Writable for R {}

/// Record of a resource with its related data.
pub(crate) type DetailOf<R> = <R as Detailed<<R as HasView>::Source>>::Detail;

/// Part of the server's state from which records are read and by which they are changed.
pub(crate) trait DataSource: 'static {
    fn from_state(state: &State) -> &Self;
}

impl DataSource for Database {
    fn from_state(state: &State) -> &Self {
        &state.db
    }
}

impl DataSource for State {
    fn from_state(state: &State) -> &Self {
        state
    }
}

/// Loads the related data of a row.
pub(crate) async fn load_detail<R: HasView>(
    state: &State,
    scope: &Scope,
    row: R::Model,
) -> Result<DetailOf<R>> {
    R::detailed(R::Source::from_state(state), scope, vec![row]).await?.pop().ok_or_else(Error::not_found)
}
