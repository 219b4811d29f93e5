//! Findings: weaknesses of a seller's adjustments. Examples are adjustments that can never apply, lack values
//! of their table, name an empty category, duplicate another one, are given twice, have no price left to
//! reduce, depend on the order, or apply in no sample cart. Most findings have a cart that shows them.

mod analysis;
mod comparison;
mod contradiction;
pub(crate) mod generated_carts;
mod overlap;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use catalog::{
    article::{self, Articles},
    article_units::{self, ArticleUnits},
    category::{self, Categories},
};
use chrono::TimeDelta;
use sea_orm::{ColumnTrait, Condition as Filter, QueryFilter, QueryOrder, QuerySelect};
use serde::Serialize;
use store::{Database, Scope};
use tenancy::{
    tenant::{self, Party},
    tenant_group,
};
use utoipa::ToSchema;
use values::{Decimal, Error, Instant, Result, Unit};

use self::{
    analysis::{Examination, FoundWeakness},
    contradiction::{Within, can_apply},
    generated_carts::{CartSources, SoldArticle},
};
use crate::{
    condition::ConditionType,
    permissions,
    price_adjustment::terms::{Adjustment, Value},
    quote::{
        Cart, Line, Processing,
        book::Book,
        calculation::{Calculation, Calculator},
        lines::LineRecords,
        trial::Trial,
    },
    sample_cart::{SampleCart, SampleCarts, assembly::Assembly},
    surcharge_table::surcharges::Month,
};

/// Weaknesses of a seller's adjustments.
#[derive(Debug)]
pub struct Findings {
    /// Findings by kind, then by the order of the adjustments.
    pub findings: Vec<Finding>,
    /// Number of sample carts.
    pub sample_carts: u64,
    /// Number of carts that were generated from the conditions.
    pub made_carts: u64,
    /// True if the analysis is complete; otherwise there may be more findings.
    pub complete: bool,
}

/// Weakness of an adjustment.
#[derive(Debug)]
pub struct Finding {
    pub kind: FindingKind,
    pub adjustment: FindingAdjustment,
    /// Other adjustments involved: the one that does the same or is added to it, those that leave no price,
    /// or the one whose order matters.
    pub others: Vec<FindingAdjustment>,
    /// Months for which its table lacks values.
    pub months: Vec<Month>,
    /// Names of the categories that contain no articles.
    pub categories: Vec<String>,
    /// Cart that shows the finding; `None` if there is none.
    pub cart: Option<ExampleCart>,
}

/// Kind of a finding: the adjustment can never apply, or can no longer apply; its table lacks values of this
/// month, or of one that begins within a week; a category that it names contains no articles, because neither
/// the category nor an ancestor of it has an article type; it does the same as another one; it is added to
/// another one of its kind, which changes the price of the same item; earlier adjustments leave no price for
/// it; a total depends on the order of two adjustments; it applies in no sample cart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PriceAdjustmentFindingKind)]
pub enum FindingKind {
    NeverApplies,
    Expired,
    LacksValues,
    EmptyCategory,
    Duplicate,
    Overlap,
    Shadowed,
    OrderDependent,
    NeverInSampleCarts,
}

/// Adjustment with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingAdjustment {
    pub id: i64,
    pub name: String,
    pub position: i64,
}

/// Cart that shows a finding.
#[derive(Debug)]
pub struct ExampleCart {
    /// Id and name of the sample cart; `None` for a generated cart.
    pub sample_cart: Option<(i64, String)>,
    pub buyer: Option<Party>,
    pub at: Instant,
    pub lines: Vec<ExampleLine>,
    /// Actual total in EUR, rounded.
    pub total: Decimal,
    /// Total in the alternative: without the duplicate or the later one of two that overlap, without those
    /// that leave no price, with the two in reverse order, or without the adjustment.
    pub otherwise: Decimal,
}

/// Line of a cart that shows a finding.
#[derive(Debug)]
pub struct ExampleLine {
    pub article: Arc<ArticleUnits>,
    pub quantity: Decimal,
    pub unit: Unit,
    pub warehouse_id: Option<i64>,
    pub processings: Vec<Processing>,
}

