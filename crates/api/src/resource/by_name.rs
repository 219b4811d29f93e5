//! Records by their unique names. A name is compared like the unique index compares it; such calls do not
//! rename records.

use std::{
    future::{Ready, ready},
    marker::PhantomData,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Path};
use http_api::{
    access::Authorized,
    answer::{CreatedOrChanged, OkJson, created_or_changed, ok_json},
    contract::Schemas,
    input::{Input, RequestInfo},
    json,
    problem::Refusal,
    raw_body::{Patch, RawBody},
    routes::Answer,
};
use lists::{Creatable, Managed};
use sea_orm::{ColumnTrait, QueryFilter};
use store::{Database, Owner, Scope, Unique};
use utoipa::openapi::{
    HttpMethod, ObjectBuilder, Required,
    path::{Operation, ParameterBuilder, ParameterIn},
    schema::Type,
};
use values::{Error, Result, fold, permission::Grants};

use crate::{
    codes,
    resource::{
        crud::Operations,
        record_update::{self, Current, NameInPath},
        view::{DataSource, HasView, Writable, load_detail},
    },
    state::Server,
};

/// A resource whose records are found by a unique name.
pub(crate) trait UniquelyNamed: Writable + Creatable<<Self as HasView>::Source> {
    /// Column of the folded name, by which names are compared.
    const FOLDED: Self::Column;
    /// Field of the name in the input.
    const FIELD: &'static str;
    /// Name of the path parameter: `…/by-number/{number}`.
    const PARAMETER: &'static str;

    /// Returns the error for a name that no record has.
    async fn unknown_name(_: &Database, _: &Scope, _: &str) -> Result<Error> {
        Ok(Error::not_found())
    }
}

/// Implements [`UniquelyNamed`]: `by_name!(Materials by name: NameFold, "name")`.
macro_rules! by_name {
    ($table:ident by $parameter:ident: $folded:expr, $field:literal) => {
        impl $crate::resource::by_name::UniquelyNamed for $table {
            const FOLDED: Self::Column = $folded;
            const FIELD: &'static str = $field;
            const PARAMETER: &'static str = stringify!($parameter);
        }
    };
}

pub(crate) use by_name;

impl<R: UniquelyNamed> Operations<'_, R> {
    /// Publishes reading, writing and changing a record by its name. `C` is required as well if writing
    /// creates the record.
    pub(crate) fn by_name<V: Grants, U: Grants, C: Grants>(self, about: &str) -> Self {
        let below = format!("/by-{}/{{{}}}", R::PARAMETER.replace('_', "-"), R::PARAMETER);
        let name = |verb: &str| format!("{verb}_by_{}", R::PARAMETER);
        let shows = format!("Shows {about}.");
        let puts = format!(
            "Creates {about}, or changes the existing one without renaming it. Creating also requires the permission to create."
        );
        let patches = format!("Changes {about}: only the fields that are sent.");
        self.publish(HttpMethod::Get, &below, &name("view"), &shows, view::<R, V>)
            .publish(HttpMethod::Put, &below, &name("put"), &puts, put::<R, U, C>)
            .publish(HttpMethod::Patch, &below, &name("patch"), &patches, patch::<R, U>)
    }
}

/// Name in the path, percent-decoded, and the path before it.
pub(crate) struct Name<R> {
    text: String,
    list: String,
    resource: PhantomData<R>,
}

impl<R: UniquelyNamed> FromRequest for Name<R> {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let name = Path::<String>::from_request(request, payload).into_inner().ok();
        // no record has such a name, and PostgreSQL accepts no NUL
        let name = name.filter(|name| !name.trim().is_empty() && !name.contains(char::is_control));
        let pattern = request.match_pattern().unwrap_or_default();
        let list = pattern.split("/by-").next().unwrap_or_default().to_owned();
        let name = name.map(|name| Self { text: name.trim().to_owned(), list, resource: PhantomData });
        ready(name.ok_or_else(|| Refusal(Error::not_found())))
    }
}

impl<R: UniquelyNamed> Name<R> {
    fn name_in_path(&self) -> NameInPath<'_> {
        NameInPath { field: R::FIELD, name: &self.text }
    }
}

impl<R: UniquelyNamed> Input for Name<R> {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        let schema = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(255));
        let parameter = ParameterBuilder::new()
            .name(R::PARAMETER)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .description(Some("Name, percent-encoded (`/` as `%2F`); upper and lower case are equal"))
            .schema(Some(schema));
        operation.parameters.get_or_insert_default().push(parameter.build().into());
    }
}

