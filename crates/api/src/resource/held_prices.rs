//! Prices that wait for a release, over HTTP.

mod impact;

use std::{
    collections::{HashMap, HashSet},
    iter,
};

use identity::user;
use kernel::{Database, Language, Money, Result, Scope, may};
use pricing::{
    held_price::{
        HeldPrice, HeldPrices, Proposal,
        decision::{self, Change, HeldPriceDetail, ReleasedStocks},
    },
    price_side::Prices,
};
use sea_orm::ConnectionTrait;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{
        access::{Authorized, InSession},
        answer::{Paged, Shown, paged, shown},
        bulk::{self, BulkChange, BulkOutcome, Filters, Selection},
        input::{About, Body, Db, List},
        routes::{Answer, Routes},
    },
    publish,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, HeldPrices: list, bulk_change);
    impact::routes(routes);
}

/// Prices that look like a mistake.
#[derive(Serialize, ToSchema)]
#[schema(as = HeldPrice)]
struct HeldPriceView {
    id: i64,
    stock_id: i64,
    /// What the stock is called: `HEB-200-S235JR, DU`.
    #[schema(example = "HEB-200-S235JR, DU")]
    stock: String,
    current: PricesView,
    wanted: PricesView,
    /// What was probably meant; `null` where that cannot be said.
    #[schema(required)]
    mended: Option<PricesView>,
    /// Why they are held.
    reasons: Vec<Reason>,
    /// The import that wants them so; `null`: a form or a call.
    #[schema(required)]
    import_id: Option<i64>,
    /// Its line.
    #[schema(required)]
    line: Option<i64>,
    since: chrono::DateTime<chrono::Utc>,
    /// The user who wants them so; `null` where it was the system or they are gone.
    #[schema(required)]
    by: Option<ProposerView>,
    /// Prices that other users want for the same stock. They wait on, whatever is decided about these.
    others: Vec<OtherPricesView>,
}

/// Prices that another user wants for the same stock.
#[derive(Serialize, ToSchema)]
#[schema(as = OtherHeldPrice)]
struct OtherPricesView {
    id: i64,
    #[schema(required)]
    by: Option<ProposerView>,
    wanted: PricesView,
    since: chrono::DateTime<chrono::Utc>,
}

/// A user who wants a price that waits for a release.
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
        Some(Self { id: proposal.held.created_by, name })
    }

    pub(super) fn new(id: i64, names: &Names) -> Option<Self> {
        Some(Self { id, name: names.get(&id)?.clone() })
    }
}

/// The names of users who want prices, by their ids.
pub(super) type Names = HashMap<i64, String>;

/// Reads the names of users; none is asked for where nothing waits.
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

/// Writes beside proposals who made them.
pub(super) async fn name_proposers<'a>(
    db: &impl ConnectionTrait,
    proposals: impl IntoIterator<Item = &'a mut Proposal>,
) -> Result<()> {
    let proposals: Vec<&mut Proposal> = proposals.into_iter().collect();
    let names = names_of(db, proposals.iter().map(|proposal| proposal.held.created_by)).await?;
    for proposal in proposals {
        proposal.by = names.get(&proposal.held.created_by).cloned();
    }
    Ok(())
}

/// Both prices of a stock with their tiers.
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

/// The price from a quantity on.
#[derive(Serialize, ToSchema)]
#[schema(as = HeldBulkPrice)]
struct BulkPriceView {
    #[schema(example = "10")]
    quantity_from: kernel::Decimal,
    /// `null`: the listing unit of the article type.
    #[schema(required)]
    quantity_unit: Option<kernel::Unit>,
    price: Money,
}

/// Why a price is held.
#[derive(Serialize, ToSchema)]
#[schema(as = HeldPriceReason)]
struct Reason {
    #[schema(example = "external_price.price")]
    field: String,
    code: kernel::Code,
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
        let held = proposal.held;
        let others = others.into_iter().map(|other| OtherPricesView {
            id: other.held.id,
            by: ProposerView::from_proposal(&other),
            since: other.held.updated_at,
            wanted: other.held.wanted.into(),
        });
        let reasons = held.suspicions.0.into_iter().map(|suspicion| Reason {
            field: suspicion.field,
            code: suspicion.message.code,
            message: suspicion.message.text(language),
        });
        Self {
            id: held.id,
            stock_id: held.stock_id,
            stock: held.name,
            current: current.into(),
            wanted: held.wanted.into(),
            mended: held.mended.map(PricesView::from),
            reasons: reasons.collect(),
            import_id: held.import_id,
            line: held.line,
            since: held.updated_at,
            by,
            others: others.collect(),
        }
    }
}

/// Lists the prices of the tenant that is acted for which look like a mistake and wait for a release.
#[utoipa::path(get, path = "/api/admin/held-prices")]
async fn list(
    by: Authorized<may::ViewPrice>,
    Db(db): Db,
    About(request): About,
    List(query): List<HeldPrices>,
) -> Answer<Paged<HeldPriceView>> {
    let page = query.fetch::<HeldPrice>(&db, by.scope(), |select| select).await?;
    let detailed = async |rows| {
        let mut details = decision::detailed(&db, by.scope(), rows).await?;
        let proposals =
            details.iter_mut().flat_map(|detail| iter::once(&mut detail.proposal).chain(&mut detail.others));
        name_proposers(&db, proposals).await?;
        Ok(details)
    };
    let page = page.detailed(detailed).await?;
    Ok(paged(page.map(|detail| HeldPriceView::new(detail, request.language))))
}

/// Decides about held prices: releases them, releases what was probably meant, or refuses them. What other users want for the same
/// stock waits on; of several prices for one stock only the first is released.
#[utoipa::path(post, path = "/api/admin/held-prices/bulk-change")]
async fn bulk_change(
    by: InSession<Authorized<may::UpdatePrice>>,
    Db(db): Db,
    About(request): About,
    filters: Filters<HeldPrices>,
    Body(BulkChange { selection, change }): Body<BulkChange<Change>>,
) -> Answer<Shown<BulkOutcome>> {
    let decided = decide((&db, by.scope()), &filters, &selection, &change, request.language);
    Ok(shown(decided.await?))
}

/// Decides about each of many held prices.
async fn decide(
    records: (&Database, &Scope),
    filters: &Filters<HeldPrices>,
    selection: &Selection,
    change: &Change,
    language: Language,
) -> Result<BulkOutcome> {
    let (db, scope) = records;
    let released = ReleasedStocks::default();
    let one = async |id, _: &str| decision::change(db, scope, id, change, &released).await;
    bulk::each(records, filters, selection, language, one).await
}