impl From<&Adjustment> for FindingAdjustment {
    fn from(adjustment: &Adjustment) -> Self {
        Self { id: adjustment.id, name: adjustment.name.clone(), position: adjustment.position }
    }
}

/// Finds weaknesses of the active adjustments of the acting tenant.
pub async fn find(db: &Database, scope: &Scope, calculator: Calculator<'_>) -> Result<Findings> {
    scope.demand(permissions::VIEW_PRICE)?;
    let calculation = calculator.load(db, scope.tenant()?).await?;
    let samples = scope.find::<SampleCarts>().all(db).await?;
    let input = FindingInput::load(db, calculation, samples).await?;
    tokio::task::spawn_blocking(move || input.analyse()).await.map_err(Error::internal)
}

/// Data that the analysis needs.
struct FindingInput {
    book: Arc<Book>,
    sources: CartSources,
    samples: Vec<SampleCart>,
    assembly: Assembly,
    measured: HashMap<i64, Arc<ArticleUnits>>,
    parties: HashMap<i64, Party>,
    /// Names of the categories that adjustments name and that contain no articles.
    empty_categories: BTreeMap<i64, String>,
}

/// Records that adjustments name.
#[derive(Default)]
pub(crate) struct NamedRecords(BTreeMap<ConditionType, BTreeSet<i64>>);

impl NamedRecords {
    fn from_book(book: &Book) -> Self {
        Self::from_adjustments(book.adjustments().filter(|adjustment| adjustment.active))
    }

    pub(crate) fn from_adjustments<'a>(adjustments: impl IntoIterator<Item = &'a Adjustment>) -> Self {
        let mut records = Self::default();
        for (subject, ids) in adjustments.into_iter().flat_map(generated_carts::named_records) {
            records.0.entry(subject).or_default().extend(ids);
        }
        records
    }

    fn ids(&self, subject: ConditionType) -> impl Iterator<Item = i64> + '_ {
        self.0.get(&subject).into_iter().flatten().copied()
    }
}

/// Maximum number of articles that are searched for fitting ones.
const ARTICLES_MAX: u64 = 20_000;
/// Number of further articles, which are not selected by any adjustment.
const OTHERS: usize = 20;
/// Maximum number of ids of one statement.
const IDS: usize = 5_000;

impl FindingInput {
    async fn load(db: &Database, calculation: Calculation, samples: Vec<SampleCart>) -> Result<Self> {
        let book = calculation.book.clone();
        let named_records = NamedRecords::from_book(&book);
        let mut sold: Vec<i64> = book.articles().collect();
        sold.sort_unstable();
        let processings = named_records.ids(ConditionType::Processing).collect();
        let line_records = LineRecords::load(db, [&*book], processings).await?;

        let (mut ids, others) =
            (fitting_articles(db, &named_records, &line_records, &sold).await?, pick_evenly(&sold));
        ids.extend(&others);
        let mut measured = HashMap::new();
        for ids in ids.into_iter().collect::<Vec<_>>().chunks(IDS) {
            let articles =
                article_units::load(db, &Scope::platform(), article::Column::Id.is_in(ids.iter().copied()))
                    .await?;
            measured.extend(articles.into_iter().map(|article| (article.id, Arc::new(article))));
        }
        let articles =
            measured.iter().map(|(id, measured)| (*id, SoldArticle::new(measured, &line_records))).collect();

        let members =
            tenant_group::members_of(db, &named_records.ids(ConditionType::TenantGroup).collect::<Vec<_>>())
                .await?;
        let tenants: BTreeSet<i64> =
            named_records.ids(ConditionType::Tenant).chain(one_of_each_group(&members)).collect();
        let mut groups = tenant_group::load_groups_by_tenant(db, tenants.iter().copied()).await?;
        let parties = tenant::parties(db, tenants).await?;
        let parties: HashMap<i64, Party> =
            parties.into_iter().map(|party| (party.id.into(), party)).collect();
        let buyers =
            parties.keys().map(|tenant| (*tenant, groups.remove(tenant).unwrap_or_default())).collect();

        let assembly = Assembly::load(db, &[&book], &samples).await?;
        let processings = line_records.processings.keys().copied().collect();
        let non_empty_categories: BTreeSet<i64> =
            line_records.categories.values().flatten().copied().collect();
        let empty_categories = empty_categories(db, &named_records, &non_empty_categories).await?;
        let sources = CartSources { articles, others, buyers, processings, calculation };
        Ok(Self { book, sources, samples, assembly, measured, parties, empty_categories })
    }

