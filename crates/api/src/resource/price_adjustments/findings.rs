//! What is odd about price adjustments, over HTTP.

use chrono::{DateTime, Utc};
use kernel::{Code, Decimal, Language, Message, Unit, may};
use pricing::{
    findings::{self, Finding, FindingKind, Findings, Named, Shown as ShownCart, ShownLine},
    price_adjustment::PriceAdjustments,
    quote::Processing,
    sample_cart::ProcessingInput,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::Shown,
        input::{About, Server},
        routes::{Answer, Routes},
    },
    publish,
    resource::{impact::in_turn, stocks::TradedArticle, tenants::PartyView},
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, PriceAdjustments: findings);
}

/// What is odd about the price adjustments of a tenant. Those that are not active are left alone.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceAdjustmentFindings)]
struct FindingsView {
    /// By what they are, then by the order of the adjustments.
    data: Vec<FindingView>,
    /// How many sample carts were calculated.
    #[schema(example = 12)]
    sample_carts: u64,
    /// And how many carts that were made of what the conditions name.
    #[schema(example = 480)]
    made_carts: u64,
    /// Whether all was looked at that there is to look at; otherwise there may be more.
    complete: bool,
}

/// What is odd about a price adjustment.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceAdjustmentFinding)]
struct FindingView {
    kind: FindingKind,
    adjustment: AdjustmentReference,
    /// With which others it has to do: the one that does the same or comes on top of it, those that leave it nothing, or the one that it
    /// depends on.
    others: Vec<AdjustmentReference>,
    #[schema(example = "„Rabatt“ gilt nicht mehr: Der Zeitraum ist vorbei.")]
    message: String,
    /// Shows it; `null` where no cart does.
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
    /// Where it stands in the order in which they are applied.
    #[schema(example = 1)]
    position: i64,
}

/// A cart that shows a finding.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceAdjustmentFindingCart)]
struct CartView {
    /// `null`: it was made.
    #[schema(required)]
    sample_cart: Option<CartReference>,
    /// `null`: anybody.
    #[schema(required)]
    buyer: Option<PartyView>,
    at: DateTime<Utc>,
    lines: Vec<LineView>,
    /// EUR, rounded: as it is.
    #[schema(example = "1940")]
    total: Decimal,
    /// EUR, rounded: without the one that does the same or comes on top, without those that leave it nothing, with the two in the
    /// other order, or without the adjustment.
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

/// How much of an article is bought.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceAdjustmentFindingLine)]
struct LineView {
    article: TradedArticle,
    #[schema(example = "25")]
    quantity: Decimal,
    unit: Unit,
    /// `null`: from anywhere.
    #[schema(required)]
    warehouse_id: Option<i64>,
    processings: Vec<ProcessingInput>,
}

impl FindingsView {
    fn new(found: Findings, language: Language) -> Self {
        let Findings { findings, sample_carts, made_carts, complete } = found;
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
        FindingKind::NeverApplies => Code::AdjustmentNeverApplies,
        FindingKind::Expired => Code::AdjustmentExpired,
        FindingKind::LacksValues => Code::AdjustmentLacksValues,
        FindingKind::EmptyCategory => Code::AdjustmentEmptyCategory,
        FindingKind::Duplicate => Code::AdjustmentDuplicate,
        FindingKind::Overlap => Code::AdjustmentOverlap,
        FindingKind::Shadowed => Code::AdjustmentShadowed,
        FindingKind::OrderDependent => Code::AdjustmentOrder,
        FindingKind::NeverInSampleCarts => Code::AdjustmentNotSampled,
    };
    let others = finding.others.iter().map(|other| other.name.as_str());
    let months = |language| finding.months.iter().map(|month| month.text(language)).collect();
    let categories = finding.categories.iter().map(String::as_str);
    let message = code.with("name", &finding.adjustment.name).list("others", others);
    message.texts("months", months).list("categories", categories)
}

impl From<Named> for AdjustmentReference {
    fn from(Named { id, name, position }: Named) -> Self {
        Self { id, name, position }
    }
}

impl From<ShownCart> for CartView {
    fn from(cart: ShownCart) -> Self {
        let ShownCart { sample_cart, buyer, at, lines, total, otherwise } = cart;
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

impl From<ShownLine> for LineView {
    fn from(line: ShownLine) -> Self {
        let ShownLine { article, quantity, unit, warehouse_id, processings } = line;
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

/// Looks for what is odd about the price adjustments of the tenant that is acted for: that can never apply, or not any more; that lack
/// values of their tables; that name categories without articles; that do the same; that are given twice; that are left nothing; that
/// depend on their order; that apply in no sample cart.
#[utoipa::path(get, path = "/api/admin/price-adjustments/findings")]
async fn findings(
    by: Authorized<may::ListPriceAdjustments>,
    Server(state): Server,
    About(request): About,
) -> Answer<Shown<FindingsView>> {
    let found = async || findings::of(&state.db, by.scope(), state.calculator()).await;
    Ok(Shown(FindingsView::new(in_turn(&state, found).await?, request.language)))
}
