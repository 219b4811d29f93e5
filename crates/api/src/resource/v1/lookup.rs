//! Articles and warehouses by what people call them: what every token may ask, so that a program learns what it names.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use catalog::article::{self, Articles};
use kernel::{Code, Violations, fold};
use logistics::warehouse::{self, Warehouses};
use sea_orm::{ColumnTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect};
use serde::Serialize;
use utoipa::{
    ToSchema,
    openapi::{
        ArrayBuilder, Required,
        path::{Operation, ParameterBuilder, ParameterIn},
    },
};

use crate::{
    http::{
        access::Anyone,
        answer::{Shown, Unpaged},
        contract::{self, Schemas},
        input::{self, Db, Input},
        problem::Refusal,
        routes::{Answer, Routes},
        tagged::{Tagged, tagged},
    },
    publish,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "v1": articles, warehouses);
}

/// An article by its number.
#[derive(Serialize, ToSchema, FromQueryResult)]
struct FoundArticle {
    id: i64,
    #[schema(example = "HEB-200-S235JR-12.1")]
    article_number: String,
    #[schema(example = "HEB 200 S235JR 12,1 m")]
    article_name: String,
}

/// A warehouse of the tenant.
#[derive(Serialize, ToSchema, FromQueryResult)]
struct FoundWarehouse {
    id: i64,
    #[schema(example = "DU")]
    short_code: String,
    #[schema(example = "Duisburg")]
    name: String,
}

/// Article numbers that are looked for.
struct Numbers(Vec<String>);

/// Looks up articles by their numbers, whatever their case; those that there are.
#[utoipa::path(get, path = "/api/v1/articles")]
async fn articles(
    by: Anyone,
    Db(db): Db,
    Numbers(numbers): Numbers,
) -> Answer<Tagged<Shown<Unpaged<FoundArticle>>>> {
    let found = by
        .scope()
        .find::<Articles>()
        .select_only()
        .columns([article::Column::Id, article::Column::ArticleNumber, article::Column::ArticleName])
        .filter(article::Column::ArticleNumberFold.is_in(numbers.iter().map(|number| fold(number))))
        .order_by_asc(article::Column::ArticleNumberFold);
    Ok(tagged(Unpaged { data: found.into_model().all(&db).await? }))
}

/// Lists the warehouses of the tenant.
#[utoipa::path(get, path = "/api/v1/warehouses")]
async fn warehouses(by: Anyone, Db(db): Db) -> Answer<Tagged<Shown<Unpaged<FoundWarehouse>>>> {
    let found = by
        .scope()
        .find::<Warehouses>()
        .select_only()
        .columns([warehouse::Column::Id, warehouse::Column::ShortCode, warehouse::Column::Name])
        .filter(warehouse::Column::TenantId.eq(by.scope().tenant()?))
        .order_by_asc(warehouse::Column::ShortCodeFold);
    Ok(tagged(Unpaged { data: found.into_model().all(&db).await? }))
}

const NUMBER: &str = "number";
const NUMBERS_MAX: usize = 100;

impl FromRequest for Numbers {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let mut violations = Violations::new();
        let mut numbers = Vec::new();
        for (name, value) in input::parameters(request) {
            match &*name {
                NUMBER => numbers.push(value.trim().to_owned()),
                _ => violations.add(name, Code::UnknownParameter.with("known", NUMBER)),
            }
        }
        numbers.retain(|number| !number.is_empty());
        match numbers.len() {
            0 => violations.add(NUMBER, Code::Required),
            1..=NUMBERS_MAX => {}
            _ => violations.add(NUMBER, Code::TooMany.with("max", NUMBERS_MAX)),
        }
        ready(violations.check().map(|()| Self(numbers)).map_err(Refusal))
    }
}

impl Input for Numbers {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        let parameter = ParameterBuilder::new()
            .name(NUMBER)
            .parameter_in(ParameterIn::Query)
            .required(Required::True)
            .description(Some("An article number; up to 100 of them"))
            .schema(Some(ArrayBuilder::new().items(contract::text())))
            .example(Some(serde_json::json!(["HEB-200-S235JR-12.1"])));
        operation.parameters.get_or_insert_default().push(parameter.build().into());
    }
}
