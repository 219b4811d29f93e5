//! Price lists over HTTP.

mod impact;

use chrono::{DateTime, Utc};
use kernel::{Code, Decimal, Language, Money, RecordReference, Validated, may};
use pricing::{
    price_list::{
        self, ListScope, ListType, PriceListDetail, PriceListInput, PriceLists, Status,
        audience::{self, Audience, Because, Reached},
        copy::{self, Copied, CopyInput, PreviewInput},
        deletion,
        difference::{Becomes, Difference, Line},
        timeline::{self, Bar, Segment, Timeline},
    },
    price_side::{Side, TierInput},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Located, Shown, located, shown},
        export::{Column, time},
        input::{About, Body, Db, Id},
        routes::{Answer, Routes},
    },
    publish,
    resource::{
        crud::{Exportable, crud, operations, view_of},
        search::found,
        stocks::tiers,
        tenants::TenantOfRecord,
    },
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<PriceLists>(routes, "/api/admin/price-lists")
        .list::<may::ListPriceLists>(
            "Lists the price lists of one's own company and its groups, and of others the sales prices that apply to it, once they have \
             begun or are announced.",
        )
        .export::<may::ListPriceLists>("Exports all price lists that the filters match.")
        .create::<may::CreatePriceList>("Creates a price list, without prices.")
        .view::<may::ViewPriceList>("Shows a price list.")
        .update::<may::UpdatePriceList>(
            "Changes a price list that has not expired; once it is valid, not its beginning.",
        )
        .delete::<may::DeletePriceList>("Deletes a price list that is pending, with its prices.")
        .bulk_delete::<may::DeletePriceList>("Deletes many price lists and leaves those that are in use.");
    publish!(routes, PriceLists: archive, copy, preview_copy, audience, timeline);
    impact::routes(routes);
}

view_of! {
    /// A price list.
    PriceListView as PriceList, of detail: PriceListDetail, row detail.list;
    /// Unique among the lists of its owner, whatever its case. Whoever only buys by it reads the name for customers here.
    #[schema(example = "Verkauf 2027")]
    name: String = detail.list.name,
    /// The name that customers read; `null`: they read the name. Those who only buy by it are not told.
    #[schema(required, example = "Lagerprogramm 2027")]
    customer_name: Option<String> = detail.customer_name,
    /// True if customers see it before it begins; `null` for those who only buy by it.
    #[schema(required)]
    announce: Option<bool> = detail.announce,
    /// Who owns it; `null`: a group does.
    #[schema(required)]
    owner_tenant: Option<TenantOfRecord> = TenantOfRecord::of(detail.list.owner_tenant_id, detail.owner),
    #[schema(required)]
    owner_tenant_group: Option<GroupOfRecord> =
        detail.list.owner_tenant_group_id.map(|id| GroupOfRecord { id, name: detail.owner_group.unwrap_or_default() }),
    r#type: ListType = detail.list.r#type,
    scope: ListScope = detail.list.scope,
    valid_from: DateTime<Utc> = detail.list.valid_from,
    limited: bool = detail.list.valid_until.is_some(),
    /// The first moment at which it no longer holds; `null`: it has no end.
    #[schema(required)]
    valid_until: Option<DateTime<Utc>> = detail.list.valid_until,
    /// At the moment of reading.
    status: Status = detail.status,
    /// Whether the caller's company owns it, itself or through a group. Others are not told to whom it applies.
    own: bool = detail.own,
    /// Whether it is the caller's to change, as far as rights go.
    writable: bool = detail.writable,
    /// Whom it names, by company.
    tenants: Vec<TenantOfRecord> = detail.tenants.iter().map(TenantOfRecord::from).collect(),
    /// The groups that it names.
    tenant_groups: Vec<GroupOfRecord> =
        detail.tenant_groups.into_iter().map(|(id, name)| GroupOfRecord { id, name }).collect(),
    /// Whom it leaves out, by company.
    excluded_tenants: Vec<TenantOfRecord> = detail.excluded_tenants.iter().map(TenantOfRecord::from).collect(),
    #[schema(example = 120)]
    price_count: u64 = detail.price_count,
    /// How many tenants it applies to now; `null` for those who only buy by it.
    #[schema(required, example = 12)]
    audience_count: Option<u64> = detail.audience_count,
}

