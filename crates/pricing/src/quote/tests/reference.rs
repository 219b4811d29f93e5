//! Second implementation of the calculation, as literal as possible: big fractions, copies and recursion,
//! nothing compiled. It shares only the plain types with the first one.

use std::{cmp::Reverse, collections::BTreeSet};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use values::Code;

use super::{world::*, *};
use crate::{
    codes,
    condition::{Comparison, Condition, ConditionType, ExpectedValue, Test},
    surcharge_table::surcharges::KeyedBy,
};

pub(super) type Q = BigRational;

pub(super) struct Answer {
    pub(super) lines: Vec<AnswerLine>,
    pub(super) base: Q,
    pub(super) total: Q,
    pub(super) weight: Q,
}

#[derive(Default)]
pub(super) struct AnswerLine {
    pub(super) refused: Vec<Code>,
    pub(super) items: Vec<AnswerItem>,
    pub(super) internal: Option<Q>,
}

#[derive(Clone)]
pub(super) struct AnswerItem {
    line: usize,
    processing: Option<Processing>,
    pub(super) base: Q,
    pub(super) total: Q,
    seen_later: Q,
    weight: Option<Q>,
    /// Amount of each adjustment that applies to the cart.
    pub(super) amounts: Vec<Q>,
    /// Source of the price of a processing; empty for an article.
    pub(super) said_by: &'static str,
}

pub(super) fn q(decimal: Decimal) -> Q {
    Q::new(decimal.millionths().into(), 1_000_000.into())
}

/// Rounds half away from zero.
pub(super) fn rounded(value: &Q, places: u32) -> Q {
    let scale = Q::from_integer(BigInt::from(10).pow(places));
    // num-rational rounds half away from zero
    (value * &scale).round() / scale
}

fn too_large(value: &Q) -> bool {
    value.abs() >= Q::from_integer(BigInt::from(10).pow(12))
}

impl World {
    fn relations_of(&self, article: &Article) -> &[Relation] {
        &self.relations[usize::try_from(article.id - 100).unwrap()]
    }

    /// Walks from unit to unit, using each relation once.
    fn convert(&self, article: &Article, amount: &Q, from: Unit, to: Unit) -> Option<Q> {
        let relations = self.relations_of(article);
        walk(relations, &(0..relations.len()).collect::<Vec<_>>(), amount, from, to)
    }

    pub(super) fn answer(&self, cart: &Cart) -> Answer {
        self.answer_without(cart, &BTreeSet::new(), 0)
    }

    /// Calculates again without the lines that are too large; after the third time without any line.
    fn once_more(&self, cart: &Cart, without: &BTreeSet<usize>, too_large: &[usize], again: usize) -> Answer {
        let without = if again == 3 {
            (0..cart.lines.len()).collect()
        } else {
            without.iter().chain(too_large).copied().collect()
        };
        self.answer_without(cart, &without, again + 1)
    }

