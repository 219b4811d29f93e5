//! The units of measure over HTTP.

use http_api::{
    access::SignedInOrToken,
    answer::{OkJson, Unpaged, ok_json},
    input::RequestInfo,
    publish,
    routes::{Answer, Routes},
};
use serde::Serialize;
use utoipa::ToSchema;
use values::{Decimal, Language, Unit, UnitCategory};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "units": list);
}

/// Unit of measure. Only units of one category convert into each other.
#[derive(Serialize, ToSchema)]
#[schema(as = UnitOfMeasure)]
struct UnitView {
    unit: Unit,
    category: UnitCategory,
    /// Symbol behind a number, in the language of `Accept-Language`.
    #[schema(example = "kg")]
    symbol: &'static str,
    /// Spellings that are recognised in files and input, ignoring case.
    #[schema(example = json!(["kg", "Kilogramm", "kilogram"]))]
    names: Vec<&'static str>,
    /// Number of base units of the category in one of this unit.
    factor: Decimal,
    /// True if values of the category are stored in this unit.
    base: bool,
}

impl UnitView {
    fn new(unit: Unit, language: Language) -> Self {
        let category = unit.category();
        let mut names = vec![unit.as_str()];
        let symbol = unit.symbol(language);
        // the German symbol is read in both languages
        for name in [symbol, unit.symbol(Language::De)].iter().chain(unit.spellings()) {
            if !names.contains(name) {
                names.push(name);
            }
        }
        let base = category.base() == unit;
        Self { unit, category, symbol, names, factor: unit.in_base_units(), base }
    }
}

/// Lists all units of measure.
#[utoipa::path(get, path = "/api/admin/units")]
async fn list(_: SignedInOrToken, RequestInfo(request): RequestInfo) -> Answer<OkJson<Unpaged<UnitView>>> {
    let data = Unit::ALL.iter().map(|unit| UnitView::new(*unit, request.language)).collect();
    Ok(ok_json(Unpaged { data }))
}
