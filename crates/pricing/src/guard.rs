//! Price guard: an implausible price is put under review until it is released. The same rules apply to forms,
//! files and API calls.
//!
//! A price is implausible in three cases:
//!
//! - It is 10, 100 or 1,000 times the former one, or that fraction of it, within 2 %: another price unit, or
//!   a misplaced decimal point.
//! - It changes by more than the tenant's percentage.
//! - The external price falls below the internal one.
//!
//! If the pattern suggests the intended price, the guard proposes it.

use std::cmp::Ordering;

use catalog::article_units::ArticleUnits;
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use values::{Code, Decimal, Message, Money, Unit};

use crate::{
    codes,
    price_side::{NamedSide, Prices, Side, Tier, TierStart, in_quantity_of},
};

/// Default limit of a price change, in percent.
pub const USUAL_PERCENT: i64 = 30;

const FACTORS: [i64; 3] = [10, 100, 1_000];
/// Tolerance around a factor, in percent of it.
const NEAR: i64 = 2;

/// Reasons why prices are implausible.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct Suspicions(pub Vec<Suspicion>);

/// Reason why a price is implausible.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspicion {
    /// Path of the field on the wire: `external_price.price`.
    pub field: String,
    pub message: Message,
}

/// Result of checking a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub suspicions: Suspicions,
    /// Prices that were probably intended.
    pub mended: Option<Prices>,
}

/// Size of a price change.
enum ChangeSize {
    /// The new price is this multiple of the former one.
    Times(i64),
    /// The new price is the former one divided by this factor.
    Part(i64),
    /// Both prices, for the same quantity.
    Moved { before: i128, after: i128 },
}

/// Returns the message for readers without permission to see prices: that a price is implausible, without the
/// price it was compared with.
pub fn without_prices(message: &Message) -> Option<Message> {
    let tells_prices = matches!(
        message.code,
        codes::PRICE_BASIS_TIMES
            | codes::PRICE_BASIS_PART
            | codes::PRICE_POINT_TIMES
            | codes::PRICE_POINT_PART
            | codes::PRICE_JUMP
            | codes::BELOW_INTERNAL
            | codes::LIST_BELOW_INTERNAL
    );
    tells_prices.then(|| codes::PRICE_SUSPICIOUS.into())
}

/// Checks a change of prices; `None` if it is plausible. `percent`: the limit of a change.
pub fn check(before: &Prices, after: &Prices, article: &ArticleUnits, percent: i64) -> Option<Verdict> {
    let mut suspicions = Vec::new();
    let mut mended = after.clone();
    let sides = before.sides().into_iter().zip(after.sides());
    for (number, (was, is)) in sides.enumerate() {
        let mend = if number == 0 { &mut mended.internal } else { &mut mended.external };
        check_side(was.side, is, mend, article, percent, &mut suspicions);
    }
    let (below_before, below_mended) = (sold_below(before, article), sold_below(&mended, article));
    let is_clear = suspicions.is_empty();
    for below in sold_below(after, article) {
        // if another price was probably intended, only that is reported
        let existed_before = below_before.iter().any(|former| former.is_as(&below, article));
        if !existed_before
            && (is_clear || below_mended.iter().any(|intended| intended.begins_as(&below, article)))
        {
            let BelowInternal { field, external, internal, .. } = below;
            let message = codes::BELOW_INTERNAL.price("external", &external).price("internal", &internal);
            suspicions.push(Suspicion { field, message });
        }
    }
    let mended = Some(mended).filter(|mended| mended != after);
    (!suspicions.is_empty()).then_some(Verdict { suspicions: Suspicions(suspicions), mended })
}

