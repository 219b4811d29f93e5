//! Sample carts prepared for the calculation, with the records that their lines name; loaded for many carts
//! together.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use catalog::{
    article,
    article_units::{self, ArticleUnits},
};
use sea_orm::{ColumnTrait, ConnectionTrait};
use store::Scope;
use tenancy::{
    tenant::{self, Party},
    tenant_group,
};
use values::{Decimal, Message, Result, TenantId, Violations};

use super::{LineDetail, LineInput, ProcessingInput, SampleCart};
use crate::{
    codes,
    quote::{
        Buyer, Cart, Line, Processing, Quote, Viewpoint,
        book::Book,
        calculation::Calculation,
        lines::{Amount, LineRecords},
        quote,
    },
};

/// Maximum number of ids of one statement.
const IDS: usize = 5_000;

/// Records that carts name.
#[derive(Debug)]
pub struct Assembly {
    articles: HashMap<i64, Arc<ArticleUnits>>,
    line_records: LineRecords,
    buyers: HashMap<i64, Party>,
    /// Groups of each buyer.
    groups: HashMap<i64, Vec<i64>>,
}

/// Calculated cart, with the mapping from its lines to those of the sample cart.
#[derive(Debug)]
pub struct CartOutcome {
    pub cart: Cart,
    pub quote: Quote,
    pub book: Arc<Book>,
    /// Lines of the sample cart: the index among the calculated lines, or the violations.
    pub lines: Vec<Result<usize, Violations>>,
}

impl Assembly {
    /// Loads the records of carts that will be calculated with these books.
    pub async fn load<'c>(
        db: &impl ConnectionTrait,
        books: &[&Book],
        carts: impl IntoIterator<Item = &'c SampleCart>,
    ) -> Result<Self> {
        let all = Scope::platform();
        let (mut articles, mut processings, mut buyers) = (HashSet::new(), HashSet::new(), HashSet::new());
        for cart in carts {
            buyers.extend(cart.buyer_id);
            for line in &cart.lines.0 {
                articles.insert(line.article_id);
                processings.extend(line.processings.iter().map(|processing| processing.processing_id));
            }
        }
        let articles: Vec<i64> = articles.into_iter().collect();
        let mut articles_by_id = HashMap::new();
        for ids in articles.chunks(IDS) {
            let id_filter = article::Column::Id.is_in(ids.iter().copied());
            let units = article_units::load(db, &all, id_filter).await?;
            articles_by_id.extend(units.into_iter().map(|article| (article.id, Arc::new(article))));
        }
        let line_records = LineRecords::load(db, books.iter().copied(), processings).await?;
        let (parties, groups) = if buyers.is_empty() {
            (Vec::new(), HashMap::new())
        } else {
            let groups = tenant_group::load_groups_by_tenant(db, buyers.iter().copied()).await?;
            (tenant::parties(db, buyers).await?, groups)
        };
        let buyers = parties.into_iter().map(|party| (party.id.into(), party)).collect();
        Ok(Self { articles: articles_by_id, line_records, buyers, groups })
    }

    pub(crate) fn buyer(&self, buyer: i64) -> Party {
        let deleted_party =
            || Party { id: TenantId(buyer), short_code: String::new(), company: String::new() };
        self.buyers.get(&buyer).cloned().unwrap_or_else(deleted_party)
    }

    pub(crate) fn article(&self, id: i64) -> Option<Arc<ArticleUnits>> {
        self.articles.get(&id).cloned()
    }

    pub(super) fn processing(&self, id: i64) -> Option<&str> {
        self.line_records.processings.get(&id).map(String::as_str)
    }

    /// Returns the violations of a line.
    pub(super) fn violations(&self, line: &LineInput) -> Violations {
        self.read(line).err().unwrap_or_default()
    }

    fn read(&self, line: &LineInput) -> Result<Line, Violations> {
        let mut violations = Violations::new();
        let article = self.articles.get(&line.article_id);
        if article.is_none() {
            violations.add("article_id", codes::UNKNOWN_REFERENCE);
        }
        let processings: Vec<Processing> = line.processings.iter().map(Processing::from).collect();
        let amount = Amount { quantity: line.quantity, unit: line.unit, processings: &processings };
        self.line_records.check(&amount, article.map(|article| &**article), &mut violations);
        match article.filter(|_| violations.is_empty()) {
            Some(article) => Ok(self.line_records.line(&amount, article, line.warehouse_id)),
            None => Err(violations),
        }
    }

    /// Calculates a cart with a book of its seller.
    pub fn calculate(
        &self,
        calculation: &Calculation,
        book: &Arc<Book>,
        sample: &SampleCart,
        explained: bool,
    ) -> CartOutcome {
        let mut cart = Cart {
            buyer: sample.buyer_id.map(|tenant| Buyer {
                tenant,
                groups: self.groups.get(&tenant).cloned().unwrap_or_default(),
            }),
            moment: calculation.moment(sample.at),
            lines: Vec::with_capacity(sample.lines.0.len()),
        };
        let mut lines = Vec::with_capacity(sample.lines.0.len());
        for line in &sample.lines.0 {
            lines.push(self.read(line).map(|line| {
                cart.lines.push(line);
                cart.lines.len() - 1
            }));
        }
        let quote = quote(book, &cart, Viewpoint::Seller, explained);
        CartOutcome { cart, quote, book: book.clone(), lines }
    }

    /// Returns the lines of a cart with their articles, and the reasons why they have no price.
    pub(super) fn lines(&self, cart: &SampleCart, outcome: &CartOutcome) -> Vec<LineDetail> {
        let detail = |(place, line): (usize, &LineInput)| LineDetail {
            article: self.articles.get(&line.article_id).cloned(),
            refused: outcome.refusals(place),
        };
        cart.lines.0.iter().enumerate().map(detail).collect()
    }
}

impl CartOutcome {
    /// Returns the reasons why a line of the sample cart has no price; empty if it has one.
    pub(crate) fn refusals(&self, line: usize) -> Vec<(Option<String>, Message)> {
        match self.lines.get(line) {
            Some(Ok(place)) => {
                let quoted = self.quote.lines.get(*place);
                quoted
                    .into_iter()
                    .flat_map(|line| line.refused.iter().map(|message| (None, message.clone())))
                    .collect()
            }
            Some(Err(violations)) => {
                violations.iter().map(|wrong| (Some(wrong.path.clone()), wrong.message.clone())).collect()
            }
            None => Vec::new(),
        }
    }

    /// Returns the total in EUR, rounded; `None` if a line is refused.
    pub fn total(&self) -> Option<Decimal> {
        let whole = self.lines.iter().all(Result::is_ok);
        let priced = self.quote.lines.iter().all(|line| line.refused.is_empty());
        (whole && priced).then(|| self.quote.total.shown())
    }
}

impl From<&ProcessingInput> for Processing {
    fn from(input: &ProcessingInput) -> Self {
        Self { id: input.processing_id, quantity: input.quantity, price: input.price }
    }
}