    fn analyse(self) -> Findings {
        let Self { book, sources, .. } = &self;
        let now = sources.calculation.now;
        let mut examination = Examination::new(book);
        let mut sampled = Vec::new();
        for sample in &self.samples {
            let outcome = self.assembly.calculate(&sources.calculation, book, sample, false);
            let whole = outcome.lines.iter().all(std::result::Result::is_ok);
            if let Some(trial) = whole.then(|| Trial::prepare(book, outcome.cart)).flatten() {
                let before = examination.trials.len();
                examination.add(trial);
                if examination.trials.len() > before {
                    sampled.push(sample);
                }
            }
        }
        let places: Vec<(usize, &Adjustment)> =
            book.adjustments().enumerate().filter(|(_, adjustment)| adjustment.active).collect();
        let mut weaknesses = Vec::new();
        let mut working = Vec::new();
        let mut complete = true;
        for (place, adjustment) in places {
            match applicability(adjustment, &sources.calculation) {
                Applicability::Possible { is_certain } => {
                    complete &= is_certain;
                    working.push((place, adjustment));
                }
                Applicability::Over => weaknesses.push(FoundWeakness::new(FindingKind::Expired, place)),
                Applicability::Impossible => {
                    weaknesses.push(FoundWeakness::new(FindingKind::NeverApplies, place));
                }
            }
        }
        let first_generated_cart = examination.trials.len();
        for (_, adjustment) in &working {
            examination.try_all(sources.carts(book, &[*adjustment]));
        }
        examination.try_pairs(sources, &working);
        let generated_count = examination.trials.len() - first_generated_cart;

        for (number, (place, adjustment)) in working.iter().enumerate() {
            if !self.missing_months(adjustment).is_empty() {
                weaknesses.push(FoundWeakness::new(FindingKind::LacksValues, *place));
            }
            if !self.empty_categories_of(adjustment).is_empty() {
                weaknesses.push(FoundWeakness::new(FindingKind::EmptyCategory, *place));
            }
            let others = working.iter().skip(number + 1);
            weaknesses.extend(others.filter_map(|(other, _)| examination.duplicate(*place, *other)));
            let shadowed = examination.shadowed(*place);
            let pending = adjustment.valid_from.is_some_and(|from| from > now);
            if shadowed.is_none() && !self.samples.is_empty() && !pending {
                weaknesses.extend(examination.not_in_samples(*place, first_generated_cart));
            }
            weaknesses.extend(shadowed);
        }
        weaknesses.extend(examination.overlaps(&working.iter().map(|(place, _)| *place).collect::<Vec<_>>()));
        weaknesses.extend(examination.order_dependent());
        complete &= examination.is_complete();
        weaknesses.sort_by_key(|weakness| (weakness.kind, weakness.place));
        let findings = weaknesses
            .into_iter()
            .filter_map(|weakness| self.finding_from(&examination, &sampled, weakness))
            .collect();
        Findings {
            findings,
            sample_carts: self.samples.len() as u64,
            made_carts: generated_count as u64,
            complete,
        }
    }

    /// Returns the months for which the table of an adjustment lacks values that are due.
    fn missing_months(&self, adjustment: &Adjustment) -> Vec<Month> {
        let Value::OfTable(table) = &adjustment.value else { return Vec::new() };
        let calculation = &self.sources.calculation;
        table.missing_months(calculation.moment(Some(calculation.now)).date).into_iter().collect()
    }

