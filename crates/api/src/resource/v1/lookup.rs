//! Articles and warehouses by their numbers and names; every token may read them, so that programs can
//! resolve references.

use std::{
    borrow::Cow,
    future::{Ready, ready},
};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use catalog::article::{self, Articles};
use http_api::{
    access::AnyUser,
    answer::{OkJson, OkPage, Unpaged, ok_page},
    contract::{self, Schemas},
    etag::{WithEtag, with_etag},
    input::{self, Db, Input, List, RequestInfo},
    problem::Refusal,
    publish,
    routes::{Answer, Routes},
};
use lists::ListQuery;
use logistics::warehouse::{self, Warehouses};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
};
use serde::Serialize;
use store::Scope;
use utoipa::{
    ToSchema,
    openapi::{
        ArrayBuilder,
        path::{Operation, ParameterBuilder, ParameterIn},
    },
};
use values::{Result, Violations};

use crate::{codes, resource::articles::RowView};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "v1": articles, warehouses);
}

/// Warehouse of the tenant.
#[derive(Serialize, ToSchema, FromQueryResult)]
pub(super) struct FoundWarehouse {
    pub(super) id: i64,
    #[schema(example = "DU")]
    short_code: String,
    #[schema(example = "Duisburg")]
    name: String,
}

/// Query for articles by their numbers, or for a page of the filtered list.
struct ArticleQuery(ListQuery<Articles>);

/// Lists articles. With `number`, those with one of up to 100 numbers, ignoring case, on one page.
#[utoipa::path(get, path = "/api/v1/articles")]
async fn articles(
    by: AnyUser,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    ArticleQuery(query): ArticleQuery,
) -> Answer<WithEtag<OkPage<RowView>>> {
    let page = article::list(&db, by.scope(), &query).await?;
    Ok(WithEtag(ok_page(page.map(|row| RowView::new(row, request.language)))))
}

/// Lists the warehouses of the tenant.
#[utoipa::path(get, path = "/api/v1/warehouses")]
async fn warehouses(by: AnyUser, Db(db): Db) -> Answer<WithEtag<OkJson<Unpaged<FoundWarehouse>>>> {
    Ok(with_etag(Unpaged { data: find_warehouses(&db, by.scope(), None).await? }))
}

/// Finds warehouses of the acting tenant: those with these ids, or all.
pub(super) async fn find_warehouses(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: Option<Vec<i64>>,
) -> Result<Vec<FoundWarehouse>> {
    let condition = Condition::all()
        .add(warehouse::Column::TenantId.eq(scope.tenant()?))
        .add_option(ids.map(|ids| warehouse::Column::Id.is_in(ids)));
    let select = scope
        .find::<Warehouses>()
        .select_only()
        .columns([warehouse::Column::Id, warehouse::Column::ShortCode, warehouse::Column::Name])
        .filter(condition)
        .order_by_asc(warehouse::Column::ShortCodeFold);
    Ok(select.into_model().all(db).await?)
}

const NUMBER: &str = "number";
const BY_NUMBER: &str = "filter[article_number_equals]";
const PAGE_SIZE: &str = "page[size]";
const NUMBERS_MAX: usize = 100;

impl FromRequest for ArticleQuery {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(read_query(&input::list_parameters(request)).map(Self).map_err(Refusal))
    }
}

/// Reads the query; numbers are a filter with a single page.
fn read_query(parameters: &[(Cow<'_, str>, Cow<'_, str>)]) -> Result<ListQuery<Articles>> {
    let (numbers, others): (Vec<_>, Vec<_>) = parameters.iter().partition(|(name, _)| name == NUMBER);
    if numbers.is_empty() {
        return ListQuery::parse(others.iter().map(|(name, value)| (&**name, &**value)));
    }
    let texts: Vec<&str> =
        numbers.iter().map(|(_, number)| number.trim()).filter(|number| !number.is_empty()).collect();
    match texts.len() {
        0 => return Err(Violations::error(NUMBER, codes::REQUIRED)),
        1..=NUMBERS_MAX => {}
        _ => return Err(Violations::error(NUMBER, codes::TOO_MANY.with("max", NUMBERS_MAX))),
    }
    let size = NUMBERS_MAX.to_string();
    let has_size = others.iter().any(|(name, _)| name == PAGE_SIZE);
    let page = (!has_size).then_some((PAGE_SIZE, &*size));
    let others = others.iter().map(|(name, value)| (&**name, &**value));
    ListQuery::parse(others.chain(texts.into_iter().map(|number| (BY_NUMBER, number))).chain(page))
}

impl Input for ArticleQuery {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        List::<Articles>::describe(operation, schemas);
        let parameter = ParameterBuilder::new()
            .name(NUMBER)
            .parameter_in(ParameterIn::Query)
            .description(Some("Article number; repeat it for up to 100 numbers"))
            .schema(Some(ArrayBuilder::new().items(contract::text())))
            .example(Some(serde_json::json!(["HEB-200-S235JR-12.1"])));
        operation.parameters.get_or_insert_default().push(parameter.build().into());
    }
}
