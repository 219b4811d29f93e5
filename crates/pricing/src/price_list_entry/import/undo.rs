//! Undo of imports into price lists: restores the former prices. The guard does not check them; the person
//! who undoes decides.

use imports::revert::reversible::{RestoredRecord, Reversible};
use sea_orm::ActiveValue::Set;
use store::{Scope, Write};
use values::{Error, Message, Result, Violations};

use super::{ListAim, PriceListImporter};
use crate::{
    codes,
    price_list::{self, PriceLists},
    price_list_entry::{ActiveModel, load_articles, writing},
    price_side::{self, Side},
};

impl Reversible for PriceListImporter {
    /// The list is locked before its prices.
    async fn begin(tx: &Write, scope: &Scope, _: &[i64], ListAim(list): ListAim) -> Result<()> {
        match price_list::lock_for_change(tx, scope, list).await {
            Ok((list, writer)) => writer.touch::<PriceLists>(tx, list.id).await,
            Err(error) if error.code() == codes::NOT_FOUND => Err(Error::from(codes::PRICE_LIST_GONE)),
            Err(error) => Err(error),
        }
    }

    async fn drafts(
        tx: &Write,
        scope: &Scope,
        former: &[RestoredRecord<Self>],
    ) -> Result<Vec<Result<ActiveModel, Vec<Message>>>> {
        let articles = load_articles(tx, scope, former.iter().map(|former| former.was.article_id)).await?;
        let draft = |RestoredRecord { was, is }: &RestoredRecord<Self>| {
            let side = Side::from_entry(was);
            let article = articles.get(&was.article_id);
            let article = article.ok_or_else(|| vec![codes::UNKNOWN_REFERENCE.into()])?;
            // unchanged prices are not validated
            if is.as_ref().map(Side::from_entry).as_ref() != Some(&side) {
                let mut violations = Violations::new();
                let prices = side.price.iter().chain(side.tiers.iter().map(|tier| &tier.price));
                for price in prices {
                    price_side::check(price, article, "price", &mut violations);
                }
                if !violations.is_empty() {
                    return Err(violations.into_messages());
                }
            }
            Ok(ActiveModel {
                name: Set(was.name.clone()),
                price_list_id: Set(was.price_list_id),
                article_id: Set(was.article_id),
                ..writing::columns(side, was.held.clone())
            })
        };
        Ok(former.iter().map(draft).collect())
    }
}