fn check_side(
    was: &Side,
    NamedSide { price_field, tiers_field, side: is }: NamedSide<'_>,
    mended: &mut Side,
    article: &ArticleUnits,
    percent: i64,
    suspicions: &mut Vec<Suspicion>,
) {
    let mut slip = None;
    if let (Some(was), Some(is)) = (was.price, is.price)
        && was != is
        && let Some((message, mend)) = find_suspicion(&was, &is, article, Some(percent))
    {
        suspicions.push(Suspicion { field: format!("{price_field}.price"), message });
        mended.price = mend.or(mended.price);
        slip = change(&was, &is, article).filter(|change| !matches!(change, ChangeSize::Moved { .. }));
    }
    for (index, tier) in is.tiers.iter().enumerate() {
        let former = was.tiers.iter().find(|former| former.start().is_same(tier.start(), article));
        if former.is_some_and(|former| former.price == tier.price) {
            continue;
        }
        let suspected = match (former, was.price, is.price, &slip) {
            (Some(former), ..) => find_suspicion(&former.price, &tier.price, article, Some(percent)),
            // a new quantity break has the same slip as the base price, unless it fits the former base price
            (None, Some(was), _, Some(slip)) => find_suspicion(&was, &tier.price, article, Some(percent))
                .and_then(|_| check_factor(&tier.price, slip)),
            // otherwise it is compared with the base price, and only for factors
            (None, _, Some(price), None) => find_suspicion(&price, &tier.price, article, None),
            _ => None,
        };
        if let Some((message, mend)) = suspected {
            suspicions.push(Suspicion { field: format!("{tiers_field}.{index}.price"), message });
            if let Some(mend) = mend {
                mended.tiers.set(index, mend);
            }
        }
    }
}

/// Returns the reason why a price is implausible compared with the former one, and the price that was
/// probably intended.
fn find_suspicion(
    was: &Money,
    is: &Money,
    article: &ArticleUnits,
    percent: Option<i64>,
) -> Option<(Message, Option<Money>)> {
    suspicion_of_change(was, is, &change(was, is, article)?, percent)
}

/// Checks a price without sides, such as that of a processing or a surcharge, against the former one in the
/// same unit.
pub(crate) fn check_price(was: &Money, is: &Money, percent: i64) -> Option<Message> {
    let same_unit = Some(was).filter(|was| was.unit == is.unit)?;
    let before = same_unit.price.scaled(is.price_quantity.millionths(), was.price_quantity.millionths())?;
    suspicion_of_change(was, is, &change_from(before, is)?, Some(percent)).map(|(message, _)| message)
}

fn suspicion_of_change(
    was: &Money,
    is: &Money,
    change: &ChangeSize,
    percent: Option<i64>,
) -> Option<(Message, Option<Money>)> {
    let ChangeSize::Moved { before, after } = *change else { return check_factor(is, change) };
    let percent = percent?;
    if (after - before).abs() * 100 <= before * i128::from(percent) {
        return None;
    }
    let limit = Decimal::from_millionths(percent.checked_mul(1_000_000)?);
    let exact = i64::try_from((after - before) * 100_000_000 / before).unwrap_or(i64::MAX);
    let exact = Decimal::from_millionths(exact.min(Decimal::MAX.millionths()));
    // rounded to the fewest places that still exceed the limit
    let percent = (1..=6)
        .map(|places| exact.rounded(places))
        .find(|rounded| rounded.millionths().abs() > limit.millionths());
    let message = codes::PRICE_JUMP
        .price("was", was)
        .price("price", is)
        .number_of("percent", percent.unwrap_or(exact))
        .number_of("limit", limit);
    Some((message, None))
}

/// Checks a price that is 10, 100 or 1,000 times the former one, or that fraction of it: the price unit or
/// the decimal point is wrong.
fn check_factor(is: &Money, change: &ChangeSize) -> Option<(Message, Option<Money>)> {
    let (factor, times) = match *change {
        ChangeSize::Times(factor) => (factor, true),
        ChangeSize::Part(factor) => (factor, false),
        ChangeSize::Moved { .. } => return None,
    };
    let (code_basis, code_point) = if times {
        (codes::PRICE_BASIS_TIMES, codes::PRICE_POINT_TIMES)
    } else {
        (codes::PRICE_BASIS_PART, codes::PRICE_POINT_PART)
    };
    let (up, down) = if times { (factor, 1) } else { (1, factor) };
    let suggestion = |code: Code, suggested_price: &Money| {
        let message = code.with("factor", factor).price("price", is).price("meant", suggested_price);
        (message, Some(*suggested_price))
    };
    let basis = is.price_quantity.scaled(up, down).and_then(|quantity| usual_quantity(quantity, is.unit));
    if let Some((price_quantity, unit)) = basis {
        return Some(suggestion(code_basis, &Money { price_quantity, unit, ..*is }));
    }
    Some(match is.price.scaled(down, up).filter(|price| price.fits(8, 4)) {
        Some(price) => suggestion(code_point, &Money { price, ..*is }),
        None => (code_point.with("factor", factor).price("price", is).price("meant", is), None),
    })
}

