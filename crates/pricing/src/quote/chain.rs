//! Chain of adjustments: those that apply to a cart and its items, and the lines that they refuse.

use values::{Code, Decimal, Instant, Message, TenantId};

use super::{
    Buyer, Cart, Line,
    arithmetic::Arithmetic,
    book::{Book, Link},
    item::{Item, RunningAmounts, sums_of},
    tree::{Amounts, CartContext, ItemContext},
};
use crate::{
    codes,
    exact::Ratio,
    price_adjustment::terms::{ApplyTo, PurchaseConstraints},
};

/// Links that apply to a cart, in their order, and those that do not.
#[derive(Debug)]
pub(super) struct Chain {
    /// Indexes in the book.
    pub(super) links: Vec<usize>,
    pub(super) left_out: Vec<(usize, LeftOut)>,
}

/// Reason why an adjustment does not apply to a cart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeftOut {
    Inactive,
    NotYetValid,
    NoLongerValid,
    NotForBuyer,
}

/// Ids of the processings of each line.
pub(super) struct Processings(Vec<Vec<i64>>);

impl Processings {
    pub(super) fn from_cart(cart: &Cart) -> Self {
        let ids = |line: &Line| line.processings.iter().map(|processing| processing.id).collect();
        Self(cart.lines.iter().map(ids).collect())
    }

    fn for_item(&self, item: &Item) -> &[i64] {
        let line_processings = self.0.get(item.line).map_or(&[][..], Vec::as_slice);
        match item.processing {
            Some(place) => line_processings.get(place).map_or(&[], std::slice::from_ref),
            None => line_processings,
        }
    }
}

impl Chain {
    /// Selects the adjustments of a book that can apply to the cart; the others get a reason.
    pub(super) fn select(book: &Book, cart: &Cart) -> Self {
        let (mut links, mut left_out) = (Vec::new(), Vec::new());
        for (place, link) in book.links.iter().enumerate() {
            match left_out_because(link, cart.buyer.as_ref(), cart.moment.at) {
                None => links.push(place),
                Some(reason) => left_out.push((place, reason)),
            }
        }
        Self { links, left_out }
    }

    /// Links that apply, with their indexes in the book.
    pub(super) fn links<'b>(&self, book: &'b Book) -> impl Iterator<Item = (usize, &'b Link)> {
        self.links.iter().filter_map(|place| Some((*place, book.links.get(*place)?)))
    }

    /// Returns the lines that violate a purchase constraint, judged on the requested cart before any
    /// adjustment.
    pub(super) fn refusals<A: Arithmetic>(
        &self,
        arithmetic: &A,
        book: &Book,
        cart: &Cart,
        items: &[Item],
    ) -> Vec<(usize, Message)> {
        let mut refusals = Vec::new();
        if !self.links(book).any(|(_, link)| link.adjustment.purchase_constraints.is_some()) {
            return refusals;
        }
        let processings = Processings::from_cart(cart);
        let cart_context = cart_context(cart);
        let running = RunningAmounts::all(arithmetic, items);
        let sums = sums_of(arithmetic, items, &running);
        for (_, link) in self.links(book) {
            let Some(constraints) = link.adjustment.purchase_constraints else { continue };
            for (item, running) in items.iter().zip(&running).filter(|(item, _)| item.processing.is_none()) {
                let Some(item_context) = item_context(cart, item, &processings) else { continue };
                let amounts = Amounts { arithmetic, sums: &sums, weight: running.weight.as_ref() };
                let holds = link
                    .tree
                    .as_ref()
                    .map(|tree| tree.fulfilled_bits(&cart_context, &item_context, &amounts) & 1 == 1);
                let applies =
                    holds.unwrap_or(true) && applies(&link.adjustment.apply_to, item, &item_context);
                if applies && let Some(refused) = refused(&constraints, &item_context) {
                    refusals.push((item.line, refused.with("name", &link.adjustment.name)));
                }
            }
        }
        refusals
    }
}

