//! Prices under review over HTTP.

mod impact;

use std::{
    collections::{HashMap, HashSet},
    iter,
};

use http_api::{
    access::{Authorized, InSession},
    answer::{OkJson, OkPage, ok_json, ok_page},
    bulk::{self, BulkChange, BulkOutcome, Filters, Selection},
    input::{Body, Db, List, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use identity::user;
use pricing::{
    held_price::{
        HeldPrice, HeldPrices, Proposal,
        decision::{self, HeldPriceChange, HeldPriceDetail, ReleasedStocks},
    },
    may,
    price_side::Prices,
};
use sea_orm::ConnectionTrait;
use serde::Serialize;
use store::{Database, Scope};
use utoipa::ToSchema;
use values::{Language, Money, Result};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, HeldPrices: list, bulk_change);
    impact::routes(routes);
}

/// Prices under review, because they look like a mistake.
#[derive(Serialize, ToSchema)]
#[schema(as = HeldPrice)]
struct HeldPriceView {
    id: i64,
    stock_id: i64,
    /// Article number and warehouse of the stock: `HEB-200-S235JR, DU`.
    #[schema(example = "HEB-200-S235JR, DU")]
    stock: String,
    current: PricesView,
    wanted: PricesView,
    /// Suggested correction; `null` if there is none.
    #[schema(required)]
    mended: Option<PricesView>,
    /// Reasons why they are under review.
    reasons: Vec<Reason>,
    /// Import that proposes them; `null` for a form or a call.
    #[schema(required)]
    import_id: Option<i64>,
    /// Line in the file of the import.
    #[schema(required)]
    line: Option<i64>,
    since: chrono::DateTime<chrono::Utc>,
    /// User who proposes them; `null` if it was the system or the user is deleted.
    #[schema(required)]
    by: Option<ProposerView>,
    /// Prices that other users propose for the same stock. A decision about these does not affect them.
    others: Vec<OtherPricesView>,
}

/// Prices that another user proposes for the same stock.
#[derive(Serialize, ToSchema)]
#[schema(as = OtherHeldPrice)]
struct OtherPricesView {
    id: i64,
    #[schema(required)]
    by: Option<ProposerView>,
    wanted: PricesView,
    since: chrono::DateTime<chrono::Utc>,
}

/// User who proposes a price under review.
#[derive(Clone, Serialize, ToSchema)]
#[schema(as = Proposer)]
pub(super) struct ProposerView {
    id: i64,
    #[schema(example = "Eva Lindner")]
    name: String,
}

impl ProposerView {
    pub(super) fn from_proposal(proposal: &Proposal) -> Option<Self> {
        let name = proposal.by.clone()?;
        Some(Self { id: proposal.held_price.created_by, name })
    }

    pub(super) fn new(id: i64, names: &Names) -> Option<Self> {
        Some(Self { id, name: names.get(&id)?.clone() })
    }
}

/// Names of users who propose prices, by their ids.
pub(super) type Names = HashMap<i64, String>;

/// Loads the names of users; makes no query without proposals.
pub(super) async fn names_of(
    db: &impl ConnectionTrait,
    users: impl IntoIterator<Item = i64>,
) -> Result<Names> {
    let users: HashSet<i64> = users.into_iter().filter(|user| *user != 0).collect();
    if users.is_empty() {
        return Ok(Names::new());
    }
    Ok(user::lookup::names(db, users).await?.into_iter().collect())
}

/// Adds the names of their users to proposals.
pub(super) async fn name_proposers<'a>(
    db: &impl ConnectionTrait,
    proposals: impl IntoIterator<Item = &'a mut Proposal>,
) -> Result<()> {
    let proposals: Vec<&mut Proposal> = proposals.into_iter().collect();
    let names = names_of(db, proposals.iter().map(|proposal| proposal.held_price.created_by)).await?;
    for proposal in proposals {
        proposal.by = names.get(&proposal.held_price.created_by).cloned();
    }
    Ok(())
}

/// Both prices of a stock with their quantity breaks.
#[derive(Serialize, ToSchema)]
#[schema(as = Prices)]
struct PricesView {
    #[schema(required)]
    internal_price: Option<Money>,
    #[schema(required)]
    external_price: Option<Money>,
    internal_bulk_prices: Vec<BulkPriceView>,
    external_bulk_prices: Vec<BulkPriceView>,
}