/// Returns a quantity in the form in which prices are usually quoted: `1000 kg` is `1 t`, `0.1 t` is `100
/// kg`.
fn usual_quantity(quantity: Decimal, unit: Unit) -> Option<(Decimal, Unit)> {
    let to_decimal = |number: i32| Decimal::from(number);
    let candidates: &[(i32, Unit)] = match unit {
        Unit::Kilogram | Unit::Tonne => &[(1, Unit::Tonne), (100, Unit::Kilogram), (1, Unit::Kilogram)],
        Unit::Metre => &[(1, Unit::Metre), (100, Unit::Metre), (1_000, Unit::Metre)],
        Unit::SquareMetre => &[(1, Unit::SquareMetre), (100, Unit::SquareMetre)],
        Unit::Piece => &[(1, Unit::Piece), (100, Unit::Piece), (1_000, Unit::Piece)],
        _ => &[],
    };
    let candidate = candidates
        .iter()
        .find(|(number, other)| values::unit::convert(to_decimal(*number), *other, unit) == Some(quantity));
    candidate.map(|(number, unit)| (to_decimal(*number), *unit))
}

/// Returns the change of a price; `None` if the two cannot be compared, or if the former one was zero.
fn change(was: &Money, is: &Money, article: &ArticleUnits) -> Option<ChangeSize> {
    change_from(in_quantity_of(was, is, article)?, is)
}

/// Returns the change from a former price, which is for the quantity of the new one.
fn change_from(was: Decimal, is: &Money) -> Option<ChangeSize> {
    let before = i128::from(was.millionths());
    let after = i128::from(is.price.millionths());
    if before <= 0 {
        return None;
    }
    let near = |larger: i128, smaller: i128, factor: i64| {
        let exact = smaller * i128::from(factor);
        exact > 0 && (larger - exact).abs() * 100 <= exact * i128::from(NEAR)
    };
    for factor in FACTORS {
        if near(after, before, factor) {
            return Some(ChangeSize::Times(factor));
        }
        if near(before, after, factor) {
            return Some(ChangeSize::Part(factor));
        }
    }
    Some(ChangeSize::Moved { before, after })
}

/// Returns the change in percent, up or down, for the same quantity: the larger one of the internal and the
/// external price. `None` if neither price exists both before and after, or if they cannot be compared.
pub(crate) fn largest_change(before: &Prices, after: &Prices, article: &ArticleUnits) -> Option<Decimal> {
    let change = |(was, is): (&Side, &Side)| {
        let (was, is) = (was.price?, is.price?);
        let former = i128::from(in_quantity_of(&was, &is, article)?.millionths());
        let former = Some(former).filter(|former| *former > 0)?;
        let change = (i128::from(is.price.millionths()) - former).abs() * 100 * 1_000_000 / former;
        Some(Decimal::from_millionths(
            i64::try_from(change).unwrap_or(i64::MAX).min(Decimal::MAX.millionths()),
        ))
    };
    let sides = [(&before.internal, &after.internal), (&before.external, &after.external)];
    sides.into_iter().filter_map(change).max()
}

/// External price that is below the internal one of the same quantity.
struct BelowInternal {
    field: String,
    /// Start of the quantity break; `None` for the base price.
    start: Option<TierStart>,
    external: Money,
    internal: Money,
}

impl BelowInternal {
    fn begins_as(&self, other: &Self, article: &ArticleUnits) -> bool {
        match (self.start, other.start) {
            (Some(start), Some(other)) => start.is_same(other, article),
            (start, other) => start == other,
        }
    }

