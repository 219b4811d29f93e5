//! Blueprints of articles: the attributes of an article type with their options, and its templates. They
//! check values and render number and name in memory, for one article as for a file of a million.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, OnceLock},
};

use sea_orm::{
    ColumnTrait, ConnectionTrait, JoinType, QueryFilter, QueryOrder, QuerySelect, RelationTrait, Select,
};
use store::{Recorded, Scope};
use values::{
    Decimal, Error, Message, Result, Unit, Violations, fold,
    rule::required,
    unit::{convert, convert_exactly},
};

use crate::{
    article_type::{
        attribute_entity::{self, Entity as TypeAttributes, Model as TypeAttribute},
        entity::{self as article_type, Entity as ArticleTypes, Model as ArticleType},
    },
    attribute::{
        self, Attribute, AttributeDetail, AttributeOption, AttributeType, Attributes,
        entity as attribute_table, option_measure::read_option,
    },
    codes,
    material::{Material, Materials},
    quantity::UnitSource,
    shape::{self, Dimension},
    template::{Bound, Content, DecimalSign, Gap, MATERIAL, Slot, TRADE_DIMENSION, Template},
    trade_dimension::{self, Cluster, TradeDimensionDetail, TradeDimensions},
    value::{AttributeValues, Value},
    words,
};

/// Article type with everything that is needed to build its articles.
#[derive(Debug, Clone)]
pub struct Blueprint {
    pub article_type: ArticleType,
    pub trade_dimension: Option<TradeDimensionDetail>,
    attributes: Vec<BlueprintAttribute>,
    number: Bound,
    name: Bound,
}

/// Attribute of an article type.
#[derive(Debug, Clone)]
pub struct BlueprintAttribute {
    pub primary: bool,
    /// Dimension of the article that the attribute measures.
    pub dimension: Option<Dimension>,
    detail: Arc<AttributeDetail>,
    /// Index of options by text, built at the first lookup.
    by_text: Arc<OnceLock<HashMap<String, usize>>>,
}

/// Number, name and weight of an article, rendered from its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedArticle {
    pub article_number: String,
    pub article_name: String,
    /// Weight in kg per base unit; `None` if neither section nor values give it.
    pub weight_per_base_unit: Option<Decimal>,
}

impl Blueprint {
    /// Loads the blueprint of an article type; `None` if there is no such type.
    pub async fn load(db: &impl ConnectionTrait, scope: &Scope, article_type: i64) -> Result<Option<Self>> {
        let select = scope.find::<ArticleTypes>().filter(article_type::Column::Id.eq(article_type));
        Ok(load(db, scope, select).await?.pop())
    }

    /// Loads the blueprints of all article types.
    pub async fn load_all(db: &impl ConnectionTrait, scope: &Scope) -> Result<Vec<Self>> {
        load(db, scope, scope.find::<ArticleTypes>()).await
    }

    /// Loads the blueprints of the selected article types.
    pub(crate) async fn load_some(
        db: &impl ConnectionTrait,
        scope: &Scope,
        types: Select<ArticleTypes>,
    ) -> Result<Vec<Self>> {
        load(db, scope, types).await
    }

    /// Binds the templates to the attributes. Errors are reported at the template's field.
    pub(crate) fn new(
        article_type: ArticleType,
        attributes: Vec<BlueprintAttribute>,
        trade_dimension: Option<TradeDimensionDetail>,
    ) -> Result<Self, Violations> {
        let mut violations = Violations::new();
        // Same order as in `Blueprint::content`.
        let text = |placeholder| Slot { placeholder, unit: None };
        let words =
            [text(MATERIAL)].into_iter().chain(trade_dimension.is_some().then_some(text(TRADE_DIMENSION)));
        let slots: Vec<_> = attributes.iter().map(BlueprintAttribute::slot).chain(words).collect();
        let mut bound = |path: &str, text: &str| {
            Template::parse(text)
                .and_then(|template| template.bind(&slots))
                .map_err(|faults| faults.into_iter().for_each(|fault| violations.add(path, fault)))
                .ok()
        };
        let number = bound("article_number_template", &article_type.article_number_template);
        let name = bound("article_name_template", &article_type.article_name_template);
        match (number, name) {
            (Some(number), Some(name)) => {
                Ok(Self { article_type, trade_dimension, attributes, number, name })
            }
            _ => Err(violations),
        }
    }