    fn answer_without(&self, cart: &Cart, without: &BTreeSet<usize>, again: usize) -> Answer {
        let mut lines = Vec::new();
        let mut items = Vec::new();
        for (number, line) in cart.lines.iter().enumerate() {
            let mut answer = AnswerLine { internal: self.internal(cart, line), ..AnswerLine::default() };
            match self.items(cart, number, line) {
                Err(code) => answer.refused.push(code),
                Ok(of_line) => items.extend(of_line),
            }
            lines.push(answer);
        }
        let chain = self.chain(cart);
        for (adjustment, _) in chain.iter().zip(0..) {
            for item in items.iter().filter(|item| item.processing.is_none()) {
                let concerns = Self::concerns(adjustment, cart, item)
                    && adjustment.conditions.as_ref().is_none_or(|condition| {
                        self.holds(condition, cart, item, &items, &items.iter().map(|item| &item.base).sum())
                    });
                if concerns {
                    lines[item.line].refused.extend(self.constraint(adjustment, &cart.lines[item.line]));
                }
            }
        }
        items.retain(|item| lines[item.line].refused.is_empty() && !without.contains(&item.line));
        for adjustment in &chain {
            let before = items.clone();
            let total = before.iter().map(|item| &item.total).sum();
            let (mut refused, mut charged) = (Vec::new(), BTreeSet::new());
            for (place, item) in items.iter_mut().enumerate() {
                let applies = self.applies(adjustment, cart, &before[place], &before, &total);
                // adjustments other than percentages apply once for an article with its processings
                let again = !adjustment.calculation_type.is_relative()
                    && is_for_both(&adjustment.apply_to)
                    && applies
                    && !charged.insert(item.line);
                let full =
                    if applies && !again { self.full(adjustment, cart, &before[place]) } else { Q::zero() };
                let seen = &item.seen_later
                    + if adjustment.ignore_on_further_adjustments { Q::zero() } else { full.clone() };
                let amount = full.clone().max(-item.total.clone());
                if too_large(&full) || too_large(&seen) || too_large(&(&item.total + &amount)) {
                    refused.push(item.line);
                    continue;
                }
                item.seen_later = seen.max(Q::zero());
                item.total += &amount;
                item.amounts.push(amount);
            }
            if !refused.is_empty() {
                return self.once_more(cart, without, &refused, again);
            }
        }
        let (mut rest, mut refused) = (items.clone(), Vec::new());
        while too_large(&rest.iter().map(|item| &item.base).sum())
            || too_large(&rest.iter().map(|item| &item.total).sum())
        {
            let largest = rest.iter().max_by_key(|item| item.base.clone().max(item.total.clone())).unwrap();
            refused.push(largest.line);
            rest.retain(|item| item.line != *refused.last().unwrap());
        }
        if !refused.is_empty() {
            return self.once_more(cart, without, &refused, again);
        }
        for line in without {
            if lines[*line].refused.is_empty() {
                lines[*line].refused.push(codes::AMOUNT_TOO_LARGE);
            }
        }
        let articles = items.iter().filter(|item| item.processing.is_none());
        let answer = Answer {
            base: items.iter().map(|item| &item.base).sum(),
            total: items.iter().map(|item| &item.total).sum(),
            weight: articles.filter_map(|item| item.weight.as_ref()).sum(),
            lines: Vec::new(),
        };
        for item in items {
            lines[item.line].items.push(item);
        }
        Answer { lines, ..answer }
    }