    fn is_as(&self, other: &Self, article: &ArticleUnits) -> bool {
        (self.external, self.internal) == (other.external, other.internal) && self.begins_as(other, article)
    }
}

/// Returns the external prices that are below the internal ones: the base price, and those of quantity
/// breaks.
fn sold_below(prices: &Prices, article: &ArticleUnits) -> Vec<BelowInternal> {
    let Prices { internal, external } = prices;
    let base = external.price.map(|price| ("external_price.price".to_owned(), None, price, internal.price));
    let tiers = external.tiers.iter().enumerate().map(|(index, tier)| {
        let begins_before =
            |cost: &&Tier| cost.start().compare(tier.start(), article).is_some_and(Ordering::is_le);
        let cost = internal.tiers.iter().filter(begins_before).last();
        let cost = cost.map(|cost| cost.price).or(internal.price);
        (format!("external_bulk_prices.{index}.price"), Some(tier.start()), tier.price, cost)
    });
    let below = |(field, start, external, internal): (String, Option<TierStart>, Money, Option<Money>)| {
        let internal = internal?;
        let cost = in_quantity_of(&internal, &external, article)?;
        (external.price < cost).then_some(BelowInternal { field, start, external, internal })
    };
    base.into_iter().chain(tiers).filter_map(below).collect()
}

#[cfg(test)]
mod tests {
    use logistics::testbed::articles;
    use sea_orm::Condition;
    use store::Scope;
    use values::Language;

    use super::*;
    use crate::price_side::Tiers;

    fn money(text: &str) -> Money {
        let (price, basis) = text.split_once('/').unwrap();
        let (quantity, unit) = basis.split_once(' ').unwrap_or(("1", basis));
        let decimal = |text: &str| text.parse::<Decimal>().unwrap();
        Money { price: decimal(price), price_quantity: decimal(quantity), unit: Unit::parse(unit).unwrap() }
    }

    fn external(price: &str) -> Prices {
        Prices { external: Side { price: Some(money(price)), ..Side::default() }, ..Prices::default() }
    }

    /// A beam of 61.3 kg/m.
    async fn beam() -> ArticleUnits {
        let db = testkit::database().await;
        articles(&db, &[("HEB-200", "12.1", Some("61.3"))]).await;
        catalog::article_units::load(&*db, &Scope::platform(), Condition::all()).await.unwrap().remove(0)
    }