pub(super) fn left_out_because(link: &Link, buyer: Option<&Buyer>, at: Instant) -> Option<LeftOut> {
    let adjustment = &link.adjustment;
    if !adjustment.active {
        return Some(LeftOut::Inactive);
    }
    if adjustment.valid_from.is_some_and(|from| at < from) {
        return Some(LeftOut::NotYetValid);
    }
    if adjustment.valid_until.is_some_and(|until| until <= at) {
        return Some(LeftOut::NoLongerValid);
    }
    let for_all = adjustment.tenant_ids.is_empty() && adjustment.tenant_group_ids.is_empty();
    let names_buyer = |buyer: &Buyer| {
        adjustment.tenant_ids.iter().any(|tenant| i64::from(*tenant) == buyer.tenant)
            || adjustment.tenant_group_ids.iter().any(|group| buyer.groups.contains(group))
    };
    let excluded = |buyer: &Buyer| adjustment.excluded_tenant_ids.contains(&TenantId(buyer.tenant));
    let is_for_buyer = (for_all || buyer.is_some_and(names_buyer)) && !buyer.is_some_and(excluded);
    (!is_for_buyer).then_some(LeftOut::NotForBuyer)
}

pub(super) fn applies(to: &ApplyTo, item: &Item, context: &ItemContext<'_>) -> bool {
    match to {
        ApplyTo::ItemType { item_types } => item_types.contains(&item.kind()),
        ApplyTo::Item { articles, article_types, categories, materials } => {
            item.processing.is_none()
                && (articles.contains(&context.article.id)
                    || article_types.contains(&context.article.article_type_id)
                    || context.article.categories.iter().any(|category| categories.contains(category))
                    || context.article.material_id.is_some_and(|material| materials.contains(&material)))
        }
    }
}

pub(super) fn cart_context(cart: &Cart) -> CartContext<'_> {
    let buyer = cart.buyer.as_ref();
    CartContext {
        buyer: buyer.map(|buyer| buyer.tenant),
        groups: buyer.map_or(&[], |buyer| &buyer.groups),
        weekday: cart.moment.weekday,
        date: cart.moment.date,
    }
}

pub(super) fn item_context<'c>(
    cart: &'c Cart,
    item: &Item,
    processings: &'c Processings,
) -> Option<ItemContext<'c>> {
    let line = cart.lines.get(item.line)?;
    Some(ItemContext {
        kind: item.kind(),
        article: &line.article,
        quantity: item.quantity,
        unit: item.unit,
        warehouse: line.warehouse,
        processings: processings.for_item(item),
    })
}

/// Field of a line that a refusal is about; `None` for the line as a whole.
pub fn refused_field(code: Code) -> Option<&'static str> {
    let is_quantity = matches!(
        code,
        codes::QUANTITY_BELOW_MINIMUM
            | codes::QUANTITY_ABOVE_MAXIMUM
            | codes::QUANTITY_NOT_MULTIPLE
            | codes::BELOW_FIRST_TIER
    );
    is_quantity.then_some("quantity")
}

/// Returns the reason why a quantity cannot be bought. Quantities that cannot be converted into the unit of
/// the constraints are allowed.
fn refused(constraints: &PurchaseConstraints, item: &ItemContext<'_>) -> Option<Message> {
    let quantity = item.quantity_in(constraints.unit)?;
    let violation = |code: Code, bound: Decimal| {
        let message = code.with("article", &item.article.article_number).number_of("quantity", bound);
        Some(message.unit("unit", constraints.unit))
    };
    let bound = |bound: Option<Decimal>| bound.and_then(|bound| Some((bound, Ratio::from_decimal(bound)?)));
    match (bound(constraints.min_quantity), bound(constraints.max_quantity), bound(constraints.multiple_of)) {
        (Some((min, ratio)), ..) if quantity < ratio => violation(codes::QUANTITY_BELOW_MINIMUM, min),
        (_, Some((max, ratio)), _) if quantity > ratio => violation(codes::QUANTITY_ABOVE_MAXIMUM, max),
        (.., Some((multiple, ratio))) if quantity.is_multiple_of(ratio) == Some(false) => {
            violation(codes::QUANTITY_NOT_MULTIPLE, multiple)
        }
        _ => None,
    }
}
