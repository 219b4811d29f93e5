//! Price lists over HTTP.

mod impact;

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{CreatedIn, OkJson, created_in, ok_json},
    export::{Column, time},
    input::{Body, Db, Id, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use pricing::{
    may,
    price_list::{
        self, ListScope, ListType, PriceListDetail, PriceLists, Status,
        audience::{self, AudienceDetail, AudienceMember, AudienceReason},
        copy::{self, CopyInput, CopyResult, PreviewInput},
        difference::{DifferenceLine, ListDifference, PriceChangeResult},
        timeline::{self, Bar, Segment, Timeline},
    },
    price_side::{Side, TierInput},
};
use serde::{Deserialize, Serialize};
use store::Database;
use utoipa::ToSchema;
use values::{Code, Decimal, Language, Money, RecordReference, Validated};

use crate::resource::{
    crud::{Exportable, operations, view_of},
    search::findable,
    stocks::tiers,
    tenants::TenantOfRecord,
    view::HasView,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<PriceLists>(routes, "/api/admin/price-lists")
        .list::<may::ListPriceLists>(
            "Lists the price lists of the tenant and its groups, and the sales price lists of others that apply to the tenant and are valid or announced.",
        )
        .export::<may::ListPriceLists>("Exports all price lists that match the filters.")
        .create::<may::CreatePriceList>("Creates a price list, without prices.")
        .view::<may::ViewPriceList>("Shows a price list.")
        .update::<may::UpdatePriceList>(
            "Changes a price list that has not expired. The beginning of a valid one cannot be changed.",
        )
        .delete::<may::DeletePriceList>("Deletes a pending price list with its prices.")
        .bulk_delete::<may::DeletePriceList>("Deletes many price lists and leaves those that are in use.");
    publish!(routes, PriceLists: archive, copy, preview_copy, audience, timeline);
    impact::routes(routes);
}

view_of! {
    /// A price list.
    PriceListView as PriceList, of detail: PriceListDetail, row detail.list;
    /// Unique among the lists of its owner, ignoring case. Callers who only buy by it get the name for
    /// customers here.
    #[schema(example = "Verkauf 2027")]
    name: String = detail.list.name,
    /// Name for customers; `null` if they see the name itself, and for those who only buy by it.
    #[schema(required, example = "Lagerprogramm 2027")]
    customer_name: Option<String> = detail.customer_name,
    /// True if customers see it before it begins; `null` for those who only buy by it.
    #[schema(required)]
    announce: Option<bool> = detail.announce,
    /// Tenant that owns the list; `null` if a group does.
    #[schema(required)]
    owner_tenant: Option<TenantOfRecord> = TenantOfRecord::new(detail.list.owner_tenant_id, detail.owner),
    #[schema(required)]
    owner_tenant_group: Option<GroupOfRecord> =
        detail.list.owner_tenant_group_id.map(|id| GroupOfRecord { id, name: detail.owner_group.unwrap_or_default() }),
    r#type: ListType = detail.list.r#type,
    scope: ListScope = detail.list.scope,
    valid_from: DateTime<Utc> = detail.list.valid_from,
    limited: bool = detail.list.valid_until.is_some(),
    /// First moment at which it no longer applies; `null` without an end.
    #[schema(required)]
    valid_until: Option<DateTime<Utc>> = detail.list.valid_until,
    /// Status at the time of the call.
    status: Status = detail.status,
    /// True if the caller's company owns it, directly or through a group. Other callers do not see its
    /// audience.
    own: bool = detail.own,
    /// True if the caller's permissions allow changing it.
    writable: bool = detail.writable,
    /// Tenants in its audience, by company.
    tenants: Vec<TenantOfRecord> = detail.tenants.iter().map(TenantOfRecord::from).collect(),
    /// Groups in its audience.
    tenant_groups: Vec<GroupOfRecord> =
        detail.tenant_groups.into_iter().map(|(id, name)| GroupOfRecord { id, name }).collect(),
    /// Tenants that it excludes, by company.
    excluded_tenants: Vec<TenantOfRecord> = detail.excluded_tenants.iter().map(TenantOfRecord::from).collect(),
    #[schema(example = 120)]
    price_count: u64 = detail.price_count,
    /// Number of tenants it applies to now; `null` for those who only buy by it.
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

impl HasView for PriceLists {
    type Source = Database;
    type View = PriceListView;
}

findable!(PriceLists, of detail => detail.owner.or(detail.owner_group));

impl Exportable for PriceLists {
    const COLUMNS: &'static [Column<PriceListDetail>] = &[
        ("name", |row, _| row.list.name.as_str().into()),
        ("customer_name", |row, _| row.customer_name.as_deref().into()),
        ("announce", |row, labels| row.announce.map(|announce| labels.yes_no_text(announce)).into()),
        ("status", |row, labels| labels.choice("status", row.status)),
        ("type", |row, labels| labels.choice("type", row.list.r#type)),
        ("scope", |row, labels| labels.choice("scope", row.list.scope)),
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

fn names(records: &[(i64, String)]) -> String {
    records.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Version that the caller has read.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceListArchive)]
struct ArchiveInput {
    /// Version of the list; an outdated one is refused.
    version: Option<i64>,
}

/// Archives a price list: it is inactive immediately. A pending one ends at its beginning.
#[utoipa::path(post, path = "/api/admin/price-lists/{id}/archive")]
async fn archive(
    by: Authorized<may::UpdatePriceList>,
    Db(db): Db,
    Id(id): Id,
    Body(ArchiveInput { version }): Body<ArchiveInput>,
) -> Answer<OkJson<PriceListView>> {
    Ok(ok_json(price_list::archive(&db, by.scope(), id, version).await?))
}

/// Copies a price list, as a duplicate or as its next version, with which the original ends. Prices that
/// cannot be changed as requested are copied unchanged and reported. Needs the permission to view the
/// original, and to change it if it ends.
#[utoipa::path(post, path = "/api/admin/price-lists/{id}/copy")]
async fn copy(
    by: Authorized<may::CreatePriceList>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(input): Body<Validated<CopyInput>>,
) -> Answer<CreatedIn<CopiedView>> {
    by.require_permission::<may::ViewPriceList>()?;
    if input.ends_original {
        by.require_permission::<may::UpdatePriceList>()?;
    }
    let CopyResult { list, difference } = copy::copy(&db, by.scope(), id, input).await?;
    let difference = DifferenceView::new(difference, request.language);
    let id = list.list.id;
    Ok(created_in("/api/admin/price-lists", id, CopiedView { price_list: list.into(), difference }))
}

/// Previews the prices of a copy.
#[utoipa::path(post, path = "/api/admin/price-lists/{id}/copy/preview")]
async fn preview_copy(
    by: Authorized<may::ViewPriceList>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(input): Body<Validated<PreviewInput>>,
) -> Answer<OkJson<DifferenceView>> {
    let difference = copy::preview(&db, by.scope(), id, input).await?;
    Ok(ok_json(DifferenceView::new(difference, request.language)))
}

/// Shows the tenants a price list applies to now, with the reasons.
#[utoipa::path(get, path = "/api/admin/price-lists/{id}/audience")]
async fn audience(
    by: Authorized<may::ViewPriceList>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<OkJson<AudienceView>> {
    Ok(ok_json(audience::view(&db, by.scope(), id).await?))
}

/// Article, seller and buyer whose prices are shown over time.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceListTimelineInput)]
struct TimelineInput {
    article_id: i64,
    /// Buyer; by default the acting tenant.
    buyer_id: Option<i64>,
    /// Short code of the buyer, ignoring case: instead of the id, or with it if both name the same tenant.
    #[schema(max_length = 255, example = "SUED")]
    buyer_short_code: Option<String>,
    r#type: ListType,
}

/// Shows which list gives the price of an article for a buyer in each period, including overlaps and gaps.
#[utoipa::path(post, path = "/api/admin/price-lists/timeline")]
async fn timeline(
    by: Authorized<may::ViewPriceList>,
    Db(db): Db,
    Body(TimelineInput { article_id, buyer_id, buyer_short_code, r#type }): Body<TimelineInput>,
) -> Answer<OkJson<TimelineView>> {
    let buyer = RecordReference::new(buyer_id, buyer_short_code);
    Ok(ok_json(timeline::load(&db, by.scope(), article_id, &buyer, r#type).await?))
}

/// Price list, and the differences of its prices from those of the list that it was copied from.
#[derive(Serialize, ToSchema)]
#[schema(as = CopiedPriceList)]
struct CopiedView {
    price_list: PriceListView,
    difference: DifferenceView,
}

/// Differences between many prices before and after.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceDifference)]
pub(super) struct DifferenceView {
    #[schema(example = 0)]
    created: u64,
    #[schema(example = 118)]
    changed: u64,
    #[schema(example = 1)]
    unchanged: u64,
    /// Prices that look like a mistake and wait for a release.
    #[schema(example = 0)]
    held: u64,
    /// Prices that stay unchanged, because the change is impossible for them.
    #[schema(example = 1)]
    impossible: u64,
    /// Prices with another price under review, which stays there unless `discard_waiting` is sent.
    #[schema(example = 0)]
    waiting: u64,
    /// Median of the changes of all changed prices, in percent.
    #[schema(required, example = "3")]
    median_percent: Option<Decimal>,
    /// Lines of single prices, at most 100: impossible changes first, then the largest changes.
    lines: Vec<LineView>,
}

/// Change of one price.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceDifferenceLine)]
struct LineView {
    article_id: i64,
    #[schema(example = "HEB-200-S235JR")]
    article_number: String,
    #[schema(example = "HEB 200 S235JR")]
    article_name: String,
    before: PriceView,
    /// Price afterwards; `null` if it stays unchanged.
    #[schema(required)]
    after: Option<PriceView>,
    outcome: OutcomeView,
    /// Change of the price in percent.
    #[schema(required, example = "3")]
    percent: Option<Decimal>,
    /// Reason why it stays unchanged.
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

/// Price with its quantity breaks.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceWithTiers)]
struct PriceView {
    #[schema(required)]
    price: Option<Money>,
    bulk_prices: Vec<TierInput>,
}

/// Reason for a result.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceReason)]
pub(super) struct ReasonView {
    pub(super) code: Code,
    #[schema(example = "Damit läge der Preis unter null.")]
    pub(super) message: String,
}

impl DifferenceView {
    pub(super) fn new(difference: ListDifference, language: Language) -> Self {
        Self {
            created: difference.created,
            changed: difference.changed,
            unchanged: difference.unchanged,
            held: difference.under_review,
            impossible: difference.impossible,
            waiting: difference.waiting,
            median_percent: difference.median_percent,
            lines: difference.lines.into_iter().map(|line| LineView::new(line, language)).collect(),
        }
    }
}

impl LineView {
    fn new(line: DifferenceLine, language: Language) -> Self {
        let price =
            |side: &Side| PriceView { price: side.price, bulk_prices: tiers(&side.tiers, line.listing_unit) };
        let (outcome, after, reason) = match &line.after {
            PriceChangeResult::Changed(side) => (OutcomeView::Changed, Some(price(side)), None),
            PriceChangeResult::Held(side) => (OutcomeView::Held, Some(price(side)), None),
            PriceChangeResult::Impossible(why) => {
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
    /// Audience of a price list.
    part AudienceView as PriceListAudience, of audience: AudienceDetail;
    #[schema(example = 12)]
    count: u64 = audience.count,
    /// Tenants it applies to, by company; for a global list only platform administrators see all of them.
    tenants: Vec<ReachedView> = audience.tenants.into_iter().map(ReachedView::from).collect(),
    /// Excluded tenants, by company.
    excluded_tenants: Vec<TenantOfRecord> = audience.excluded.iter().map(TenantOfRecord::from).collect(),
}

view_of! {
    /// A tenant that a price list applies to.
    part ReachedView as PriceListCustomer, of reached: AudienceMember;
    id: i64 = reached.id,
    #[schema(example = "Nordstahl Handel GmbH")]
    company: String = reached.company,
    /// Reasons, at least one.
    because: Vec<BecauseView> = reached.reasons.into_iter().map(BecauseView::from).collect(),
}

/// Reason why a list applies to a tenant.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceListBecause)]
pub(super) struct BecauseView {
    code: BecauseCode,
    /// Name of the group, if the reason is one.
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

impl From<AudienceReason> for BecauseView {
    fn from(because: AudienceReason) -> Self {
        let because_of = |code| Self { code, group: None };
        match because {
            AudienceReason::Owner => because_of(BecauseCode::Owner),
            AudienceReason::Named => because_of(BecauseCode::Named),
            AudienceReason::Group(name) => Self { group: Some(name), ..because_of(BecauseCode::Group) },
            AudienceReason::Global => because_of(BecauseCode::Global),
        }
    }
}

view_of! {
    /// Price lists that give the price of an article over time.
    part TimelineView as PriceListTimeline, of timeline: Timeline;
    /// Applicable lists with a price of the article, by their beginning.
    lists: Vec<BarView> = timeline.bars.into_iter().map(BarView::from).collect(),
    /// Periods from the first beginning on, without gaps between them.
    segments: Vec<SegmentView> = timeline.segments.into_iter().map(SegmentView::from).collect(),
}

view_of! {
    /// Applicable list with a price of the article.
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

/// Closest reason why a list applies.
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
    /// Period in which the same lists apply.
    part SegmentView as PriceListSegment, of segment: Segment;
    from: DateTime<Utc> = segment.period.from,
    #[schema(required)]
    until: Option<DateTime<Utc>> = segment.period.until,
    /// List that gives the price; `null`: no list does.
    #[schema(required)]
    counts: Option<i64> = segment.counts,
    /// Other lists that apply too, the closest first.
    behind: Vec<i64> = segment.behind,
}
