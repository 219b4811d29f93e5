//! Attributes over HTTP.

use catalog::{
    attribute::{self, AttributeDetail, AttributeInput, AttributeOption, AttributeType, Attributes},
    cascade::attribute as cascade,
    may,
};
use http_api::{
    access::Authorized,
    answer::{NoContent, OkJson, no_content, ok_json},
    export::{Column, time},
    input::{Body, Db, Id, OrderInput, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use store::Database;
use values::{Decimal, Unit, UnitCategory, Validated};

use crate::resource::{
    by_name::by_name,
    crud::{Exportable, operations, view_of},
    effect::EffectView,
    search::findable,
    view::HasView,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<Attributes>(routes, "/api/admin/attributes")
        .list::<may::ListAttributes>("Lists attributes.")
        .export::<may::ListAttributes>("Exports all attributes that match the filters.")
        .create::<may::CreateAttribute>("Creates an attribute at the end of the list.")
        .view::<may::ViewAttribute>("Shows an attribute.")
        .update::<may::UpdateAttribute>(
            "Changes an attribute. Omitted options are removed unless articles use them.",
        )
        .by_name::<may::ViewAttribute, may::UpdateAttribute, may::CreateAttribute>("an attribute by its name")
        .delete::<may::DeleteAttribute>("Deletes an attribute that no article type uses.")
        .bulk_delete::<may::DeleteAttribute>("Deletes many attributes and leaves those that are in use.")
        .bulk_change::<may::UpdateAttribute>("Changes one field of many attributes.")
        .usage::<may::ViewAttribute>("Shows where an attribute is used.");
    publish!(routes, Attributes: reorder, effect);
}

view_of! {
    /// An attribute of articles.
    AttributeView as Attribute, of detail: AttributeDetail, row detail.attribute;
    /// Unique, ignoring case.
    #[schema(example = "Höhe")]
    name: String = detail.attribute.name,
    /// Placeholder of the attribute in templates, written there in braces.
    #[schema(example = "hoehe")]
    placeholder: String = detail.attribute.placeholder,
    r#type: AttributeType = detail.attribute.r#type,
    /// True if article types propose it as part of the article number.
    primary: bool = detail.attribute.primary,
    /// Position among all attributes, from 1.
    #[schema(example = 1)]
    position: i64 = detail.attribute.position,
    /// Quantity that a metric attribute measures.
    #[schema(required)]
    unit_category: Option<UnitCategory> = detail.attribute.unit_category,
    /// The unit in which values of a metric attribute are shown.
    #[schema(required)]
    default_unit: Option<Unit> = detail.attribute.default_unit,
    /// The options of a categorial attribute, in order.
    options: Vec<OptionView> = detail.options.into_iter().map(OptionView::from).collect(),
    /// Weight in kg of one base unit of an article per base unit of this metric attribute.
    #[schema(required)]
    weight_per_base_unit: Option<Decimal> = detail.attribute.weight_per_base_unit,
}

view_of! {
    /// One option of a categorial attribute.
    part OptionView as AttributeOption, of option: AttributeOption;
    id: i64 = option.id,
    #[schema(example = "200")]
    name: String = option.name,
    /// Text for article numbers.
    #[schema(example = "200")]
    value: String = option.value,
    /// Text for article names; without it, the option's name.
    #[schema(required, example = "HEB 200")]
    display_value: Option<String> = option.display_value,
    /// Weight in kg of one base unit of an article with this option.
    #[schema(required)]
    weight_per_base_unit: Option<Decimal> = option.weight_per_base_unit,
}

impl HasView for Attributes {
    type Source = Database;
    type View = AttributeView;
}

by_name!(Attributes by name: attribute::Column::NameFold, "name");
findable!(Attributes, _row => None);

impl Exportable for Attributes {
    const COLUMNS: &'static [Column<AttributeDetail>] = &[
        ("position", |row, _| row.attribute.position.into()),
        ("name", |row, _| row.attribute.name.as_str().into()),
        ("type", |row, labels| labels.choice("type", row.attribute.r#type)),
        ("unit_category", |row, labels| labels.choice("unit_category", row.attribute.unit_category)),
        ("default_unit", |row, labels| row.attribute.default_unit.map(|unit| labels.unit(unit)).into()),
        ("options", |row, _| row.options.iter().map(|option| &*option.name).collect()),
        ("primary", |row, labels| labels.yes_no(row.attribute.primary)),
        ("placeholder", |row, _| row.attribute.placeholder.as_str().into()),
        ("weight_per_base_unit", |row, _| row.attribute.weight_per_base_unit.into()),
        ("updated_at", |row, _| time(row.attribute.updated_at)),
    ];
}

/// Previews the effect of a change of an attribute on articles.
#[utoipa::path(post, path = "/api/admin/attributes/{id}/effect")]
async fn effect(
    by: Authorized<may::UpdateAttribute>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(input): Body<Validated<AttributeInput>>,
) -> Answer<OkJson<EffectView>> {
    let effect = cascade::effect(&db, by.scope(), id, input).await?;
    Ok(ok_json(EffectView::new(effect, request.language)))
}

/// Sets the order of all attributes.
#[utoipa::path(put, path = "/api/admin/attributes/order")]
async fn reorder(
    by: Authorized<may::UpdateAttribute>,
    Db(db): Db,
    Body(OrderInput { ids, seen }): Body<OrderInput>,
) -> Answer<NoContent> {
    Ok(no_content(attribute::reorder(&db, by.scope(), &ids, &seen).await?))
}
