//! Sample carts over HTTP.

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{Download, OkJson, OkPage, ok_json, ok_page},
    export::{Column, Export, time},
    input::{Body, Id, List, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use lists::{Creatable, Detailed, Managed};
use pricing::{
    may,
    sample_cart::{
        self, LineDetail, LineInput, ProcessingInput, SampleCart, SampleCartDetail, SampleCartInput,
        SampleCarts, State as CartState,
        difference::{self, CartChange, CartDifference, ChangeKind, ChangeReference},
    },
};
use serde::{Deserialize, Serialize};
use store::Scope;
use utoipa::ToSchema;
use values::{Decimal, Language, Result, Unit, Validated};

use crate::{
    resource::{
        crud::operations,
        item_fault::ItemFault,
        stocks::TradedArticle,
        tenants::{PartyView, TenantReference},
        texts_of,
        view::HasView,
    },
    state::{Server, State},
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, SampleCarts: list, export);
    operations::<SampleCarts>(routes, "/api/admin/sample-carts")
        .create::<may::CreatePriceAdjustment>(
            "Creates a sample cart; by default its present total is the expected one.",
        )
        .view::<may::ViewPriceAdjustment>("Shows a sample cart with its present total.")
        .update::<may::UpdatePriceAdjustment>("Changes a sample cart.")
        .delete::<may::DeletePriceAdjustment>("Deletes a sample cart.")
        .bulk_delete::<may::DeletePriceAdjustment>("Deletes many sample carts.");
    publish!(routes, SampleCarts: difference, accept);
}

/// Cart of articles that a tenant sells, with its expected total and its total at the time of the call.
#[derive(Serialize, ToSchema)]
#[schema(as = SampleCart)]
pub(crate) struct SampleCartView {
    id: i64,
    tenant: TenantReference,
    /// Unique within the tenant, ignoring case.
    #[schema(example = "Träger für Stammkunden, 5 t")]
    name: String,
    /// Buyer; `null` for any buyer.
    #[schema(required)]
    buyer_id: Option<i64>,
    #[schema(required)]
    buyer: Option<PartyView>,
    /// Time of the prices; `null`: always the present.
    #[schema(required)]
    at: Option<DateTime<Utc>>,
    lines: Vec<LineView>,
    /// Expected total in EUR; `null` if a line was refused when the result was accepted.
    #[schema(required, example = "4512.38")]
    expected_total: Option<Decimal>,
    /// Present total in EUR, rounded; `null` if a line is refused.
    #[schema(required, example = "4523.1")]
    total: Option<Decimal>,
    state: CartState,
    /// Number of changes so far; send it back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

/// Article and quantity, with the reasons if it has no price.
#[derive(Serialize, ToSchema)]
#[schema(as = SampleCartLine)]
struct LineView {
    article_id: i64,
    #[schema(required)]
    article: Option<TradedArticle>,
    #[schema(example = "3")]
    quantity: Decimal,
    /// Unit; `null` for the article's listing unit.
    #[schema(required)]
    unit: Option<Unit>,
    /// Warehouse; `null` for any.
    #[schema(required)]
    warehouse_id: Option<i64>,
    processings: Vec<ProcessingInput>,
    /// Errors; empty if the line has a price.
    errors: Vec<ItemFault>,
}

fn faults(refused: Vec<(Option<String>, values::Message)>, language: Language) -> Vec<ItemFault> {
    refused.into_iter().map(|(field, message)| ItemFault::new(field, &message, language)).collect()
}

impl LineView {
    fn new(line: LineInput, detail: LineDetail, language: Language) -> Self {
        let LineInput { article_id, quantity, unit, warehouse_id, processings } = line;
        let article = detail.article.as_deref().map(TradedArticle::from);
        let errors = faults(detail.refused, language);
        Self { article_id, article, quantity, unit, warehouse_id, processings, errors }
    }
}

/// Cart, with the language of its texts.
type SampleCartRow = (SampleCartDetail, Language);

impl From<SampleCartRow> for SampleCartView {
    fn from((detail, language): SampleCartRow) -> Self {
        let state = detail.state();
        let SampleCartDetail { cart, tenant, buyer, lines, total } = detail;
        let SampleCart { id, tenant_id, name, buyer_id, at, expected_total, version, .. } = cart;
        let lines = cart.lines.0.into_iter().zip(lines);
        Self {
            id,
            tenant: TenantReference::new(tenant_id, tenant),
            name,
            buyer_id,
            buyer: buyer.as_ref().map(PartyView::from),
            at,
            lines: lines.map(|(line, detail)| LineView::new(line, detail, language)).collect(),
            expected_total,
            total,
            state,
            version,
            created_at: cart.created_at,
            updated_at: cart.updated_at,
        }
    }
}

impl HasView for SampleCarts {
    type Source = State;
    type View = SampleCartView;
}

impl Detailed<State> for SampleCarts {
    type Detail = SampleCartDetail;

    async fn detailed(state: &State, scope: &Scope, carts: Vec<SampleCart>) -> Result<Vec<SampleCartDetail>> {
        let mut details = Vec::with_capacity(carts.len());
        for cart in carts {
            details.push(sample_cart::read(&state.db, scope, state.calculator(), cart).await?);
        }
        Ok(details)
    }
}

impl Managed<State> for SampleCarts {
    type Input = SampleCartInput;