/// Price from a quantity on.
#[derive(Serialize, ToSchema)]
#[schema(as = HeldBulkPrice)]
struct BulkPriceView {
    #[schema(example = "10")]
    quantity_from: values::Decimal,
    /// Unit of the quantity; `null` for the listing unit of the article type.
    #[schema(required)]
    quantity_unit: Option<values::Unit>,
    price: Money,
}

/// Reason why a price is under review.
#[derive(Serialize, ToSchema)]
#[schema(as = HeldPriceReason)]
struct Reason {
    #[schema(example = "external_price.price")]
    field: String,
    code: values::Code,
    #[schema(
        example = "925,00 € je 100 kg ist das 10-Fache des bisherigen Preises und sieht nach 925,00 € je t aus."
    )]
    message: String,
}

impl From<Prices> for PricesView {
    fn from(prices: Prices) -> Self {
        let tiers = |tiers: &pricing::price_side::Tiers| {
            let tiers = tiers.iter().map(|tier| BulkPriceView {
                quantity_from: tier.from,
                quantity_unit: tier.from_unit,
                price: tier.price,
            });
            tiers.collect()
        };
        Self {
            internal_bulk_prices: tiers(&prices.internal.tiers),
            external_bulk_prices: tiers(&prices.external.tiers),
            internal_price: prices.internal.price,
            external_price: prices.external.price,
        }
    }
}

impl HeldPriceView {
    fn new(HeldPriceDetail { proposal, others, current }: HeldPriceDetail, language: Language) -> Self {
        let by = ProposerView::from_proposal(&proposal);
        let held_price = proposal.held_price;
        let others = others.into_iter().map(|other| OtherPricesView {
            id: other.held_price.id,
            by: ProposerView::from_proposal(&other),
            since: other.held_price.updated_at,
            wanted: other.held_price.wanted.into(),
        });
        let reasons = held_price.suspicions.0.into_iter().map(|suspicion| Reason {
            field: suspicion.field,
            code: suspicion.message.code,
            message: suspicion.message.text(language),
        });
        Self {
            id: held_price.id,
            stock_id: held_price.stock_id,
            stock: held_price.name,
            current: current.into(),
            wanted: held_price.wanted.into(),
            mended: held_price.mended.map(PricesView::from),
            reasons: reasons.collect(),
            import_id: held_price.import_id,
            line: held_price.line,
            since: held_price.updated_at,
            by,
            others: others.collect(),
        }
    }
}

/// Lists the acting tenant's prices under review, which look like a mistake and wait for a release.
#[utoipa::path(get, path = "/api/admin/held-prices")]
async fn list(
    by: Authorized<may::ViewPrice>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    List(query): List<HeldPrices>,
) -> Answer<OkPage<HeldPriceView>> {
    let page = query.fetch::<HeldPrice>(&db, by.scope(), |select| select).await?;
    let detailed = async |rows| {
        let mut details = decision::detailed(&db, by.scope(), rows).await?;
        let proposals =
            details.iter_mut().flat_map(|detail| iter::once(&mut detail.proposal).chain(&mut detail.others));
        name_proposers(&db, proposals).await?;
        Ok(details)
    };
    let page = page.detailed(detailed).await?;
    Ok(ok_page(page.map(|detail| HeldPriceView::new(detail, request.language))))
}

/// Decides about prices under review: releases them, releases the suggested corrections, or refuses them.
/// Proposals of other users for the same stock stay under review; of several prices for one stock only the
/// first is released.
#[utoipa::path(post, path = "/api/admin/held-prices/bulk-change")]
async fn bulk_change(
    by: InSession<Authorized<may::UpdatePrice>>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    filters: Filters<HeldPrices>,
    Body(BulkChange { selection, change }): Body<BulkChange<HeldPriceChange>>,
) -> Answer<OkJson<BulkOutcome>> {
    let decided = decide(&db, by.scope(), &filters, &selection, &change, request.language);
    Ok(ok_json(decided.await?))
}

/// Decides about each of many prices under review.
async fn decide(
    db: &Database,
    scope: &Scope,
    filters: &Filters<HeldPrices>,
    selection: &Selection,
    change: &HeldPriceChange,
    language: Language,
) -> Result<BulkOutcome> {
    let released = ReleasedStocks::default();
    let one = async |id, _: &str| decision::change(db, scope, id, change, &released).await;
    bulk::apply_to_each(db, scope, filters, selection, language, one).await
}
