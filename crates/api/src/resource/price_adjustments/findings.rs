//! Findings about price adjustments, over HTTP.

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::OkJson,
    input::RequestInfo,
    publish,
    routes::{Answer, Routes},
};
use pricing::{
    findings::{self, ExampleCart, ExampleLine, Finding, FindingAdjustment, FindingKind, Findings},
    may,
    price_adjustment::PriceAdjustments,
    quote::Processing,
    sample_cart::ProcessingInput,
};
use serde::Serialize;
use utoipa::ToSchema;
use values::{Decimal, Language, Message, Unit};

use crate::{
    codes,
    resource::{impact::calculate_limited, stocks::TradedArticle, tenants::PartyView},
    state::Server,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, PriceAdjustments: findings);
}

/// Findings about the active price adjustments of a tenant.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceAdjustmentFindings)]
struct FindingsView {
    /// Findings by type, then by the order of the adjustments.
    data: Vec<FindingView>,
    /// Number of sample carts that were calculated.
    #[schema(example = 12)]
    sample_carts: u64,
    /// Number of carts that were generated from the conditions.
    #[schema(example = 480)]
    made_carts: u64,
    /// True if everything was examined; otherwise there may be more findings.
    complete: bool,
}

/// Finding about a price adjustment.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceAdjustmentFinding)]
struct FindingView {
    kind: FindingKind,
    adjustment: AdjustmentReference,
    /// Related adjustments: the one that does the same or is applied in addition, those that leave it no
    /// effect, or the one that it depends on.
    others: Vec<AdjustmentReference>,
    #[schema(example = "„Rabatt“ gilt nicht mehr: Der Zeitraum ist vorbei.")]
    message: String,
    /// Cart that shows the finding; `null` if none does.
    #[schema(required)]
    cart: Option<CartView>,
}

/// A price adjustment by its name.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceAdjustmentReference)]
struct AdjustmentReference {
    id: i64,
    #[schema(example = "Großmengenrabatt")]
    name: String,
    /// Position in the order in which adjustments are applied.
    #[schema(example = 1)]
    position: i64,
}

/// Cart that shows a finding.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceAdjustmentFindingCart)]
struct CartView {
    /// Sample cart; `null` for a generated cart.
    #[schema(required)]
    sample_cart: Option<CartReference>,
    /// Buyer; `null` for any buyer.
    #[schema(required)]
    buyer: Option<PartyView>,
    at: DateTime<Utc>,
    lines: Vec<LineView>,
    /// Present total in EUR, rounded.
    #[schema(example = "1940")]
    total: Decimal,
    /// Total in EUR, rounded, without the adjustment that does the same or is applied in addition, without
    /// those that leave it no effect, with the two in the other order, or without the adjustment itself.
    #[schema(example = "1970")]
    otherwise: Decimal,
}

/// A sample cart by its name.
#[derive(Serialize, ToSchema)]
#[schema(as = SampleCartReference)]
struct CartReference {
    id: i64,
    #[schema(example = "Träger für Stammkunden, 5 t")]
    name: String,
}

/// Article and quantity.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceAdjustmentFindingLine)]
struct LineView {
    article: TradedArticle,
    #[schema(example = "25")]
    quantity: Decimal,
    unit: Unit,
    /// Warehouse; `null` for any.
    #[schema(required)]
    warehouse_id: Option<i64>,
    processings: Vec<ProcessingInput>,
}

impl FindingsView {
    fn new(all_findings: Findings, language: Language) -> Self {
        let Findings { findings, sample_carts, made_carts, complete } = all_findings;
        let data = findings.into_iter().map(|finding| FindingView::new(finding, language)).collect();
        Self { data, sample_carts, made_carts, complete }
    }
}

impl FindingView {
    fn new(finding: Finding, language: Language) -> Self {
        let message = message(&finding).text(language);
        let Finding { kind, adjustment, others, cart, .. } = finding;
        Self {
            kind,
            adjustment: adjustment.into(),
            others: others.into_iter().map(AdjustmentReference::from).collect(),
            message,
            cart: cart.map(CartView::from),
        }
    }
}

fn message(finding: &Finding) -> Message {
    let code = match finding.kind {
        FindingKind::NeverApplies => codes::ADJUSTMENT_NEVER_APPLIES,
        FindingKind::Expired => codes::ADJUSTMENT_EXPIRED,
        FindingKind::LacksValues => codes::ADJUSTMENT_LACKS_VALUES,
        FindingKind::EmptyCategory => codes::ADJUSTMENT_EMPTY_CATEGORY,
        FindingKind::Duplicate => codes::ADJUSTMENT_DUPLICATE,
        FindingKind::Overlap => codes::ADJUSTMENT_OVERLAP,
        FindingKind::Shadowed => codes::ADJUSTMENT_SHADOWED,
        FindingKind::OrderDependent => codes::ADJUSTMENT_ORDER,
        FindingKind::NeverInSampleCarts => codes::ADJUSTMENT_NOT_SAMPLED,
    };
    let others = finding.others.iter().map(|other| other.name.as_str());
    let months = |language| finding.months.iter().map(|month| month.text(language)).collect();
    let categories = finding.categories.iter().map(String::as_str);
    let message = code.with("name", &finding.adjustment.name).list("others", others);
    message.texts("months", months).list("categories", categories)
}

impl From<FindingAdjustment> for AdjustmentReference {
    fn from(FindingAdjustment { id, name, position }: FindingAdjustment) -> Self {
        Self { id, name, position }
    }
}

impl From<ExampleCart> for CartView {
    fn from(cart: ExampleCart) -> Self {
        let ExampleCart { sample_cart, buyer, at, lines, total, otherwise } = cart;
        Self {
            sample_cart: sample_cart.map(|(id, name)| CartReference { id, name }),
            buyer: buyer.as_ref().map(PartyView::from),
            at,
            lines: lines.into_iter().map(LineView::from).collect(),
            total,
            otherwise,
        }
    }
}

impl From<ExampleLine> for LineView {
    fn from(line: ExampleLine) -> Self {
        let ExampleLine { article, quantity, unit, warehouse_id, processings } = line;
        let processing = |Processing { id, quantity, price }: Processing| ProcessingInput {
            processing_id: id,
            quantity,
            price,
        };
        Self {
            article: TradedArticle::from(&*article),
            quantity,
            unit,
            warehouse_id,
            processings: processings.into_iter().map(processing).collect(),
        }
    }
}

/// Looks for problems of the acting tenant's price adjustments: those that can never apply, or not any more;
/// lack values of their tables; name categories without articles; do the same; are given twice; have no
/// effect; depend on their order; apply in no sample cart.
#[utoipa::path(get, path = "/api/admin/price-adjustments/findings")]
async fn findings(
    by: Authorized<may::ListPriceAdjustments>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
) -> Answer<OkJson<FindingsView>> {
    let find_all = async || findings::find(&state.db, by.scope(), state.calculator()).await;
    Ok(OkJson(FindingsView::new(calculate_limited(&state, find_all).await?, request.language)))
}
