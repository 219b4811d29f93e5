//! Changes of generated books have the same effect as newly compiled books.

use values::Instant;

use crate::{
    price_list::{ListScope, PriceList, seller_lists::List},
    price_side::Side,
    quote::{
        Cart, Quote, Viewpoint,
        book::Book,
        quote,
        tests::world::{Dice, World, made_list, made_side},
    },
};

fn totals(book: &Book, cart: &Cart) -> Vec<String> {
    let Quote { lines, total, .. } = quote(book, cart, Viewpoint::Seller, false);
    let line = |line: crate::quote::LineQuote| format!("{:?} {:?}", line.refused, line.internal);
    lines.into_iter().map(line).chain([total.to_string()]).collect()
}

fn each(mut check: impl FnMut(World, &mut Dice) -> u64) -> u64 {
    (0..300)
        .map(|seed| {
            let mut dice = Dice::new(seed);
            let world = World::new(&mut dice);
            check(world, &mut dice)
        })
        .sum()
}

#[test]
fn a_book_with_changed_prices_equals_a_rebuilt_book() {
    let moved = each(|mut world, dice| {
        if world.lists.is_empty() {
            return 0;
        }
        let before = world.book();
        let places: Vec<i64> = world.lists.iter().map(|list| list.head.id).collect();
        let list = dice.pick(&places);
        let mut prices: Vec<(i64, Side)> = Vec::new();
        for article in &world.articles {
            if dice.one_in(2) {
                let side = if dice.one_in(3) { Side::default() } else { made_side(dice) };
                prices.push((article.id, side));
            }
        }
        let changed = before.with_prices(list, prices.iter().map(|(article, side)| (*article, side)));
        world.entries.retain(|(entry_list, article, _)| {
            *entry_list != list || !prices.iter().any(|(priced_article, _)| priced_article == article)
        });
        world.entries.extend(prices.into_iter().map(|(article, side)| (list, article, side)));
        let anew = world.book();
        let mut different = 0;
        for _ in 0..6 {
            let cart = world.cart(dice);
            assert_eq!(totals(&changed, &cart), totals(&anew, &cart), "{cart:?}");
            different += u64::from(totals(&before, &cart) != totals(&anew, &cart));
        }
        let mut articles: Vec<i64> = changed.articles().collect();
        articles.sort_unstable();
        articles.dedup();
        assert_eq!(articles.len(), changed.articles().count(), "each article once");
        different
    });
    assert!(moved > 100, "{moved}");
}

#[test]
fn a_book_with_a_changed_list_and_adjustments_equals_a_rebuilt_book() {
    let moved = each(|mut world, dice| {
        let before = world.book();
        let mut changed = before.clone();
        if let Some(place) = world.lists.len().checked_sub(1) {
            let list =
                List { head: made_list(dice, world.lists[place].head.id).head, ..world.lists[place].clone() };
            let list = List {
                head: PriceList {
                    scope: if list.tenants.is_empty() { ListScope::Global } else { ListScope::Own },
                    ..list.head
                },
                ..list
            };
            // a list of another owner would not be in the book
            if list.head.owner_tenant_id == world.lists[place].head.owner_tenant_id
                && list.head.owner_tenant_group_id == world.lists[place].head.owner_tenant_group_id
            {
                changed = changed.with_list(list.clone());
                world.lists[place] = list;
            }
        }
        let other = World::new(dice);
        changed = changed.with_adjustments(other.adjustments.clone());
        world.adjustments = other.adjustments;
        let anew = world.book();
        let mut different = 0;
        for _ in 0..6 {
            let cart = world.cart(dice);
            assert_eq!(totals(&changed, &cart), totals(&anew, &cart), "{cart:?}");
            different += u64::from(totals(&before, &cart) != totals(&anew, &cart));
        }
        different
    });
    assert!(moved > 300, "{moved}");
}

#[test]
fn a_book_without_a_list_equals_a_book_rebuilt_without_its_prices() {
    let moved = each(|mut world, dice| {
        let ids: Vec<i64> = world.lists.iter().map(|list| list.head.id).collect();
        if ids.is_empty() {
            return 0;
        }
        let (before, list) = (world.book(), dice.pick(&ids));
        let without = before.without_list(list);
        world.entries.retain(|(entry_list, ..)| *entry_list != list);
        let anew = world.book();
        let mut different = 0;
        for _ in 0..6 {
            let cart = world.cart(dice);
            assert_eq!(totals(&without, &cart), totals(&anew, &cart), "{cart:?}");
            different += u64::from(totals(&before, &cart) != totals(&anew, &cart));
        }
        different
    });
    assert!(moved > 100, "{moved}");
}

/// The customers of one class are interchangeable.
#[test]
fn buyers_with_the_same_terms_get_the_same_prices() {
    let mut apart = 0;
    let together = each(|world, dice| {
        let book = world.book();
        let mut same = 0;
        for _ in 0..6 {
            let (cart, other) = (world.cart(dice), world.cart(dice));
            let at: Instant = cart.moment.at;
            if book.terms(cart.buyer.as_ref(), at) != book.terms(other.buyer.as_ref(), at) {
                apart += 1;
                continue;
            }
            same += u64::from(
                cart.buyer.as_ref().map(|buyer| buyer.tenant)
                    != other.buyer.as_ref().map(|buyer| buyer.tenant),
            );
            let swapped = Cart { buyer: other.buyer, ..cart.clone() };
            assert_eq!(totals(&book, &cart), totals(&book, &swapped), "{cart:?}");
        }
        same
    });
    assert!(together > 50 && apart > 50, "{together} {apart}");
}
