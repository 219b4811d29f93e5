//! Books that take over unchanged parts of an older one.

use std::collections::{BTreeSet, HashSet};

use super::{world::*, *};
use crate::quote::book::{UnchangedParts, Update};

/// The same seller later: with another list, one list less, other prices in some lists, other stocks, or none
/// of these changes.
fn later(seed: u64, dice: &mut Dice) -> (World, UnchangedParts) {
    let mut world = World::new(&mut Dice::new(seed));
    let list_ids: Vec<i64> = world.lists.iter().map(|list| list.head.id).collect();
    world.adjustments.truncate(usize::try_from(dice.below(9)).unwrap());
    if dice.one_in(3) && !world.lists.is_empty() {
        let place = usize::try_from(dice.below(world.lists.len() as u64)).unwrap();
        world.lists.remove(place);
    }
    if dice.one_in(3) {
        world.processing_prices.truncate(usize::try_from(dice.below(5)).unwrap());
    }
    let changed: HashSet<i64> = list_ids.iter().copied().filter(|_| dice.one_in(3)).collect();
    world.entries.retain(|(list, ..)| !changed.contains(list) || !dice.one_in(4));
    for (list, _, side) in &mut world.entries {
        if changed.contains(list) {
            *side = made_side(dice);
        }
    }
    if dice.one_in(3) {
        let list = made_list(dice, 90);
        let priced = |article: &Arc<Article>| (list.head.id, article.id, made_side(dice));
        world.entries.extend(world.articles.iter().map(priced));
        world.lists.push(list);
    }
    let unchanged = UnchangedParts {
        lists: list_ids.into_iter().filter(|id| !changed.contains(id)).collect(),
        stocks: !dice.one_in(3),
    };
    if !unchanged.stocks {
        world.stocks.retain(|_| !dice.one_in(4));
        for stock in &mut world.stocks {
            stock.external = made_side(dice);
        }
    }
    (world, unchanged)
}

/// Builder with the changed parts only.
fn builder(world: &World, unchanged: &UnchangedParts) -> Builder {
    let (lists, adjustments) = (world.lists.clone(), world.adjustments.clone());
    let mut builder = Builder::new(TenantId(SELLER), SELLERS_GROUPS.to_vec(), lists, adjustments);
    for (list, article, side) in &world.entries {
        if !unchanged.lists.contains(list) {
            builder.entry(*list, *article, side);
        }
    }
    for stock in world.stocks.iter().filter(|_| !unchanged.stocks) {
        builder.stock(stock);
    }
    for (processing, article_type, price) in &world.processing_prices {
        builder.processing_price(&processing_price(*processing, *article_type, *price));
    }
    builder
}

#[test]
fn a_book_built_from_changes_and_an_older_book_equals_a_full_build() {
    let (mut compared, mut priced, mut shared) = (0, 0, 0);
    for seed in 0..1_000 {
        let mut dice = Dice::new(seed + 10_000);
        let previous = World::new(&mut Dice::new(seed)).book();
        let (world, unchanged) = later(seed, &mut dice);
        let whole = world.book();
        let book = builder(&world, &unchanged).build_from(&previous, &unchanged);
        shared += usize::from(book.shares_prices_with(&previous));
        let articles = |book: &Book| book.articles().collect::<HashSet<_>>();
        assert_eq!((book.prices(), articles(&book)), (whole.prices(), articles(&whole)), "{seed}");
        for _ in 0..5 {
            let cart = world.cart(&mut dice);
            let [one, other] = [&book, &whole].map(|book| quote(book, &cart, Viewpoint::Seller, true));
            assert_eq!(format!("{one:?}"), format!("{other:?}"), "{seed}");
            compared += 1;
            priced += usize::from(one.lines.iter().any(|line| line.refused.is_empty()));
        }
    }
    assert!(priced * 3 > compared, "{priced} of {compared} have a price");
    // the worlds in which only rules have changed
    assert!((50..500).contains(&shared), "{shared} share their prices");
}

/// Changes prices of some articles in some lists and in stocks, and returns the update with them.
fn repriced(world: &mut World, dice: &mut Dice) -> Update {
    let mut update = Update::default();
    let articles: Vec<i64> = world.articles.iter().map(|article| article.id).collect();
    let mut some = || articles.iter().copied().filter(|_| dice.one_in(3)).collect::<BTreeSet<i64>>();
    let of_stocks = some();
    let of_lists: Vec<_> = world.lists.iter().map(|list| (list.head.id, some())).collect();
    world.stocks.retain(|stock| !of_stocks.contains(&stock.article_id) || !dice.one_in(3));
    update.stocks(&of_stocks);
    for stock in world.stocks.iter_mut().filter(|stock| of_stocks.contains(&stock.article_id)) {
        stock.external = made_side(dice);
        update.stock(stock.clone());
    }
    for (list, articles) in of_lists {
        world.entries.retain(|(entry_list, article, _)| *entry_list != list || !articles.contains(article));
        update.list(list, &articles);
        for article in articles {
            if !dice.one_in(3) {
                let side = made_side(dice);
                update.entry(list, article, side.clone());
                world.entries.push((list, article, side));
            }
        }
    }
    update
}

#[test]
fn prices_compacted_while_others_change_equal_a_full_build() {
    let mut priced = 0;
    for seed in 0..300 {
        let mut dice = Dice::new(seed + 20_000);
        let mut world = World::new(&mut Dice::new(seed));
        let previous = world.book();
        let older = previous.updated(&repriced(&mut world, &mut dice));
        let compacted = older.compacted();
        let newer = older.updated(&repriced(&mut world, &mut dice));
        let rebased = newer.rebased(&older, &compacted).unwrap();
        assert!(newer.rebased(&compacted, &compacted).is_none(), "based on other prices");
        assert!(rebased.bytes() < newer.bytes() + compacted.bytes());
        let whole = world.book();
        for book in [&newer, &rebased, &rebased.compacted()] {
            let articles = |book: &Book| book.articles().collect::<HashSet<_>>();
            assert_eq!((book.prices(), articles(book)), (whole.prices(), articles(&whole)), "{seed}");
            for _ in 0..3 {
                let cart = world.cart(&mut dice);
                let [one, other] = [book, &whole].map(|book| quote(book, &cart, Viewpoint::Seller, true));
                assert_eq!(format!("{one:?}"), format!("{other:?}"), "{seed}");
                priced += usize::from(one.lines.iter().any(|line| line.refused.is_empty()));
            }
        }
    }
    assert!(priced > 900, "{priced} have a price");
}
