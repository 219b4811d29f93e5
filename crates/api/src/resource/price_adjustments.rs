//! Price adjustments over HTTP.

mod applies_to;
mod findings;
mod impact;

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{NoContent, OkJson, no_content, ok_json},
    export::{Column, ExtraColumns, time},
    input::{Body, Db, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use pricing::{
    condition::{Condition, ConditionInput, text},
    may,
    price_adjustment::{
        self, OrderInput, PriceAdjustmentDetail, PriceAdjustments,
        terms::{ApplyTo, CalculationType, Operation, PurchaseConstraints},
    },
};
use serde::{Deserialize, Serialize};
use store::{Database, Scope, Snapshot};
use utoipa::ToSchema;
use values::{Code, Decimal, Language, Result, Validated, Violations};

use crate::{
    codes,
    resource::{
        crud::{Exportable, operations, view_of},
        price_lists::GroupOfRecord,
        search::findable,
        surcharge_tables::TableOfRecord,
        tenants::{TenantOfRecord, TenantReference},
        view::HasView,
    },
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<PriceAdjustments>(routes, "/api/admin/price-adjustments")
        .list::<may::ListPriceAdjustments>(
            "Lists the price adjustments of the tenant in the order in which they apply.",
        )
        .export::<may::ListPriceAdjustments>("Exports all price adjustments that match the filters.")
        .create::<may::CreatePriceAdjustment>("Creates a price adjustment at the end of the order.")
        .view::<may::ViewPriceAdjustment>("Shows a price adjustment.")
        .update::<may::UpdatePriceAdjustment>("Changes a price adjustment.")
        .delete::<may::DeletePriceAdjustment>("Deletes a price adjustment.")
        .bulk_delete::<may::DeletePriceAdjustment>("Deletes many price adjustments.");
    publish!(routes, PriceAdjustments: reorder, read_conditions);
    findings::routes(routes);
    impact::routes(routes);
}

view_of! {
    /// A price adjustment of a tenant.
    PriceAdjustmentView as PriceAdjustment, of detail: PriceAdjustmentDetail, row detail.adjustment;
    tenant: TenantReference = TenantReference::new(detail.adjustment.tenant_id, detail.tenant),
    /// Unique within the tenant, ignoring case.
    #[schema(example = "Großmengenrabatt")]
    name: String = detail.adjustment.name,
    /// Position in the order in which adjustments are applied.
    #[schema(example = 1)]
    position: i64 = detail.adjustment.position,
    /// False if the adjustment is skipped.
    active: bool = detail.adjustment.active,
    operation: Operation = detail.adjustment.operation,
    /// Amount in EUR, or percent for a relative adjustment; `null` if the surcharge table gives it.
    #[schema(required, example = "3")]
    value: Option<Decimal> = detail.adjustment.value,
    /// Table that gives the amount by the month of the cart.
    #[schema(required)]
    surcharge_table: Option<TableOfRecord> = TableOfRecord::new(
        detail.surcharge_table.as_ref().map(|(id, _)| *id), detail.surcharge_table.map(|(_, name)| name),
    ),
    calculation_type: CalculationType = detail.adjustment.calculation_type,
    /// Conditions under which it applies; `null`: always.
    #[schema(required)]
    conditions: Option<ConditionInput> = detail.adjustment.conditions.clone().map(ConditionInput::from),
    /// Conditions as one line of text.
    #[schema(required, example = "all(cart_weight >= 10 t)")]
    conditions_text: Option<String> = detail.adjustment.conditions.map(|tree| tree.to_string()),
    /// True if later relative adjustments ignore its amount.
    ignore_on_further_adjustments: bool = detail.adjustment.ignore_on_further_adjustments,
    apply_to: ApplyTo = detail.adjustment.apply_to,
    /// Buyers it applies to, by company; all buyers if the groups are empty too.
    tenants: Vec<TenantOfRecord> = detail.tenants.iter().map(TenantOfRecord::from).collect(),
    /// Groups of buyers it applies to.
    tenant_groups: Vec<GroupOfRecord> =
        detail.tenant_groups.into_iter().map(|(id, name)| GroupOfRecord { id, name }).collect(),
    /// Buyers it excludes, by company.
    excluded_tenants: Vec<TenantOfRecord> = detail.excluded_tenants.iter().map(TenantOfRecord::from).collect(),
    /// Limits for the quantity that is bought at one time.
    #[schema(required)]
    purchase_constraints: Option<PurchaseConstraints> = detail.adjustment.purchase_constraints,
    #[schema(required)]
    valid_from: Option<DateTime<Utc>> = detail.adjustment.valid_from,
    /// First moment at which it is no longer valid.
    #[schema(required)]
    valid_until: Option<DateTime<Utc>> = detail.adjustment.valid_until,
}

impl HasView for PriceAdjustments {
    type Source = Database;
    type View = PriceAdjustmentView;
}

findable!(PriceAdjustments, _row => None);

impl Exportable for PriceAdjustments {
    const COLUMNS: &'static [Column<PriceAdjustmentDetail>] = &[
        ("position", |row, _| row.adjustment.position.into()),
        ("name", |row, _| row.adjustment.name.as_str().into()),
        ("active", |row, labels| labels.yes_no(row.adjustment.active)),
        ("operation", |row, labels| labels.choice("operation", row.adjustment.operation)),
        ("value", |row, _| row.adjustment.value.into()),
        ("surcharge_table", |row, _| row.surcharge_table.as_ref().map(|(_, name)| name.as_str()).into()),
        ("calculation_type", |row, labels| {
            labels.choice("calculation_type", row.adjustment.calculation_type)
        }),
        ("conditions", |row, _| {
            row.adjustment.conditions.as_ref().map(ToString::to_string).as_deref().into()
        }),
        ("ignore_on_further_adjustments", |row, labels| {
            labels.yes_no(row.adjustment.ignore_on_further_adjustments)
        }),
        ("tenants", |row, _| row.tenants.iter().map(|(_, name)| &**name).collect()),
        ("tenant_groups", |row, _| row.tenant_groups.iter().map(|(_, name)| &**name).collect()),
        ("excluded_tenants", |row, _| row.excluded_tenants.iter().map(|(_, name)| &**name).collect()),
        ("valid_from", |row, _| row.adjustment.valid_from.map(time).into()),
        ("valid_until", |row, _| row.adjustment.valid_until.map(time).into()),
        ("updated_at", |row, _| time(row.adjustment.updated_at)),
    ];

    async fn further(
        db: &Snapshot,
        scope: &Scope,
        language: Language,
    ) -> Result<ExtraColumns<PriceAdjustmentDetail>> {
        applies_to::column(db, scope, language).await
    }
}

