//! Terms of a trading partner, and their price sheet.

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{Download, OkJson, download_file, ok_json},
    export::{FileFormat, Labels, dated_name, spool_table, write_limited},
    input::{Db, Id, RequestInfo},
    publish,
    routes::{Answer, Routes},
    screen_texts,
};
use pricing::{
    may,
    partner_terms::{self, PartnerTerms},
    price_list::audience::AudienceReason,
    price_sheet::{self, SheetLine},
};
use serde::Serialize;
use sheets::table::CellContent;
use utoipa::ToSchema;
use values::{Decimal, Unit, now};

use crate::{
    resource::{
        price_adjustments::PriceAdjustmentView,
        price_lists::{BecauseView, GroupOfRecord, PriceListView},
    },
    state::Server,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "partners": terms, price_sheet, export_price_sheet);
}

/// Maximum number of lines in an answer; a file contains all.
const LINES_MAX: usize = 2_000;

/// Groups of a trading partner, and the price lists and adjustments that apply to them.
#[derive(Serialize, ToSchema)]
#[schema(as = PartnerTerms)]
struct TermsView {
    /// Groups of the partner that the caller sees, by name.
    groups: Vec<GroupOfRecord>,
    /// Sales lists that apply now or later.
    price_lists: Vec<ListTermView>,
    /// Active adjustments in their order; `null` without the permission to list them.
    #[schema(required)]
    adjustments: Option<Vec<AdjustmentTermView>>,
}

/// Price list that applies to a partner.
#[derive(Serialize, ToSchema)]
#[schema(as = PartnerPriceList)]
struct ListTermView {
    price_list: PriceListView,
    /// Reasons, at least one.
    because: Vec<BecauseView>,
}

/// Price adjustment that applies to a partner, judged by conditions on the partner alone.
#[derive(Serialize, ToSchema)]
#[schema(as = PartnerPriceAdjustment)]
struct AdjustmentTermView {
    adjustment: PriceAdjustmentView,
    /// Reasons, at least one.
    because: Vec<BecauseView>,
}

/// Net prices of a trading partner.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceSheet)]
struct PriceSheetView {
    /// Time of the prices.
    at: DateTime<Utc>,
    /// Number of all lines; from 2,000 on, further ones are only in the file.
    #[schema(example = 120)]
    count: usize,
    /// Lines by article number and quantity.
    lines: Vec<SheetLineView>,
}

/// Net price of an article from a quantity on.
#[derive(Serialize, ToSchema)]
#[schema(as = PriceSheetLine)]
struct SheetLineView {
    article_id: i64,
    #[schema(example = "HEB-200-S235JR-12.1")]
    article_number: String,
    #[schema(example = "HEB 200 S235JR 12,1 m")]
    article_name: String,
    /// Quantity from which the price applies.
    #[schema(example = "1")]
    quantity: Decimal,
    unit: Unit,
    /// Price in EUR for one price unit, rounded to cents.
    #[schema(example = "985")]
    price: Decimal,
    price_unit: Unit,
}

fn reasons(because: Vec<AudienceReason>) -> Vec<BecauseView> {
    because.into_iter().map(BecauseView::from).collect()
}

impl From<SheetLine> for SheetLineView {
    fn from(line: SheetLine) -> Self {
        let SheetLine { article_id, article_number, article_name, quantity, unit, price, price_unit } = line;
        Self { article_id, article_number, article_name, quantity, unit, price, price_unit }
    }
}

/// Shows the groups of a trading partner, and the price lists and adjustments that apply to them, with the
/// reasons.
#[utoipa::path(get, path = "/api/admin/partners/{id}/terms")]
async fn terms(by: Authorized<may::ListPriceLists>, Db(db): Db, Id(id): Id) -> Answer<OkJson<TermsView>> {
    let sees_adjustments = by.require_permission::<may::ListPriceAdjustments>().is_ok();
    let PartnerTerms { groups, price_lists, adjustments } =
        partner_terms::load(&db, by.scope(), id, sees_adjustments).await?;
    let lists = price_lists.into_iter();
    let adjustments = adjustments.into_iter();
    Ok(ok_json(TermsView {
        groups: groups.into_iter().map(|(id, name)| GroupOfRecord { id, name }).collect(),
        price_lists: lists
            .map(|(list, because)| ListTermView { price_list: list.into(), because: reasons(because) })
            .collect(),
        adjustments: sees_adjustments.then(|| {
            adjustments
                .map(|(row, because)| AdjustmentTermView {
                    adjustment: row.into(),
                    because: reasons(because),
                })
                .collect()
        }),
    }))
}

/// Shows the net prices of a trading partner: for each article with a price for them, those from its usual
/// quantity and from each quantity break on.
#[utoipa::path(get, path = "/api/admin/partners/{id}/price-sheet")]
async fn price_sheet(
    by: Authorized<may::ViewPrice>,
    Server(state): Server,
    Id(id): Id,
) -> Answer<OkJson<PriceSheetView>> {
    let at = now();
    let mut lines = price_sheet::load(&state.db, by.scope(), state.calculator(), id, at).await?;
    let count = lines.len();
    lines.truncate(LINES_MAX);
    Ok(ok_json(PriceSheetView { at, count, lines: lines.into_iter().map(SheetLineView::from).collect() }))
}

/// Exports the net prices of a trading partner.
#[utoipa::path(get, path = "/api/admin/partners/{id}/price-sheet/export")]
async fn export_price_sheet(
    by: Authorized<may::ViewPrice>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    format: FileFormat,
) -> Answer<Download> {
    let labels = Labels::new(screen_texts!("partners"), request.language)?;
    let name = dated_name(labels.text(&["sheet", "file"]), format.extension());
    let file = write_limited(&**state, (&by.caller).into(), async || {
        let lines = price_sheet::load(&state.db, by.scope(), state.calculator(), id, now()).await?;
        let fields = ["article_number", "article_name", "quantity", "unit", "price", "price_unit"];
        let header = fields.map(|field| CellContent::Text(labels.column(field)));
        let spool = spool_table(&state.storage, format.0, header.to_vec())?;
        let cells = |line: SheetLine| {
            vec![
                CellContent::Text(line.article_number),
                CellContent::Text(line.article_name),
                line.quantity.into(),
                labels.unit(line.unit).into(),
                line.price.into(),
                labels.unit(line.price_unit).into(),
            ]
        };
        spool.add(lines.into_iter().map(cells).collect()).await;
        spool.finish().await
    });
    Ok(download_file(name, file.await?))
}