    /// Returns the blueprint with the id of another article type.
    #[must_use]
    pub(crate) fn with_article_type_id(mut self, article_type: i64) -> Self {
        self.article_type.id = article_type;
        self
    }

    /// Attributes in the order of the article type.
    pub fn attributes(&self) -> &[BlueprintAttribute] {
        &self.attributes
    }

    /// Returns the attribute with this id, if the type has it.
    pub fn attribute(&self, id: i64) -> Option<&BlueprintAttribute> {
        self.attributes.iter().find(|attribute| attribute.id == id)
    }

    /// True if articles need a material.
    pub fn uses_material(&self) -> bool {
        self.number.uses(self.material_slot()) || self.name.uses(self.material_slot())
    }

    /// Two flags: the article number shows the placeholder, and the article name does.
    pub(crate) fn uses(&self, placeholder: &str) -> (bool, bool) {
        let slot = match placeholder {
            MATERIAL => Some(self.material_slot()),
            TRADE_DIMENSION => Some(self.material_slot() + 1),
            _ => self.attributes.iter().position(|attribute| attribute.placeholder == placeholder),
        };
        slot.map_or((false, false), |slot| (self.number.uses(slot), self.name.uses(slot)))
    }

    fn material_slot(&self) -> usize {
        self.attributes.len()
    }

    /// Primary attributes that the number does not show, so that two articles could get the same number.
    pub(crate) fn missing_primary(&self) -> impl Iterator<Item = &Attribute> {
        let attributes = self.attributes.iter().enumerate();
        attributes
            .filter(|(index, attribute)| attribute.primary && !self.number.uses(*index))
            .map(|(_, a)| &**a)
    }

    /// Renders number, name and weight of an article with these values; numbers and names of any length are
    /// accepted here.
    ///
    /// # Errors
    /// All violations, reported at `values.<attribute id>.option_id`, `.number` or `.text`.
    pub fn render(
        &self,
        material: Option<&Material>,
        values: &AttributeValues,
    ) -> Result<RenderedArticle, Violations> {
        let mut violations = self.check(values);
        if self.uses_material() && material.is_none() {
            violations.add("material_id", codes::MATERIAL_REQUIRED);
        }
        if let Some((path, fault)) = self.out_of_the_ladder(values) {
            violations.add(path, fault);
        }
        if !violations.is_empty() {
            return Err(violations);
        }
        // All values that templates can show are present here.
        let fault = |(Gap::Range(index) | Gap::Empty(index))| {
            let path = self.attributes.get(index).map(BlueprintAttribute::path).unwrap_or_default();
            Violations::one(path, codes::INVALID_DECIMAL.with("before", 12).with("after", 6))
        };
        Ok(RenderedArticle {
            article_number: self.number(material, values).map_err(fault)?,
            article_name: self.name(material, values).map_err(fault)?,
            weight_per_base_unit: self.weight(material, values),
        })
    }

    /// Renders the article number; a [`Gap`] if a value is missing or out of range.
    pub(crate) fn number(
        &self,
        material: Option<&Material>,
        values: &AttributeValues,
    ) -> Result<String, Gap> {
        let material =
            material.map(|material| material.article_number_name.as_ref().unwrap_or(&material.name).as_str());
        self.number
            .render(DecimalSign::Point, |slot| self.content(slot, values, material, |option| &option.value))
    }

    /// Renders the article name; a [`Gap`] if a value is missing or out of range.
    pub(crate) fn name(&self, material: Option<&Material>, values: &AttributeValues) -> Result<String, Gap> {
        let material =
            material.map(|material| material.display_name.as_ref().unwrap_or(&material.name).as_str());
        self.name.render(DecimalSign::Comma, |slot| self.content(slot, values, material, display_text))
    }