    async fn update(
        state: &State,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<SampleCartInput>>,
    ) -> Result<SampleCartDetail> {
        sample_cart::update(&state.db, scope, state.calculator(), id, input).await
    }
}

impl Creatable<State> for SampleCarts {
    async fn create(
        state: &State,
        scope: &Scope,
        input: impl Into<Validated<SampleCartInput>>,
    ) -> Result<SampleCartDetail> {
        sample_cart::create(&state.db, scope, state.calculator(), input).await
    }
}

/// Lists the sample carts of the acting tenant with their present totals.
#[utoipa::path(get, path = "/api/admin/sample-carts")]
async fn list(
    by: Authorized<may::ListPriceAdjustments>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    List(query): List<SampleCarts>,
) -> Answer<OkPage<SampleCartView>> {
    let (db, scope) = (&state.db, by.scope());
    let page = query.fetch::<SampleCart>(db, scope, |select| select).await?;
    let calculation = state.calculator().load(db, scope.tenant()?).await?;
    let page = page.detailed(async |rows| sample_cart::detailed(db, scope, &calculation, rows).await).await?;
    Ok(ok_page(page.map(|detail| (detail, request.language))))
}

const COLUMNS: &[Column<SampleCartDetail>] = &[
    ("name", |row, _| row.cart.name.as_str().into()),
    ("buyer", |row, _| row.buyer.as_ref().map(|buyer| buyer.company.as_str()).into()),
    ("at", |row, _| row.cart.at.map(time).into()),
    ("lines", |row, _| (row.lines.len() as u64).into()),
    ("expected_total", |row, _| row.cart.expected_total.into()),
    ("total", |row, _| row.total.into()),
    ("state", |row, labels| labels.choice("state", row.state())),
    ("updated_at", |row, _| time(row.cart.updated_at)),
];

/// Exports all sample carts that match the filters.
#[utoipa::path(get, path = "/api/admin/sample-carts/export")]
async fn export(
    by: Authorized<may::ListPriceAdjustments>,
    Server(state): Server,
    export: Export<SampleCarts>,
) -> Answer<Download> {
    let scope = by.scope();
    // before the export takes a connection
    let calculation = state.calculator().load(&state.db, scope.tenant()?).await?;
    let detailed = async |db: &_, rows| sample_cart::detailed(db, scope, &calculation, rows).await;
    Ok(export.table(scope, texts_of::<SampleCarts>()?, COLUMNS, detailed).await?)
}

/// Reasons why the total of a sample cart differs from the expected one. The changes, each from before to
/// after, add up to the difference.
#[derive(Serialize, ToSchema)]
#[schema(as = SampleCartDifference)]
struct DifferenceView {
    #[schema(required, example = "4512.38")]
    expected_total: Option<Decimal>,
    /// Present total; `null` if a line is refused.
    #[schema(required, example = "4523.1")]
    total: Option<Decimal>,
    /// Difference; `null` if one of the totals is `null`.
    #[schema(required, example = "10.72")]
    difference: Option<Decimal>,
    /// Time at which the expected total was accepted.
    since: DateTime<Utc>,
    changes: Vec<ChangeView>,
}

/// Change since then.
#[derive(Serialize, ToSchema)]
#[schema(as = SampleCartChange)]
struct ChangeView {
    /// Index of the line, from 0; `null` for the whole cart.
    #[schema(required, example = 0)]
    line: Option<usize>,
    kind: ChangeKind,
    /// Name of the list, adjustment or processing; `null` for a stock, and if it is none of them.
    #[schema(required, example = "Verkauf 2027")]
    name: Option<String>,
    reference: ChangeReference,
    /// Amount in EUR when it was accepted; `null` if it did not exist then.
    #[schema(required, example = "4300")]
    before: Option<Decimal>,
    /// Amount in EUR now; `null` if it does not exist any more.
    #[schema(required, example = "4310.72")]
    after: Option<Decimal>,
    /// Reasons why the line has no price.
    errors: Vec<ItemFault>,
}

impl DifferenceView {
    fn new(difference: CartDifference, language: Language) -> Self {
        let CartDifference { expected_total, total, difference, since, changes } = difference;
        let change = |change: CartChange| {
            let CartChange { line, kind, name, reference, before, after, refused } = change;
            ChangeView { line, kind, name, reference, before, after, errors: faults(refused, language) }
        };
        Self { expected_total, total, difference, since, changes: changes.into_iter().map(change).collect() }
    }
}

/// Explains why the total of a sample cart differs from the expected one.
#[utoipa::path(get, path = "/api/admin/sample-carts/{id}/difference")]
async fn difference(
    by: Authorized<may::ViewPriceAdjustment>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<OkJson<DifferenceView>> {
    let difference = difference::calculate(&state.db, by.scope(), state.calculator(), id).await?;
    Ok(OkJson(DifferenceView::new(difference, request.language)))
}

/// Result that the caller has read.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SampleCartAcceptance)]
struct AcceptanceInput {
    /// Total that was read; `null` if a line was refused. Refused if it is not the present total.
    #[schema(example = "4523.1")]
    total: Option<Decimal>,
    /// Version of the cart; an outdated one is refused.
    version: Option<i64>,
}

/// Accepts the present total of a sample cart as the expected one.
#[utoipa::path(post, path = "/api/admin/sample-carts/{id}/accept")]
async fn accept(
    by: Authorized<may::UpdatePriceAdjustment>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(AcceptanceInput { total, version }): Body<AcceptanceInput>,
) -> Answer<OkJson<SampleCartView>> {
    let detail = sample_cart::accept(&state.db, by.scope(), state.calculator(), id, total, version).await?;
    Ok(ok_json((detail, request.language)))
}
