//! Attributes over HTTP.

use catalog::attribute::{
    self, Attribute, AttributeDetail, AttributeFieldChange, AttributeInput, AttributeOption, AttributeType,
    Attributes,
};
use chrono::{DateTime, Utc};
use kernel::{Decimal, Unit, UnitCategory, in_use::Usage, may, usage};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Created, Done, Download, Listing, Shown, Whole, created, done, listing, shown},
        bulk::{self, BulkChange, BulkOutcome, Matching, Selection},
        export::{Export, Table, time},
        input::{About, Body, Db, Id, List, OrderInput},
        routes::{Answer, Routes},
    },
    publish,
    resource::effect::EffectView,
    words,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, Attributes: list, export, create, view, update, delete, bulk_delete, bulk_change, reorder, effect, usage);
}

/// An attribute of articles.
#[derive(Serialize, ToSchema)]
#[schema(as = Attribute)]
struct AttributeView {
    id: i64,
    /// Unique, whatever its case.
    name: String,
    /// How templates write it, in braces.
    placeholder: String,
    r#type: AttributeType,
    /// Whether article types propose it as part of the article number.
    primary: bool,
    /// Where it stands among all attributes, from 1.
    position: i64,
    /// What a metric attribute measures.
    #[schema(required)]
    unit_category: Option<UnitCategory>,
    /// The unit in which values of a metric attribute are shown.
    #[schema(required)]
    default_unit: Option<Unit>,
    /// The options of a categorial attribute, in order.
    options: Vec<OptionView>,
    /// kg that one base unit of an article weighs per base unit of this metric attribute.
    #[schema(required)]
    weight_per_base_unit: Option<Decimal>,
    /// Counts the changes; to be sent back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

/// One option of a categorial attribute.
#[derive(Serialize, ToSchema)]
#[schema(as = AttributeOption)]
struct OptionView {
    id: i64,
    name: String,
    /// How article numbers write it.
    value: String,
    /// How article names write it; the option's name, if there is none.
    #[schema(required)]
    display_value: Option<String>,
    /// kg that one base unit of an article with this option weighs.
    #[schema(required)]
    weight_per_base_unit: Option<Decimal>,
}

impl From<AttributeDetail> for AttributeView {
    fn from(AttributeDetail { attribute, options }: AttributeDetail) -> Self {
        let Attribute {
            id, name, placeholder, r#type, primary, position, unit_category, default_unit, ..
        } = attribute;
        let Attribute { weight_per_base_unit, version, created_at, updated_at, .. } = attribute;
        Self {
            id,
            name,
            placeholder,
            r#type,
            primary,
            position,
            unit_category,
            default_unit,
            options: options.into_iter().map(OptionView::from).collect(),
            weight_per_base_unit,
            version,
            created_at,
            updated_at,
        }
    }
}

impl From<AttributeOption> for OptionView {
    fn from(option: AttributeOption) -> Self {
        let AttributeOption { id, name, value, display_value, weight_per_base_unit, .. } = option;
        Self { id, name, value, display_value, weight_per_base_unit }
    }
}

/// Lists attributes.
#[utoipa::path(get, path = "/api/admin/attributes")]
async fn list(
    by: Authorized<may::ListAttributes>,
    Db(db): Db,
    List(query): List<Attributes>,
) -> Answer<Listing<AttributeView>> {
    Ok(listing(attribute::list(&db, by.scope(), &query).await?))
}

/// Exports all attributes that the filters match.
#[utoipa::path(get, path = "/api/admin/attributes/export")]
async fn export(by: Authorized<may::ListAttributes>, export: Export<Attributes>) -> Answer<Download> {
    let table = Table {
        words: words!("attributes"),
        columns: &[
            ("position", |row: &AttributeDetail, _| row.attribute.position.into()),
            ("name", |row, _| row.attribute.name.as_str().into()),
            ("type", |row, labels| labels.choice("type", row.attribute.r#type)),
            ("unit_category", |row, labels| labels.choice("unit_category", row.attribute.unit_category)),
            ("default_unit", |row, labels| row.attribute.default_unit.map(|unit| labels.unit(unit)).into()),
            ("options", |row, _| row.options.iter().map(|option| &*option.name).collect()),
            ("primary", |row, labels| labels.yes_no(row.attribute.primary)),
            ("placeholder", |row, _| row.attribute.placeholder.as_str().into()),
            ("weight_per_base_unit", |row, _| row.attribute.weight_per_base_unit.into()),
            ("updated_at", |row, _| time(row.attribute.updated_at)),
        ],
    };
    let detailed = async |db: &_, rows| attribute::detailed(db, by.scope(), rows).await;
    Ok(export.table(by.scope(), &table, detailed).await?)
}

/// Creates an attribute, as the last one.
#[utoipa::path(post, path = "/api/admin/attributes")]
async fn create(
    by: Authorized<may::CreateAttribute>,
    Db(db): Db,
    Body(input): Body<AttributeInput>,
) -> Answer<Created<AttributeView>> {
    Ok(created(attribute::create(&db, by.scope(), input).await?))
}

/// Shows an attribute.
#[utoipa::path(get, path = "/api/admin/attributes/{id}")]
async fn view(by: Authorized<may::ViewAttribute>, Db(db): Db, Id(id): Id) -> Answer<Shown<AttributeView>> {
    Ok(shown(attribute::get(&db, by.scope(), id).await?))
}

/// Changes an attribute; options that are left out are removed, unless articles use them.
#[utoipa::path(put, path = "/api/admin/attributes/{id}")]
async fn update(
    by: Authorized<may::UpdateAttribute>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<AttributeInput>,
) -> Answer<Shown<AttributeView>> {
    Ok(shown(attribute::update(&db, by.scope(), id, input).await?))
}

/// Shows what a change of an attribute would do to articles.
#[utoipa::path(post, path = "/api/admin/attributes/{id}/effect")]
async fn effect(
    by: Authorized<may::UpdateAttribute>,
    Db(db): Db,
    About(request): About,
    Id(id): Id,
    Body(input): Body<AttributeInput>,
) -> Answer<Shown<EffectView>> {
    let effect = attribute::effect(&db, by.scope(), id, input).await?;
    Ok(shown(EffectView::new(effect, request.language)))
}

/// Deletes an attribute that no article type uses.
#[utoipa::path(delete, path = "/api/admin/attributes/{id}")]
async fn delete(by: Authorized<may::DeleteAttribute>, Db(db): Db, Id(id): Id) -> Answer<Done> {
    Ok(done(attribute::delete(&db, by.scope(), id).await?))
}

/// Deletes many attributes, as far as each of them can be deleted.
#[utoipa::path(post, path = "/api/admin/attributes/bulk-delete")]
async fn bulk_delete(
    by: Authorized<may::DeleteAttribute>,
    Db(db): Db,
    About(request): About,
    matching: Matching<Attributes>,
    Body(selection): Body<Selection>,
) -> Answer<Shown<BulkOutcome>> {
    let one = async |id, _: &str| attribute::delete(&db, by.scope(), id).await;
    let records = (&db, by.scope());
    Ok(shown(
        bulk::each(records, &matching, &selection, attribute::Column::Name, request.language, one).await?,
    ))
}

/// Changes one field of many attributes.
#[utoipa::path(post, path = "/api/admin/attributes/bulk-change")]
async fn bulk_change(
    by: Authorized<may::UpdateAttribute>,
    Db(db): Db,
    About(request): About,
    matching: Matching<Attributes>,
    Body(BulkChange { selection, change }): Body<BulkChange<AttributeFieldChange>>,
) -> Answer<Shown<BulkOutcome>> {
    let one = async |id, _: &str| attribute::change(&db, by.scope(), id, &change).await;
    let records = (&db, by.scope());
    Ok(shown(
        bulk::each(records, &matching, &selection, attribute::Column::Name, request.language, one).await?,
    ))
}

/// Puts all attributes into an order.
#[utoipa::path(put, path = "/api/admin/attributes/order")]
async fn reorder(
    by: Authorized<may::UpdateAttribute>,
    Db(db): Db,
    Body(OrderInput { ids }): Body<OrderInput>,
) -> Answer<Done> {
    Ok(done(attribute::reorder(&db, by.scope(), &ids).await?))
}

/// Shows where an attribute is used.
#[utoipa::path(get, path = "/api/admin/attributes/{id}/usage")]
async fn usage(by: Authorized<may::ViewAttribute>, Db(db): Db, Id(id): Id) -> Answer<Shown<Whole<Usage>>> {
    Ok(shown(usage::of::<Attributes>(&db, by.scope(), id).await?))
}