/// Sets the order of all price adjustments of the acting tenant; refused if the order has changed since the
/// caller read it.
#[utoipa::path(put, path = "/api/admin/price-adjustments/order")]
async fn reorder(
    by: Authorized<may::UpdatePriceAdjustment>,
    Db(db): Db,
    Body(input): Body<Validated<OrderInput>>,
) -> Answer<NoContent> {
    Ok(no_content(price_adjustment::reorder(&db, by.scope(), input).await?))
}

/// Conditions in exactly one of their two forms.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ConditionsInput, example = json!({ "text": "all(cart_weight >= 10 t, not(weekday in (saturday)))" }))]
struct ConditionsInput {
    #[schema(max_length = 100_000)]
    text: Option<String>,
    conditions: Option<ConditionInput>,
}

/// Conditions in both forms, or the errors of the text.
#[derive(Serialize, ToSchema)]
#[schema(as = ConditionsRead, example = json!({ "text": "cart_weight >= 10 t", "faults": [],
    "conditions": { "type": "cart_weight", "op": "greater_equals", "value": "10", "unit": "t" } }))]
struct ConditionsView {
    /// Conditions as a tree; `null` if the text has errors.
    #[schema(required)]
    conditions: Option<ConditionInput>,
    /// Normalised text; parsing it gives the same tree.
    #[schema(required)]
    text: Option<String>,
    faults: Vec<FaultView>,
}

/// Error in a text, with its position.
#[derive(Serialize, ToSchema)]
#[schema(as = ConditionsFault)]
struct FaultView {
    /// Position of the character, from 1.
    #[schema(example = 16)]
    position: usize,
    code: Code,
    #[schema(example = "An Stelle 16 wird erwartet: 123.45  2026-12-31")]
    message: String,
}

impl ConditionsView {
    fn read(condition: Condition) -> Self {
        let text = Some(condition.to_string());
        Self { text, conditions: Some(condition.into()), faults: Vec::new() }
    }

    fn refused(faults: Vec<text::Fault>, language: Language) -> Self {
        let fault = |text::Fault { position, message }| FaultView {
            position,
            code: message.code,
            message: message.text(language),
        };
        Self { conditions: None, text: None, faults: faults.into_iter().map(fault).collect() }
    }
}

/// Parses conditions from a text, or prints them as one. Errors of a text are returned with their positions;
/// a tree that breaks a rule is refused.
#[utoipa::path(post, path = "/api/admin/price-adjustments/conditions")]
async fn read_conditions(
    _: Authorized<may::ViewPriceAdjustment>,
    RequestInfo(request): RequestInfo,
    Body(ConditionsInput { text, conditions }): Body<ConditionsInput>,
) -> Answer<OkJson<ConditionsView>> {
    let mut violations = Violations::new();
    let read = match (text, conditions) {
        (Some(text), None) => match text::parse(&text) {
            Ok(condition) => Some(ConditionsView::read(condition)),
            Err(faults) => Some(ConditionsView::refused(faults, request.language)),
        },
        (None, Some(tree)) => tree.read("conditions", &mut violations).map(ConditionsView::read),
        _ => {
            violations.add("text", codes::REQUIRED);
            None
        }
    };
    violations.check()?;
    Ok(ok_json(read.ok_or(codes::INVALID_INPUT)?))
}