async fn find_by_name<R: UniquelyNamed>(
    db: &Database,
    scope: &Scope,
    name: &str,
) -> Result<Option<R::Model>> {
    if matches!(R::OWNER, Owner::Tenant(_)) {
        scope.tenant()?;
    }
    Ok(scope.find::<R>().filter(R::FOLDED.eq(fold(name))).one(db).await?)
}

async fn get_by_name<R: UniquelyNamed>(db: &Database, scope: &Scope, name: &str) -> Result<R::Model> {
    match find_by_name::<R>(db, scope, name).await? {
        Some(row) => Ok(row),
        None => Err(R::unknown_name(db, scope, name).await?),
    }
}

async fn view<R: UniquelyNamed, P: Grants>(
    by: Authorized<P>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    name: Name<R>,
) -> Answer<OkJson<R::View>> {
    let scope = R::reading_scope(by.scope());
    let row = get_by_name::<R>(&state.db, &scope, &name.text).await?;
    Ok(ok_json((load_detail::<R>(&state, &scope, row).await?, request.language)))
}

async fn patch<R: UniquelyNamed, P: Grants>(
    by: Authorized<P>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    name: Name<R>,
    Patch(bytes): Patch,
) -> Answer<OkJson<R::View>> {
    let patch = json::read_tree(&bytes)?;
    let reader = R::reading_scope(by.scope());
    let find = async || get_by_name::<R>(&state.db, &reader, &name.text).await;
    let (queue_key, name_in_path) = (fold(&name.text), name.name_in_path());
    let detail =
        record_update::apply_patch::<R>(&state, by.scope(), &patch, &queue_key, Some(&name_in_path), find)
            .await?;
    Ok(ok_json((detail, request.language)))
}

async fn put<R: UniquelyNamed, U: Grants, C: Grants>(
    by: Authorized<U>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    name: Name<R>,
    body: RawBody<R::Input>,
) -> Answer<CreatedOrChanged<R::View>> {
    const TRIES: usize = 5;
    let source = R::Source::from_state(&state);
    let (scope, reader, name_in_path) = (by.scope(), R::reading_scope(by.scope()), name.name_in_path());
    let body = json::read_tree(&body.bytes)?;
    let mut retries = record_update::WriterRetries::default();
    for tries in 1.. {
        let row = find_by_name::<R>(&state.db, &reader, &name.text).await?;
        let is_there = row.is_some();
        let outcome = if let Some(row) = row {
            let current = Current::load::<R>(&state, &reader, row).await?;
            let mut body = body.clone();
            current.check_version(&body)?;
            record_update::refresh_unversioned_fields::<R>(&state, &reader, &mut body, &current).await?;
            let input = record_update::read_replacement::<R>(body, Some(&name_in_path), &current)?;
            let id = current.id().ok_or_else(Error::not_found)?;
            <R as Managed<_>>::update(source, scope, id, input).await
        } else {
            by.require_permission::<C>()?;
            let unknown = R::unknown_name(&state.db, &reader, &name.text).await?;
            if unknown.code() != codes::NOT_FOUND {
                return Err(unknown.into());
            }
            if body.get("version").is_some_and(|version| !version.is_null()) {
                return Err(codes::STALE.into());
            }
            let input =
                record_update::read_replacement::<R>(body.clone(), Some(&name_in_path), &Current::default())?;
            R::create(source, scope, input).await
        };
        match outcome {
            Err(error) if tries < TRIES && is_superseded::<R>(&error, is_there) => {}
            Err(error) => retries.wait(error, || record_update::is_blind(&body)).await?,
            Ok(detail) => {
                return Ok(created_or_changed(
                    R::View::from((detail, request.language)),
                    name.list.clone(),
                    is_there,
                ));
            }
        }
    }
    Err(codes::STALE.into())
}

/// True if another writer has deleted or created the record meanwhile.
fn is_superseded<R: UniquelyNamed>(error: &Error, was_there: bool) -> bool {
    match error {
        Error::Invalid(violations) if !was_there => violations.iter().any(|violation| {
            let is_duplicate =
                |unique: &Unique| unique.field == R::FIELD && unique.code == violation.message.code;
            violation.path == R::FIELD && R::UNIQUE.iter().any(is_duplicate)
        }),
        error => was_there && error.code() == codes::NOT_FOUND,
    }
}