/// A group that a record names.
#[derive(Serialize, ToSchema)]
#[schema(as = TenantGroupOfRecord)]
pub(super) struct GroupOfRecord {
    pub(super) id: i64,
    #[schema(example = "Einkaufsverbund Nord")]
    pub(super) name: String,
}

crud!(reads PriceLists in price_list: PriceListDetail => PriceListView);
crud!(writes PriceLists in price_list: PriceListDetail, PriceListInput);
crud!(deletes PriceLists in deletion);
found!(PriceLists, of detail => detail.owner.or(detail.owner_group));

impl Exportable for PriceLists {
    const COLUMNS: &'static [Column<PriceListDetail>] = &[
        ("name", |row, _| row.list.name.as_str().into()),
        ("customer_name", |row, _| row.customer_name.as_deref().into()),
        ("announce", |row, words| row.announce.map(|announce| words.yes_no_text(announce)).into()),
        ("status", |row, words| words.choice("status", row.status)),
        ("type", |row, words| words.choice("type", row.list.r#type)),
        ("scope", |row, words| words.choice("scope", row.list.scope)),
        ("owner", |row, _| row.owner.as_deref().or(row.owner_group.as_deref()).into()),
        ("valid_from", |row, _| time(row.list.valid_from)),
        ("valid_until", |row, _| row.list.valid_until.map(time).into()),
        ("tenants", |row, _| names(&row.tenants).as_str().into()),
        ("tenant_groups", |row, _| names(&row.tenant_groups).as_str().into()),
        ("excluded_tenants", |row, _| names(&row.excluded_tenants).as_str().into()),
        ("price_count", |row, _| row.price_count.into()),
        ("updated_at", |row, _| time(row.list.updated_at)),
    ];
}

fn names(named: &[(i64, String)]) -> String {
    named.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The version that was looked at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceListArchive)]
struct ArchiveInput {
    /// An older one than the current is refused.
    version: Option<i64>,
}

/// Ends a price list at once: it is inactive from now on. A pending one ends where it would begin.
#[utoipa::path(post, path = "/api/admin/price-lists/{id}/archive")]
async fn archive(
    by: Authorized<may::UpdatePriceList>,
    Db(db): Db,
    Id(id): Id,
    Body(ArchiveInput { version }): Body<ArchiveInput>,
) -> Answer<Shown<PriceListView>> {
    Ok(shown(price_list::archive(&db, by.scope(), id, version).await?))
}

/// Makes a price list of another one: a duplicate, or its next version, with which the original ends. What cannot be changed as
/// wanted is taken over as it is, and told. Needs the permission to view the original, and to change it where that ends.
#[utoipa::path(post, path = "/api/admin/price-lists/{id}/copy")]
async fn copy(
    by: Authorized<may::CreatePriceList>,
    Db(db): Db,
    About(request): About,
    Id(id): Id,
    Body(input): Body<Validated<CopyInput>>,
) -> Answer<Located<CopiedView>> {
    by.demand::<may::ViewPriceList>()?;
    if input.ends_original {
        by.demand::<may::UpdatePriceList>()?;
    }
    let Copied { list, difference } = copy::copy(&db, by.scope(), id, input).await?;
    let difference = DifferenceView::new(difference, request.language);
    let id = list.list.id;
    Ok(located("/api/admin/price-lists", id, CopiedView { price_list: list.into(), difference }))
}

/// Shows what would become of the prices in a copy.
#[utoipa::path(post, path = "/api/admin/price-lists/{id}/copy/preview")]
async fn preview_copy(
    by: Authorized<may::ViewPriceList>,
    Db(db): Db,
    About(request): About,
    Id(id): Id,
    Body(input): Body<Validated<PreviewInput>>,
) -> Answer<Shown<DifferenceView>> {
    let difference = copy::preview(&db, by.scope(), id, input).await?;
    Ok(shown(DifferenceView::new(difference, request.language)))
}