    #[tokio::test]
    async fn implausible_factors_and_jumps_are_found_and_the_intended_price_is_proposed() {
        let beam = beam().await;
        let suspicion =
            |code: Code, suggested_price: Option<&str>| Some((code, suggested_price.map(str::to_owned)));
        for (was, is, expected) in [
            ("850/t", "850/t", None),
            // the same price in other units
            ("850/t", "85/100 kg", None),
            ("850/t", "52.105/m", None),
            ("92.5/100 kg", "925/100 kg", suspicion(codes::PRICE_BASIS_TIMES, Some("925,00 € je t"))),
            ("925/t", "92.5/t", suspicion(codes::PRICE_BASIS_PART, Some("92,50 € je 100 kg"))),
            ("0.85/kg", "850/kg", suspicion(codes::PRICE_BASIS_TIMES, Some("850,00 € je t"))),
            ("850/t", "0.85/t", suspicion(codes::PRICE_BASIS_PART, Some("0,85 € je kg"))),
            ("12.5/100 m", "12.5/m", suspicion(codes::PRICE_BASIS_TIMES, Some("12,50 € je 100 m"))),
            // prices are not quoted for 100 t
            ("850/t", "85000/t", suspicion(codes::PRICE_POINT_TIMES, Some("850,00 € je t"))),
            // within 2 % of the factor, and beyond
            ("100/t", "1020/t", suspicion(codes::PRICE_POINT_TIMES, Some("102,00 € je t"))),
            ("100/t", "1020.1/t", suspicion(codes::PRICE_JUMP, None)),
            ("100/t", "980/t", suspicion(codes::PRICE_POINT_TIMES, Some("98,00 € je t"))),
            ("100/t", "979.9/t", suspicion(codes::PRICE_JUMP, None)),
            ("1000/t", "102/t", suspicion(codes::PRICE_BASIS_PART, Some("102,00 € je 100 kg"))),
            ("1000/t", "102.1/t", suspicion(codes::PRICE_JUMP, None)),
            ("100/t", "10200/t", suspicion(codes::PRICE_POINT_TIMES, Some("102,00 € je t"))),
            ("100/t", "10200.1/t", suspicion(codes::PRICE_JUMP, None)),
            ("100/t", "98000/t", suspicion(codes::PRICE_POINT_TIMES, Some("98,00 € je t"))),
            ("100/t", "97999.9/t", suspicion(codes::PRICE_JUMP, None)),
            ("100/t", "102000.1/t", suspicion(codes::PRICE_JUMP, None)),
            // by 30 %, and by more
            ("100/t", "130/t", None),
            ("100/t", "130.0001/t", suspicion(codes::PRICE_JUMP, None)),
            ("100/t", "70/t", None),
            ("100/t", "69.9999/t", suspicion(codes::PRICE_JUMP, None)),
            ("100/t", "0/t", suspicion(codes::PRICE_JUMP, None)),
            // there is no percentage of zero
            ("0/t", "100/t", None),
        ] {
            let verdict = check(&external(was), &external(is), &beam, USUAL_PERCENT);
            let actual = verdict.map(|verdict| {
                let suggested_price = verdict.mended.and_then(|prices| prices.external.price);
                (verdict.suspicions.0[0].message.code, suggested_price.map(|price| price.text(Language::De)))
            });
            assert_eq!(actual, expected, "{was} -> {is}");
        }
    }

    #[test]
    fn a_single_price_is_compared_with_the_former_price_in_the_same_unit() {
        for (was, is, expected) in [
            ("1350/t", "13500/t", Some(codes::PRICE_POINT_TIMES)),
            ("1350/t", "135/t", Some(codes::PRICE_BASIS_PART)),
            ("1350/t", "1755/t", None),
            ("1350/t", "1755.0001/t", Some(codes::PRICE_JUMP)),
            ("0/t", "1350/t", None),
            ("12.5/piece", "1250/100 piece", None),
            ("12.5/piece", "1250/piece", Some(codes::PRICE_BASIS_TIMES)),
            ("12.5/piece", "12.5/t", None),
        ] {
            let message = check_price(&money(was), &money(is), USUAL_PERCENT);
            assert_eq!(message.map(|message| message.code), expected, "{was} -> {is}");
        }
    }

    #[tokio::test]
    async fn a_first_price_is_compared_only_with_the_internal_price() {
        let beam = beam().await;
        let with_internal = |external_price: &str, internal: &str| Prices {
            internal: Side { price: Some(money(internal)), ..Side::default() },
            ..external(external_price)
        };
        assert_eq!(check(&Prices::default(), &with_internal("85/100 kg", "850/t"), &beam, 30), None);
        let below = check(&Prices::default(), &with_internal("84.99/100 kg", "850/t"), &beam, 30).unwrap();
        assert_eq!(below.suspicions.0[0].message.code, codes::BELOW_INTERNAL);
        // a price that was below the internal one before is not reported again
        let before = with_internal("84.99/100 kg", "850/t");
        assert_eq!(check(&before, &before, &beam, 30), None);
    }

    fn side(price: Option<&str>, tiers: &[(&str, &str)]) -> Side {
        let tiers = tiers.iter().map(|(from, price)| (from.parse().unwrap(), money(price)));
        Side { price: price.map(money), tiers: Tiers::from_prices(tiers) }
    }

    fn suspicions_of(verdict: Option<Verdict>) -> Vec<(String, Code)> {
        let suspicions = verdict.map(|verdict| verdict.suspicions.0).unwrap_or_default();
        suspicions.into_iter().map(|suspicion| (suspicion.field, suspicion.message.code)).collect()
    }