    fn items(&self, cart: &Cart, number: usize, line: &Line) -> Result<Vec<AnswerItem>, Code> {
        let weight = self.convert(&line.article, &q(line.quantity), line.unit, Unit::Kilogram);
        let weight = weight.filter(|weight| !too_large(weight));
        let item = |processing: Option<Processing>, base: Q, said_by: &'static str| AnswerItem {
            line: number,
            processing,
            total: base.clone(),
            seen_later: base.clone(),
            base,
            weight: weight.clone(),
            amounts: Vec::new(),
            said_by,
        };
        let mut items = vec![item(None, self.sales(cart, line)?, "")];
        for processing in &line.processings {
            let (price, said_by) =
                self.processing_price(line, processing).ok_or(codes::NO_PROCESSING_PRICE)?;
            let amount = q(processing.quantity) / q(price.price_quantity) * q(price.price);
            items.push(item(Some(*processing), amount, said_by));
        }
        Ok(items)
    }

    /// Price of a processing, the most specific one.
    fn processing_price(&self, line: &Line, processing: &Processing) -> Option<(Money, &'static str)> {
        let mut prices: Vec<(u8, Money, &'static str)> = Vec::new();
        for (processing_id, article_type, price) in &self.processing_prices {
            match article_type {
                _ if *processing_id != processing.id => {}
                None => prices.push((2, *price, "general")),
                Some(own) if *own == line.article.article_type_id => prices.push((1, *price, "article_type")),
                Some(_) => {}
            }
        }
        prices.extend(processing.price.map(|price| (0, price, "question")));
        prices.into_iter().min_by_key(|(rank, ..)| *rank).map(|(_, price, by)| (price, by))
    }

    /// Price of an article at the applicable quantity break.
    fn priced(&self, line: &Line, side: &Side) -> Result<Q, Code> {
        let mut best: Option<(Q, Money)> = side.price.map(|price| (Q::zero(), price));
        for tier in side.tiers.iter() {
            let unit = tier.from_unit.unwrap_or(line.article.listing_unit);
            let from = self.convert(&line.article, &q(tier.from), unit, line.unit);
            let Some(from) = from.filter(|from| *from <= q(line.quantity)) else { continue };
            if best.as_ref().is_none_or(|(best_from, _)| *best_from <= from) {
                best = Some((from, tier.price));
            }
        }
        if side.price.is_none() && side.tiers.is_empty() {
            return Err(codes::NO_PRICE);
        }
        let (_, price) = best.ok_or(codes::BELOW_FIRST_TIER)?;
        let quantity = self.convert(&line.article, &q(line.quantity), line.unit, price.unit);
        let quantity = quantity.ok_or(codes::PRICE_NOT_CONVERTIBLE)?;
        let amount = quantity * q(price.price) / q(price.price_quantity);
        if too_large(&amount) { Err(codes::AMOUNT_TOO_LARGE) } else { Ok(amount) }
    }

    fn in_list(&self, list: &List, line: &Line) -> Result<Q, Code> {
        let entry = self
            .entries
            .iter()
            .find(|(list_id, article, _)| *list_id == list.head.id && *article == line.article.id);
        entry.map_or(Err(codes::NO_PRICE), |(.., side)| self.priced(line, side))
    }

    /// Lists that apply to a tenant, by precedence.
    fn lists_for(&self, r#type: ListType, tenant: Option<i64>, groups: &[i64], at: Instant) -> Vec<&List> {
        let mut ranked = Vec::new();
        for list in &self.lists {
            let head = &list.head;
            let sellers = head.owner_tenant_id == Some(TenantId(SELLER))
                || head.owner_tenant_group_id.is_some_and(|group| SELLERS_GROUPS.contains(&group));
            let in_force = head.valid_from <= at && head.valid_until.is_none_or(|until| at < until);
            if head.r#type != r#type || !sellers || !in_force {
                continue;
            }
            let alone = head.scope == ListScope::Own && list.tenants.is_empty() && list.groups.is_empty();
            let owns = tenant.is_some() && head.owner_tenant_id.map(i64::from) == tenant;
            let of_group = head.owner_tenant_group_id.is_some_and(|group| groups.contains(&group));
            if tenant.is_some_and(|tenant| list.excluded.contains(&tenant)) {
                continue;
            }
            let rank = if tenant.is_some_and(|tenant| list.tenants.contains(&tenant)) || alone && owns {
                0
            } else if list.groups.iter().any(|group| groups.contains(group)) || alone && of_group {
                1
            } else if head.scope == ListScope::Global {
                2
            } else {
                continue;
            };
            ranked.push(((rank, Reverse(head.valid_from), Reverse(head.id)), list));
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, list)| list).collect()
    }

    fn stocks_for<'w>(&'w self, line: &Line) -> impl Iterator<Item = &'w StockPrices> {
        let (article, warehouse) = (line.article.id, line.warehouse);
        self.stocks.iter().filter(move |stock| {
            stock.article_id == article && warehouse.is_none_or(|id| id == stock.warehouse_id)
        })
    }

    fn sales(&self, cart: &Cart, line: &Line) -> Result<Q, Code> {
        let buyer = cart.buyer.clone();
        let groups = buyer.as_ref().map_or_else(Vec::new, |buyer| buyer.groups.clone());
        let tried = self
            .lists_for(ListType::Sales, buyer.map(|buyer| buyer.tenant), &groups, cart.moment.at)
            .into_iter()
            .map(|list| self.in_list(list, line))
            .collect::<Vec<_>>();
        if let Some(first) = tried.iter().find(|tried| matches!(tried, Ok(_) | Err(codes::AMOUNT_TOO_LARGE)))
        {
            return first.clone();
        }
        let of_stocks: Vec<_> =
            self.stocks_for(line).map(|stock| self.priced(line, &stock.external)).collect();
        if let Some(cheapest) = of_stocks.iter().flatten().min() {
            return Ok(cheapest.clone());
        }
        let tells = [codes::AMOUNT_TOO_LARGE, codes::PRICE_NOT_CONVERTIBLE, codes::BELOW_FIRST_TIER];
        let all: Vec<Code> = tried.into_iter().chain(of_stocks).filter_map(Result::err).collect();
        Err(tells.into_iter().find(|code| all.contains(code)).unwrap_or(codes::NO_PRICE))
    }

    fn internal(&self, cart: &Cart, line: &Line) -> Option<Q> {
        let lists = self.lists_for(ListType::Internal, Some(SELLER), &SELLERS_GROUPS, cart.moment.at);
        let listed = lists.into_iter().find_map(|list| self.in_list(list, line).ok());
        listed.or_else(|| {
            self.stocks_for(line).filter_map(|stock| self.priced(line, &stock.internal).ok()).min()
        })
    }

    /// Adjustments that apply to a cart, the platform's first.
    fn chain(&self, cart: &Cart) -> Vec<Adjustment> {
        let mut chain: Vec<Adjustment> = self
            .adjustments
            .iter()
            .filter(|adjustment| adjustment.owner.is_none() || adjustment.owner == Some(TenantId(SELLER)))
            .filter(|adjustment| adjustment.active)
            .filter(|adjustment| adjustment.valid_from.is_none_or(|from| from <= cart.moment.at))
            .filter(|adjustment| adjustment.valid_until.is_none_or(|until| until > cart.moment.at))
            .filter(|adjustment| {
                let all = adjustment.tenant_ids.is_empty() && adjustment.tenant_group_ids.is_empty();
                all || cart.buyer.as_ref().is_some_and(|buyer| {
                    adjustment.tenant_ids.contains(&TenantId(buyer.tenant))
                        || buyer.groups.iter().any(|group| adjustment.tenant_group_ids.contains(group))
                })
            })
            .filter(|adjustment| {
                !cart
                    .buyer
                    .as_ref()
                    .is_some_and(|buyer| adjustment.excluded_tenant_ids.contains(&TenantId(buyer.tenant)))
            })
            .cloned()
            .collect();
        chain.sort_by_key(|adjustment| {
            (u8::from(adjustment.owner.is_some()), adjustment.position, adjustment.id)
        });
        chain
    }

    fn concerns(adjustment: &Adjustment, cart: &Cart, item: &AnswerItem) -> bool {
        let article = &cart.lines[item.line].article;
        match (&adjustment.apply_to, item.processing) {
            (ApplyTo::ItemType { item_types }, None) => item_types.contains(&ItemType::Article),
            (ApplyTo::ItemType { item_types }, Some(_)) => item_types.contains(&ItemType::Processing),
            (ApplyTo::Item { .. }, Some(_)) => false,
            (ApplyTo::Item { articles, article_types, categories, materials }, None) => {
                let filters: [(&[i64], Vec<i64>); 4] = [
                    (articles, vec![article.id]),
                    (article_types, vec![article.article_type_id]),
                    (categories, article.categories.clone()),
                    (materials, article.material_id.into_iter().collect()),
                ];
                filters.iter().any(|(ids, has)| has.iter().any(|id| ids.contains(id)))
            }
        }
    }

    fn constraint(&self, adjustment: &Adjustment, line: &Line) -> Option<Code> {
        let constraints = adjustment.purchase_constraints?;
        let quantity = self.convert(&line.article, &q(line.quantity), line.unit, constraints.unit)?;
        if constraints.min_quantity.is_some_and(|min| quantity < q(min)) {
            return Some(codes::QUANTITY_BELOW_MINIMUM);
        }
        if constraints.max_quantity.is_some_and(|max| quantity > q(max)) {
            return Some(codes::QUANTITY_ABOVE_MAXIMUM);
        }
        let whole = constraints.multiple_of.is_none_or(|multiple| (quantity / q(multiple)).is_integer());
        (!whole).then_some(codes::QUANTITY_NOT_MULTIPLE)
    }

    fn applies(
        &self,
        adjustment: &Adjustment,
        cart: &Cart,
        item: &AnswerItem,
        items: &[AnswerItem],
        total: &Q,
    ) -> bool {
        let holds = |condition| self.holds(condition, cart, item, items, total);
        Self::concerns(adjustment, cart, item) && adjustment.conditions.as_ref().is_none_or(holds)
    }

    /// Full amount of an adjustment, not limited by the price.
    fn full(&self, adjustment: &Adjustment, cart: &Cart, item: &AnswerItem) -> Q {
        let value = match &adjustment.value {
            Value::Fixed(value) => q(*value),
            Value::OfTable(table) => self.of_table(table.id, cart, item).map_or_else(Q::zero, q),
        };
        let hundred = Q::from_integer(100.into());
        let size = match adjustment.calculation_type {
            CalculationType::Absolute => value,
            CalculationType::PerKg => item.weight.clone().unwrap_or_default() * value,
            CalculationType::PerTon => {
                item.weight.clone().unwrap_or_default() * value / Q::from_integer(1_000.into())
            }
            CalculationType::RelativeToAdjusted => item.seen_later.clone() * value / hundred,
            CalculationType::RelativeToBase => item.base.clone() * value / hundred,
        };
        if adjustment.operation == Operation::Discount { -size } else { size }
    }

    /// Value for an item in a table, or in the first of its base tables that has one.
    fn of_table(&self, id: i64, cart: &Cart, item: &AnswerItem) -> Option<Decimal> {
        let table = self.tables.iter().find(|table| table.id == id)?;
        let article = &cart.lines[item.line].article;
        let key = match table.keyed_by {
            KeyedBy::Material => article.material_id,
            KeyedBy::ArticleType => Some(article.article_type_id),
        };
        let month = cart.moment.at.with_timezone(&Tz::Europe__Berlin).format("%Y-%m").to_string();
        let cell = table
            .cells
            .iter()
            .find(|((cell_key, in_month), _)| Some(*cell_key) == key && in_month.to_string() == month);
        cell.map(|(_, value)| *value).or_else(|| self.of_table(table.base?, cart, item))
    }

    fn holds(
        &self,
        condition: &Condition,
        cart: &Cart,
        item: &AnswerItem,
        items: &[AnswerItem],
        total: &Q,
    ) -> bool {
        let holds = |part: &Condition| self.holds(part, cart, item, items, total);
        let test = match condition {
            Condition::All(parts) => return parts.iter().all(holds),
            Condition::Any(parts) => return parts.iter().any(holds),
            Condition::Not(parts) => return !parts.iter().any(holds),
            Condition::Test(test) => test,
        };
        let line = &cart.lines[item.line];
        match &test.expected {
            ExpectedValue::Number { op, value, unit } => {
                let actual = self.measured(test, unit.as_ref(), line, item, items, total);
                actual.is_some_and(|actual| compared(*op, &actual, &q(*value)))
            }
            ExpectedValue::OneOf { negated, ids } => {
                let has = match test.subject {
                    ConditionType::Article => vec![line.article.id],
                    ConditionType::ArticleType => vec![line.article.article_type_id],
                    ConditionType::Category => line.article.categories.clone(),
                    ConditionType::Material => line.article.material_id.into_iter().collect(),
                    ConditionType::Processing => match item.processing {
                        Some(processing) => vec![processing.id],
                        None => line.processings.iter().map(|processing| processing.id).collect(),
                    },
                    ConditionType::Warehouse => line.warehouse.into_iter().collect(),
                    ConditionType::Tenant => cart.buyer.iter().map(|buyer| buyer.tenant).collect(),
                    _ => cart.buyer.clone().unwrap_or_default().groups,
                };
                ids.iter().any(|id| has.contains(id)) != *negated
            }
            ExpectedValue::Weekday { negated, days } => {
                let local = cart.moment.at.with_timezone(&Tz::Europe__Berlin);
                let today = local.format("%A").to_string().to_lowercase();
                days.iter().any(|day| day.as_str() == today) != *negated
            }
            ExpectedValue::Date { op, value } => {
                let local = cart.moment.at.with_timezone(&Tz::Europe__Berlin).format("%Y-%m-%d").to_string();
                compared(*op, &local, &value.to_string())
            }
        }
    }

    fn measured(
        &self,
        test: &Test,
        unit: Option<&Unit>,
        line: &Line,
        item: &AnswerItem,
        items: &[AnswerItem],
        total: &Q,
    ) -> Option<Q> {
        let in_unit = |kilograms: Q| unit.map(|unit| kilograms / q(unit.in_base_units()));
        match test.subject {
            ConditionType::CartWeight => {
                let articles = items.iter().filter(|item| item.processing.is_none());
                in_unit(articles.filter_map(|item| item.weight.as_ref()).sum())
            }
            ConditionType::ItemWeight => in_unit(item.weight.clone()?),
            ConditionType::CartBasePrice => Some(items.iter().map(|item| &item.base).sum()),
            ConditionType::AdjustedCartTotal => Some(total.clone()),
            _ => {
                match (item.processing, *unit?) {
                    (None, unit) => self.convert(&line.article, &q(line.quantity), line.unit, unit),
                    // number of operations
                    (Some(processing), Unit::Piece) => Some(q(processing.quantity)),
                    (Some(_), _) => None,
                }
            }
        }
    }
}