    /// Returns the names of the categories of an adjustment that contain no articles.
    fn empty_categories_of(&self, adjustment: &Adjustment) -> Vec<String> {
        let named_records = generated_carts::named_records(adjustment).into_iter();
        let categories = named_records.filter(|(subject, _)| *subject == ConditionType::Category);
        let ids: BTreeSet<i64> = categories.flat_map(|(_, ids)| ids).collect();
        ids.iter().filter_map(|id| self.empty_categories.get(id).cloned()).collect()
    }

    fn finding_from(
        &self,
        examination: &Examination<'_>,
        sampled: &[&SampleCart],
        weakness: FoundWeakness,
    ) -> Option<Finding> {
        let find_adjustment = |place: usize| self.book.adjustment(place).map(FindingAdjustment::from);
        let example_cart = weakness.example.and_then(|(cart, otherwise)| {
            let (trial, run) = (examination.trials.get(cart)?, examination.runs.get(cart)?);
            let sample = sampled.get(cart).map(|sample| (sample.id, sample.name.clone()));
            self.example_cart(&trial.cart, sample, run.total.shown(), otherwise.shown())
        });
        let adjustment_of = |kind| self.book.adjustment(weakness.place).filter(|_| weakness.kind == kind);
        let lacks = adjustment_of(FindingKind::LacksValues);
        let empty = adjustment_of(FindingKind::EmptyCategory);
        Some(Finding {
            kind: weakness.kind,
            adjustment: find_adjustment(weakness.place)?,
            others: weakness.others.into_iter().filter_map(find_adjustment).collect(),
            months: lacks.map(|adjustment| self.missing_months(adjustment)).unwrap_or_default(),
            categories: empty.map(|adjustment| self.empty_categories_of(adjustment)).unwrap_or_default(),
            cart: example_cart,
        })
    }

    fn example_cart(
        &self,
        cart: &Cart,
        sample_cart: Option<(i64, String)>,
        total: Decimal,
        otherwise: Decimal,
    ) -> Option<ExampleCart> {
        let buyer = cart.buyer.as_ref().map(|buyer| {
            self.parties.get(&buyer.tenant).cloned().unwrap_or_else(|| self.assembly.buyer(buyer.tenant))
        });
        let line = |line: &Line| {
            let article = self.measured.get(&line.article.id).cloned();
            Some(ExampleLine {
                article: article.or_else(|| self.assembly.article(line.article.id))?,
                quantity: line.quantity,
                unit: line.unit,
                warehouse_id: line.warehouse,
                processings: line.processings.clone(),
            })
        };
        let lines = cart.lines.iter().map(line).collect::<Option<_>>()?;
        Some(ExampleCart { sample_cart, buyer, at: cart.moment.at, lines, total, otherwise })
    }
}

/// Returns the sold articles that are named, and one for each named type, category and material.
pub(crate) async fn fitting_articles(
    db: &Database,
    named_records: &NamedRecords,
    line_records: &LineRecords,
    sold: &[i64],
) -> Result<BTreeSet<i64>> {
    let is_sold = |id: &i64| sold.binary_search(id).is_ok();
    let mut article_ids: BTreeSet<i64> = named_records.ids(ConditionType::Article).filter(is_sold).collect();
    let categories: BTreeSet<i64> = named_records.ids(ConditionType::Category).collect();
    let materials: BTreeSet<i64> = named_records.ids(ConditionType::Material).collect();
    let of_categories = line_records
        .categories
        .iter()
        .filter(|(_, of_type)| of_type.iter().any(|id| categories.contains(id)));
    let types: BTreeSet<i64> = named_records
        .ids(ConditionType::ArticleType)
        .chain(of_categories.map(|(article_type, _)| *article_type))
        .collect();
    if types.is_empty() && materials.is_empty() {
        return Ok(article_ids);
    }
    let either = Filter::any()
        .add(article::Column::ArticleTypeId.is_in(types.iter().copied()))
        .add(article::Column::MaterialId.is_in(materials.iter().copied()));
    let columns = [article::Column::Id, article::Column::ArticleTypeId, article::Column::MaterialId];
    let rows = Scope::platform().find::<Articles>().select_only().columns(columns).filter(either);
    let rows = rows.order_by_asc(article::Column::Id).limit(ARTICLES_MAX);
    let rows: Vec<(i64, i64, Option<i64>)> = rows.into_tuple().all(db).await?;
    let (mut of_types, mut of_materials, mut of_both) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (id, article_type, material) in rows.into_iter().filter(|(id, ..)| is_sold(id)) {
        let fits_type = types.contains(&article_type);
        let fits_material = material.filter(|material| materials.contains(material));
        let is_first = [
            fits_type && of_types.insert(article_type),
            fits_material.is_some_and(|material| of_materials.insert(material)),
            fits_type && fits_material.is_some_and(|material| of_both.insert((article_type, material))),
        ];
        if is_first.contains(&true) {
            article_ids.insert(id);
        }
    }
    Ok(article_ids)
}