    #[tokio::test]
    async fn tiers_are_compared_with_their_former_prices_or_the_base_price() {
        let beam = beam().await;
        let prices_with_tiers = |price: &str, tiers: &[(&str, &str)]| Prices {
            external: side(Some(price), tiers),
            ..Prices::default()
        };
        let tier = |index: usize, code: Code| (format!("external_bulk_prices.{index}.price"), code);
        let base = |code: Code| ("external_price.price".to_owned(), code);
        let before = prices_with_tiers("850/t", &[("10", "830/t")]);
        for (after, expected) in [
            (prices_with_tiers("850/t", &[("10", "1079/t")]), vec![]),
            (prices_with_tiers("850/t", &[("10", "1079.0001/t")]), vec![tier(0, codes::PRICE_JUMP)]),
            (prices_with_tiers("850/t", &[("10", "8300/t")]), vec![tier(0, codes::PRICE_POINT_TIMES)]),
            // new quantity breaks are compared with the base price, which may have changed too
            (prices_with_tiers("850/t", &[("10", "830/t"), ("20", "400/t")]), vec![]),
            (
                prices_with_tiers("850/t", &[("10", "830/t"), ("20", "85/t")]),
                vec![tier(1, codes::PRICE_BASIS_PART)],
            ),
            (
                prices_with_tiers("860/t", &[("10", "830/t"), ("20", "86/t")]),
                vec![tier(1, codes::PRICE_BASIS_PART)],
            ),
            (
                prices_with_tiers("8500/t", &[("10", "830/t"), ("20", "8100/t")]),
                vec![base(codes::PRICE_POINT_TIMES), tier(1, codes::PRICE_POINT_TIMES)],
            ),
            (
                prices_with_tiers("8500/t", &[("10", "830/t"), ("20", "810/t")]),
                vec![base(codes::PRICE_POINT_TIMES)],
            ),
        ] {
            assert_eq!(suspicions_of(check(&before, &after, &beam, USUAL_PERCENT)), expected, "{after:?}");
        }
        // prices that slipped together are corrected together
        let slipped = prices_with_tiers("8500/t", &[("10", "830/t"), ("20", "8100/t")]);
        let mended = check(&before, &slipped, &beam, USUAL_PERCENT).unwrap().mended.unwrap();
        assert_eq!(mended, prices_with_tiers("850/t", &[("10", "830/t"), ("20", "810/t")]));
    }

    #[tokio::test]
    async fn prices_below_the_internal_price_are_found_for_any_quantity() {
        let beam = beam().await;
        let prices_with_cost =
            |external: Side| Prices { external, internal: side(Some("800/t"), &[("20", "700/t")]) };
        let below =
            |index: usize| vec![(format!("external_bulk_prices.{index}.price"), codes::BELOW_INTERNAL)];
        let before = prices_with_cost(side(Some("850/t"), &[]));
        for (tiers, expected) in [
            (&[("10", "800/t")][..], vec![]),
            (&[("10", "799.9999/t")], below(0)),
            (&[("10", "80/100 kg"), ("20", "70/100 kg")], vec![]),
            (&[("10", "810/t"), ("19.999999", "799.9999/t")], below(1)),
            (&[("10", "810/t"), ("20", "699.9999/t")], below(1)),
        ] {
            let after = prices_with_cost(side(Some("850/t"), tiers));
            assert_eq!(suspicions_of(check(&before, &after, &beam, USUAL_PERCENT)), expected, "{tiers:?}");
            // an existing problem is not reported again, whatever is inserted before it
            let mut more = vec![("5", "840/t")];
            more.extend(tiers);
            assert_eq!(
                suspicions_of(check(
                    &after,
                    &prices_with_cost(side(Some("850/t"), &more)),
                    &beam,
                    USUAL_PERCENT
                )),
                []
            );
        }
        // the internal price has risen above the external one
        let dearer = Prices { internal: side(Some("850.0001/t"), &[]), ..before.clone() };
        let suspicions = suspicions_of(check(&before, &dearer, &beam, USUAL_PERCENT));
        assert_eq!(suspicions, [("external_price.price".to_owned(), codes::BELOW_INTERNAL)]);
    }
}