    fn content<'a>(
        &'a self,
        slot: usize,
        values: &'a AttributeValues,
        material: Option<&'a str>,
        text: fn(&AttributeOption) -> &str,
    ) -> Option<Content<'a>> {
        let Some(attribute) = self.attributes.get(slot) else {
            let cluster = || self.cluster(values).map(|cluster| cluster.short_code.as_str());
            let text = if slot == self.material_slot() { material } else { cluster() };
            return text.map(Content::Text);
        };
        match values.get(attribute.id)? {
            Value::Option(option) => attribute.option(*option).map(|option| Content::Text(text(option))),
            Value::Number(number) => Some(Content::Number(*number)),
            Value::Text(text) => Some(Content::Text(text)),
        }
    }

    /// Checks that every attribute of the type has one value of its kind, and that there are no others.
    fn check(&self, values: &AttributeValues) -> Violations {
        let mut violations = Violations::new();
        for attribute in &self.attributes {
            if let Err(fault) = attribute.check(values.get(attribute.id)) {
                violations.add(attribute.path(), fault);
            }
        }
        for (id, _) in values.iter() {
            if self.attribute(id).is_none() {
                violations.add(format!("values.{id}.attribute_id"), codes::FOREIGN_ATTRIBUTE);
            }
        }
        violations
    }

    /// Weight in kg per base unit: from the section's dimensions and the material's density if the type has a
    /// section, otherwise from the one value that has a weight; `None` if several do.
    pub(crate) fn weight(&self, material: Option<&Material>, values: &AttributeValues) -> Option<Decimal> {
        let of_a_piece = self.dimension_value(Dimension::PieceWeight, values);
        if self.article_type.base_unit_of_measure == Unit::Piece && of_a_piece.is_some() {
            return of_a_piece;
        }
        if let Some(section) = self.article_type.section {
            let density = material.and_then(|material| material.density);
            let base = self.article_type.base_unit_of_measure;
            return section.weight_per(base, |dimension| self.dimension_value(dimension, values), density);
        }
        let mut weights =
            self.attributes.iter().filter_map(|attribute| attribute.weight(values.get(attribute.id)?));
        weights.next().filter(|_| weights.next().is_none())
    }

    /// Returns the range of the type's commercial length that the length falls into.
    pub fn cluster(&self, values: &AttributeValues) -> Option<&Cluster> {
        let length = self.dimension_value(Dimension::Length, values)?;
        self.trade_dimension.as_ref()?.ladder.cluster_of(length)
    }

    /// Returns the error for a length outside all ranges of the commercial length, and its path.
    fn out_of_the_ladder(&self, values: &AttributeValues) -> Option<(String, Message)> {
        let TradeDimensionDetail { trade_dimension, ladder } = self.trade_dimension.as_ref()?;
        let length =
            self.dimension_value(Dimension::Length, values).filter(|length| *length > Decimal::ZERO)?;
        let attribute =
            self.attributes.iter().find(|attribute| attribute.dimension == Some(Dimension::Length))?;
        let fault = || codes::NO_CLUSTER.with("trade_dimension", &trade_dimension.name);
        ladder.cluster_of(length).is_none().then(|| (attribute.path(), fault()))
    }

    /// Returns the measure that the values give for a dimension, in the base unit of its category.
    pub(crate) fn dimension_value(&self, dimension: Dimension, values: &AttributeValues) -> Option<Decimal> {
        let measures = |attribute: &BlueprintAttribute| {
            let measuring = attribute.dimension?;
            let place = measuring.measured().iter().position(|measured| *measured == dimension)?;
            match values.get(attribute.id)? {
                Value::Number(number) => Some(*number),
                Value::Option(option) => {
                    read_option(attribute.option(*option)?, measuring)?.get(place).copied()
                }
                Value::Text(_) => None,
            }
        };
        self.attributes.iter().find_map(measures)
    }

    /// Returns all dimensions that the values give.
    pub(crate) fn dimensions(&self, values: &AttributeValues) -> HashMap<Dimension, Decimal> {
        let measuring = self.attributes.iter().filter_map(|attribute| attribute.dimension);
        let measured = measuring.flat_map(Dimension::measured);
        measured
            .filter_map(|dimension| Some((*dimension, self.dimension_value(*dimension, values)?)))
            .collect()
    }

    /// Returns the extent or weight of one piece of an article with these values, if they give it.
    pub(crate) fn piece(&self, values: &AttributeValues) -> Option<(Decimal, Unit)> {
        let ArticleType { base_unit_of_measure: base, section, .. } = self.article_type;
        let source = UnitSource { base, section, density: None, weight: None };
        source.piece(|dimension| self.dimension_value(dimension, values))
    }

    /// Locks the rows behind the blueprints and the materials until the transaction ends. Returns true if
    /// none of them has changed since it was loaded.
    pub async fn lock_if_unchanged<'a>(
        tx: &impl ConnectionTrait,
        scope: &Scope,
        blueprints: &[&Self],
        materials: impl IntoIterator<Item = &'a Material>,
    ) -> Result<bool> {
        let rows: Vec<(i64, i64, i64, i64)> = scope
            .find::<ArticleTypes>()
            .select_only()
            .column_as(article_type::Column::Id, "article_type")
            .column_as(article_type::Column::Version, "article_type_version")
            .column_as(attribute_table::Column::Id, "attribute")
            .column_as(attribute_table::Column::Version, "attribute_version")
            .join(JoinType::InnerJoin, article_type::Relation::Attribute.def())
            .join(JoinType::InnerJoin, attribute_entity::Relation::Attribute.def())
            .filter(
                article_type::Column::Id.is_in(blueprints.iter().map(|blueprint| blueprint.article_type.id)),
            )
            .order_by_asc(article_type::Column::Id)
            .order_by_asc(attribute_entity::Column::Position)
            .lock_shared()
            .into_tuple()
            .all(tx)
            .await?;
        let mut loaded: Vec<_> = blueprints
            .iter()
            .flat_map(|blueprint| {
                let ArticleType { id, version, .. } = blueprint.article_type;
                blueprint
                    .attributes
                    .iter()
                    .map(move |attribute| (id, version, attribute.id, attribute.version))
            })
            .collect();
        loaded.sort_by_key(|(article_type, ..)| *article_type);
        if rows != loaded {
            return Ok(false);
        }
        let ladders = blueprints.iter().filter_map(|blueprint| blueprint.trade_dimension.as_ref());
        let ladders: BTreeMap<i64, i64> =
            ladders.map(|ladder| (ladder.trade_dimension.id, ladder.trade_dimension.version)).collect();
        let locked = lock_versions::<TradeDimensions>(tx, scope, ladders.keys().copied()).await?;
        if !locked.into_iter().eq(ladders) {
            return Ok(false);
        }
        let materials: BTreeMap<i64, i64> =
            materials.into_iter().map(|material| (material.id, material.version)).collect();
        let locked = lock_versions::<Materials>(tx, scope, materials.keys().copied()).await?;
        Ok(locked.into_iter().eq(materials))
    }
}