fn is_for_both(apply_to: &ApplyTo) -> bool {
    let ApplyTo::ItemType { item_types } = apply_to else { return false };
    item_types.contains(&ItemType::Article) && item_types.contains(&ItemType::Processing)
}

fn compared<T: Ord>(op: Comparison, left: &T, right: &T) -> bool {
    match op {
        Comparison::Equals => left == right,
        Comparison::NotEquals => left != right,
        Comparison::LesserThan => left < right,
        Comparison::LesserEquals => left <= right,
        Comparison::GreaterThan => left > right,
        Comparison::GreaterEquals => left >= right,
    }
}

fn walk(relations: &[Relation], remaining: &[usize], amount: &Q, from: Unit, to: Unit) -> Option<Q> {
    let base = |unit: Unit| q(unit.in_base_units());
    if from.category() == to.category() {
        return Some(amount * base(from) / base(to));
    }
    remaining.iter().find_map(|place| {
        let relation = relations[*place];
        let rest: Vec<usize> = remaining.iter().copied().filter(|other| other != place).collect();
        let ways = [
            (relation.from, q(relation.amount), relation.unit),
            (relation.unit, q(relation.amount).recip(), relation.from),
        ];
        ways.into_iter().filter(|(near, ..)| near.category() == from.category()).find_map(
            |(near, factor, far)| {
                let far_amount = amount * base(from) / base(near) * factor;
                walk(relations, &rest, &far_amount, far, to)
            },
        )
    })
}

/// Cents of an amount.
pub(super) fn cents(value: &Q) -> i64 {
    (rounded(value, 2) * Q::from_integer(100.into())).to_integer().to_i64().unwrap()
}