/// Shows to whom a price list applies now, and why.
#[utoipa::path(get, path = "/api/admin/price-lists/{id}/audience")]
async fn audience(by: Authorized<may::ViewPriceList>, Db(db): Db, Id(id): Id) -> Answer<Shown<AudienceView>> {
    Ok(shown(audience::view(&db, by.scope(), id).await?))
}

/// Whose prices of what are looked at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceListTimelineInput)]
struct TimelineInput {
    article_id: i64,
    /// Who buys; without one the tenant that is acted for.
    buyer_id: Option<i64>,
    /// Instead of the id, whatever its case; or with it, if both mean the same tenant.
    #[schema(max_length = 255, example = "SUED")]
    buyer_short_code: Option<String>,
    r#type: ListType,
}

/// Shows which list counts for an article and a buyer from when to when: where several would, and where none does.
#[utoipa::path(post, path = "/api/admin/price-lists/timeline")]
async fn timeline(
    by: Authorized<may::ViewPriceList>,
    Db(db): Db,
    Body(TimelineInput { article_id, buyer_id, buyer_short_code, r#type }): Body<TimelineInput>,
) -> Answer<Shown<TimelineView>> {
    let buyer = RecordReference::new(buyer_id, buyer_short_code);
    Ok(shown(timeline::of(&db, by.scope(), article_id, &buyer, r#type).await?))
}

/// A list and how its prices differ from those of the list that it was made of.
#[derive(Serialize, ToSchema)]
#[schema(as = CopiedPriceList)]
struct CopiedView {
    price_list: PriceListView,
    difference: DifferenceView,
}

/// What many prices become.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceDifference)]
pub(super) struct DifferenceView {
    #[schema(example = 0)]
    created: u64,
    #[schema(example = 118)]
    changed: u64,
    #[schema(example = 1)]
    unchanged: u64,
    /// Look like a mistake and wait for a release.
    #[schema(example = 0)]
    held: u64,
    /// Stay as they are, because they cannot be changed so.
    #[schema(example = 1)]
    impossible: u64,
    /// Beside so many of them another price waits for a release: it waits on, unless `discard_waiting` is said.
    #[schema(example = 0)]
    waiting: u64,
    /// Of those that move: half of them move by less, in percent.
    #[schema(required, example = "3")]
    median_percent: Option<Decimal>,
    /// At most 100: what cannot be changed first, then the largest moves.
    lines: Vec<LineView>,
}

/// What becomes of a price.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceDifferenceLine)]
struct LineView {
    article_id: i64,
    #[schema(example = "HEB-200-S235JR")]
    article_number: String,
    #[schema(example = "HEB 200 S235JR")]
    article_name: String,
    before: PriceView,
    /// `null` where it stays as it is.
    #[schema(required)]
    after: Option<PriceView>,
    outcome: OutcomeView,
    /// How much the price moves, in percent.
    #[schema(required, example = "3")]
    percent: Option<Decimal>,
    /// Why it stays as it is.
    #[schema(required)]
    reason: Option<ReasonView>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PriceDifferenceOutcome)]
#[serde(rename_all = "snake_case")]
enum OutcomeView {
    Changed,
    Held,
    Impossible,
}

/// A price with its tiers.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceWithTiers)]
struct PriceView {
    #[schema(required)]
    price: Option<Money>,
    bulk_prices: Vec<TierInput>,
}

/// Why something is so.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceReason)]
pub(super) struct ReasonView {
    pub(super) code: Code,
    #[schema(example = "Damit läge der Preis unter null.")]
    pub(super) message: String,
}

impl DifferenceView {
    pub(super) fn new(difference: Difference, language: Language) -> Self {
        Self {
            created: difference.created,
            changed: difference.changed,
            unchanged: difference.unchanged,
            held: difference.held,
            impossible: difference.impossible,
            waiting: difference.waiting,
            median_percent: difference.median_percent,
            lines: difference.lines.into_iter().map(|line| LineView::new(line, language)).collect(),
        }
    }
}

impl LineView {
    fn new(line: Line, language: Language) -> Self {
        let price =
            |side: &Side| PriceView { price: side.price, bulk_prices: tiers(&side.tiers, line.listing_unit) };
        let (outcome, after, reason) = match &line.after {
            Becomes::Changed(side) => (OutcomeView::Changed, Some(price(side)), None),
            Becomes::Held(side) => (OutcomeView::Held, Some(price(side)), None),
            Becomes::Impossible(why) => {
                let reason = ReasonView { code: why.code, message: why.text(language) };
                (OutcomeView::Impossible, None, Some(reason))
            }
        };
        Self {
            before: price(&line.before),
            article_id: line.article_id,
            article_number: line.article_number,
            article_name: line.article_name,
            after,
            outcome,
            percent: line.percent,
            reason,
        }
    }
}

view_of! {
    /// To whom a price list applies.
    part AudienceView as PriceListAudience, of audience: Audience;
    #[schema(example = 12)]
    count: u64 = audience.count,
    /// By company; of a global list only platform administrators see all of them.
    tenants: Vec<ReachedView> = audience.tenants.into_iter().map(ReachedView::from).collect(),
    /// Those left out, by company.
    excluded_tenants: Vec<TenantOfRecord> = audience.excluded.iter().map(TenantOfRecord::from).collect(),
}

view_of! {
    /// A tenant that a price list applies to.
    part ReachedView as PriceListCustomer, of reached: Reached;
    id: i64 = reached.id,
    #[schema(example = "Nordstahl Handel GmbH")]
    company: String = reached.company,
    /// At least one.
    because: Vec<BecauseView> = reached.because.into_iter().map(BecauseView::from).collect(),
}

/// Why a list applies to a tenant.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceListBecause)]
pub(super) struct BecauseView {
    code: BecauseCode,
    /// Of a group its name.
    #[schema(required, example = "Einkaufsverbund Nord")]
    group: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PriceListBecauseCode)]
#[serde(rename_all = "snake_case")]
enum BecauseCode {
    Owner,
    Named,
    Group,
    Global,
}

impl From<Because> for BecauseView {
    fn from(because: Because) -> Self {
        let of = |code| Self { code, group: None };
        match because {
            Because::Owner => of(BecauseCode::Owner),
            Because::Named => of(BecauseCode::Named),
            Because::Group(name) => Self { group: Some(name), ..of(BecauseCode::Group) },
            Because::Global => of(BecauseCode::Global),
        }
    }
}

view_of! {
    /// Which list counts from when to when.
    part TimelineView as PriceListTimeline, of timeline: Timeline;
    /// The lists that apply and hold a price of the article, by their beginning.
    lists: Vec<BarView> = timeline.bars.into_iter().map(BarView::from).collect(),
    /// Without a break from the first beginning on.
    segments: Vec<SegmentView> = timeline.segments.into_iter().map(SegmentView::from).collect(),
}

view_of! {
    /// A list that applies and holds a price of the article.
    part BarView as PriceListBar, of bar: Bar;
    id: i64 = bar.list.id,
    #[schema(example = "Verkauf 2027")]
    name: String = bar.list.name,
    valid_from: DateTime<Utc> = bar.list.valid_from,
    #[schema(required)]
    valid_until: Option<DateTime<Utc>> = bar.list.valid_until,
    applies: AppliesView = bar.applies.into(),
    #[schema(required)]
    price: Option<Money> = bar.side.price,
}

/// Why a list applies, the nearest reason.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceListApplies)]
#[serde(rename_all = "snake_case")]
enum AppliesView {
    Own,
    Group,
    Global,
}

impl From<price_list::Applies> for AppliesView {
    fn from(applies: price_list::Applies) -> Self {
        match applies {
            price_list::Applies::Own => Self::Own,
            price_list::Applies::Group => Self::Group,
            price_list::Applies::Global => Self::Global,
        }
    }
}

view_of! {
    /// A stretch of time in which the same lists hold.
    part SegmentView as PriceListSegment, of segment: Segment;
    from: DateTime<Utc> = segment.period.from,
    #[schema(required)]
    until: Option<DateTime<Utc>> = segment.period.until,
    /// The list that counts; `null`: a gap.
    #[schema(required)]
    counts: Option<i64> = segment.counts,
    /// Those that hold as well, the nearest first.
    behind: Vec<i64> = segment.behind,
}