/// Loads the versions of records in the order of their ids and locks the rows until the transaction ends.
pub(crate) async fn lock_versions<E: Recorded>(
    tx: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, i64)>> {
    let ids: Vec<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let locked = scope
        .find::<E>()
        .select_only()
        .columns([E::ID, E::VERSION])
        .filter(E::ID.is_in(ids))
        .order_by_asc(E::ID)
        .lock_shared();
    Ok(locked.into_tuple().all(tx).await?)
}

/// Loads blueprints with a constant number of queries. Types and attributes come from one query, so that
/// templates and placeholders match despite concurrent changes.
async fn load(
    db: &impl ConnectionTrait,
    scope: &Scope,
    types: Select<ArticleTypes>,
) -> Result<Vec<Blueprint>> {
    let rows = types
        .find_also_related(TypeAttributes)
        .find_also(TypeAttributes, Attributes)
        .order_by_asc(article_type::Column::Id)
        .order_by_asc(attribute_entity::Column::Position)
        .all(db)
        .await?;
    let attributes = rows.iter().filter_map(|(_, _, attribute)| attribute.as_ref());
    let with_options = attributes.filter(|attribute| attribute.r#type == AttributeType::Categorial);
    let ids: HashSet<i64> = with_options.map(|attribute| attribute.id).collect();
    let mut options = attribute::options(db, scope, ids).await?;

    let mut shared = HashMap::<i64, BlueprintAttribute>::new();
    let mut types: Vec<(ArticleType, Vec<BlueprintAttribute>)> = Vec::new();
    for (article_type, row, attribute) in rows {
        if types.last().is_none_or(|(last, _)| last.id != article_type.id) {
            types.push((article_type, Vec::new()));
        }
        if let (Some((_, attributes)), Some(row), Some(attribute)) = (types.last_mut(), row, attribute) {
            let shared_attribute = shared.entry(attribute.id).or_insert_with(|| {
                let options = options.remove(&attribute.id).unwrap_or_default();
                BlueprintAttribute::new(AttributeDetail { attribute, options }, false, None)
            });
            let TypeAttribute { primary, dimension, .. } = row;
            attributes.push(BlueprintAttribute { primary, dimension, ..shared_attribute.clone() });
        }
    }
    let ladders = types.iter().filter_map(|(article_type, _)| article_type.trade_dimension_id);
    let ladders = trade_dimension::by_id(db, scope, ladders).await?;
    let blueprints = types.into_iter().map(|(article_type, attributes)| {
        let id = article_type.id;
        let trade_dimension = article_type.trade_dimension_id.and_then(|id| ladders.get(&id).cloned());
        Blueprint::new(article_type, attributes, trade_dimension)
            .map_err(|faults| Error::internal(format!("article type {id}: {}", Error::Invalid(faults))))
    });
    blueprints.collect()
}

/// Returns the text of an option in article names.
pub(crate) fn display_text(option: &AttributeOption) -> &str {
    option.display_value.as_ref().unwrap_or(&option.name)
}

impl std::ops::Deref for BlueprintAttribute {
    type Target = Attribute;

    fn deref(&self) -> &Attribute {
        &self.detail.attribute
    }
}

impl BlueprintAttribute {
    pub(crate) fn new(detail: AttributeDetail, primary: bool, dimension: Option<Dimension>) -> Self {
        Self { primary, dimension, by_text: Arc::default(), detail: Arc::new(detail) }
    }

    /// Options of the attribute; empty unless it is categorial.
    pub fn options(&self) -> &[AttributeOption] {
        &self.detail.options
    }

    /// Returns the option with this id.
    pub fn option(&self, id: i64) -> Option<&AttributeOption> {
        self.detail.options.iter().find(|option| option.id == id)
    }

    /// Finds the option that a text names by its value, name or displayed value, ignoring case.
    pub fn option_named(&self, text: &str) -> Result<Value, Message> {
        let by_text = self.by_text.get_or_init(|| options_by_text(self.options()));
        let option = by_text.get(&fold(text)).and_then(|index| self.options().get(*index));
        option.map(|option| Value::Option(option.id)).ok_or_else(|| self.unknown_option(text))
    }

    /// Converts a number in the given unit, or the default unit, to the base unit of the category.
    pub fn measure(&self, number: Decimal, unit: Option<Unit>) -> Result<Value, Message> {
        let Some(default) = self.default_unit else { return Err(self.wrong_kind()) };
        let unit = unit.unwrap_or(default);
        if unit.category() != default.category() {
            let possible_units = default.category().units();
            return Err(Message::from(codes::WRONG_UNIT_CATEGORY)
                .unit("unit", unit)
                .units("known", possible_units));
        }
        let base = unit.category().base();
        convert_exactly(number, unit, base)
            .filter(|stored| convert(*stored, base, default).is_some())
            .map(Value::Number)
            .ok_or_else(|| digits_that_fit(unit))
    }

    /// Checks a text of a custom attribute.
    pub fn text(&self, text: String) -> Result<Value, Message> {
        if self.r#type != AttributeType::Custom {
            return Err(self.wrong_kind());
        }
        let mut violations = Violations::new();
        required(&mut violations, "", &text);
        violations.into_iter().next().map_or(Ok(Value::Text(text)), |violation| Err(violation.message))
    }

    fn slot(&self) -> Slot<'_> {
        Slot { placeholder: &self.placeholder, unit: self.default_unit }
    }

    /// Path at which errors of this attribute's value are reported.
    fn path(&self) -> String {
        format!("values.{}.{}", self.id, self.field())
    }

    /// Name of the input field for values of this kind.
    pub(crate) fn field(&self) -> &'static str {
        match self.r#type {
            AttributeType::Categorial => "option_id",
            AttributeType::Metric => "number",
            AttributeType::Custom => "text",
        }
    }

    fn check(&self, value: Option<&Value>) -> Result<(), Message> {
        match (self.r#type, value) {
            (_, None) => Err(codes::VALUE_REQUIRED.with("attribute", &self.name)),
            (AttributeType::Categorial, Some(Value::Option(option))) if self.option(*option).is_none() => {
                Err(self.unknown_option(option))
            }
            (AttributeType::Categorial, Some(Value::Option(_)))
            | (AttributeType::Custom, Some(Value::Text(_))) => Ok(()),
            (AttributeType::Metric, Some(Value::Number(number))) => shape::check(self.dimension, *number),
            (_, Some(_)) => Err(self.wrong_kind()),
        }
    }

    pub(crate) fn wrong_kind(&self) -> Message {
        let expected = match self.r#type {
            AttributeType::Categorial => words::AN_OPTION,
            AttributeType::Metric => words::A_NUMBER,
            AttributeType::Custom => words::A_TEXT,
        };
        codes::WRONG_VALUE_KIND.with("attribute", &self.name).word("expected", expected)
    }

    fn unknown_option(&self, value: impl ToString) -> Message {
        codes::UNKNOWN_OPTION.with("value", value).with("attribute", &self.name)
    }

    fn weight(&self, value: &Value) -> Option<Decimal> {
        let weight = match value {
            Value::Option(option) => self.option(*option)?.weight_per_base_unit?,
            Value::Number(number) => self.weight_per_base_unit?.times(*number)?,
            Value::Text(_) => return None,
        };
        Some(weight).filter(|weight| *weight > Decimal::ZERO)
    }
}

fn options_by_text(options: &[AttributeOption]) -> HashMap<String, usize> {
    let options = || options.iter().enumerate();
    // Later entries replace earlier ones: a value takes precedence over another option's name, a name over a
    // displayed text.
    let by_display_text = options().map(|(index, option)| (fold(display_text(option)), index));
    let by_name = options().map(|(index, option)| (option.name_fold.clone(), index));
    let by_value = options().map(|(index, option)| (option.value_fold.clone(), index));
    by_display_text.chain(by_name).chain(by_value).collect()
}

/// Error with the digits before and after the decimal point that fit into the base unit without loss.
fn digits_that_fit(unit: Unit) -> Message {
    let digits = |mut factor: i64| {
        let mut zeros = 0_u32;
        while factor >= 10 {
            factor /= 10;
            zeros += 1;
        }
        zeros
    };
    let per_unit = unit.in_base_units().millionths();
    let (before, after) = match per_unit.cmp(&Decimal::ONE.millionths()) {
        std::cmp::Ordering::Less => (12, digits(per_unit)),
        _ => (12 - digits(per_unit / Decimal::ONE.millionths()), 6),
    };
    codes::INVALID_DECIMAL.with("before", before).with("after", after)
}

#[cfg(test)]
pub(crate) mod tests;