/// Returns one tenant of each group, and of each two groups that share one. `members` are pairs of group and
/// tenant.
fn one_of_each_group(members: &[(i64, i64)]) -> BTreeSet<i64> {
    let mut groups_of: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
    for (group, tenant) in members {
        groups_of.entry(*tenant).or_default().insert(*group);
    }
    let mut one_of: BTreeMap<(i64, i64), i64> = BTreeMap::new();
    for (tenant, groups) in &groups_of {
        for group in groups {
            for other in groups.range(group..) {
                one_of.entry((*group, *other)).or_insert(*tenant);
            }
        }
    }
    one_of.into_values().collect()
}

/// Returns the names of the categories that adjustments name and that contain no articles.
async fn empty_categories(
    db: &Database,
    named_records: &NamedRecords,
    non_empty_categories: &BTreeSet<i64>,
) -> Result<BTreeMap<i64, String>> {
    let empty: Vec<i64> =
        named_records.ids(ConditionType::Category).filter(|id| !non_empty_categories.contains(id)).collect();
    if empty.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows = Scope::platform().find::<Categories>().filter(category::Column::Id.is_in(empty));
    let rows = rows.select_only().columns([category::Column::Id, category::Column::Name]);
    Ok(rows.into_tuple::<(i64, String)>().all(db).await?.into_iter().collect())
}

/// Picks some ids, evenly distributed.
fn pick_evenly(ids: &[i64]) -> Vec<i64> {
    let count = ids.len().min(OTHERS);
    (0..count).filter_map(|number| ids.get(number * ids.len() / count).copied()).collect()
}

impl SoldArticle {
    pub(crate) fn new(measured: &ArticleUnits, line_records: &LineRecords) -> Self {
        let counted = |unit: Unit| measured.convert(Decimal::ONE, unit, measured.base_unit).is_some();
        let unit = if counted(measured.price_unit) { measured.price_unit } else { measured.listing_unit };
        Self { article: Arc::new(line_records.article(measured)), unit }
    }
}

/// Possibility that an adjustment applies.
enum Applicability {
    /// Possible, or unknown (`is_certain` is false) because the search was aborted.
    Possible {
        is_certain: bool,
    },
    /// Impossible from now on.
    Over,
    Impossible,
}

fn applicability(adjustment: &Adjustment, calculation: &Calculation) -> Applicability {
    if adjustment.valid_until.is_some_and(|until| until <= calculation.now) {
        return Applicability::Over;
    }
    let day = |at: Instant| calculation.moment(Some(at)).date;
    let from = adjustment.valid_from.map(day);
    let until = adjustment.valid_until.map(|until| day(until - TimeDelta::microseconds(1)));
    let ever = can_apply(adjustment, Within { from, until });
    let today = day(calculation.now);
    let from_now =
        || can_apply(adjustment, Within { from: Some(from.map_or(today, |from| from.max(today))), until });
    match ever {
        Some(false) => Applicability::Impossible,
        Some(true) => match from_now() {
            Some(false) => Applicability::Over,
            Some(true) => Applicability::Possible { is_certain: true },
            None => Applicability::Possible { is_certain: false },
        },
        None => Applicability::Possible { is_certain: false },
    }
}
