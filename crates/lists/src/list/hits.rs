//! First records that the search of a list finds, for a search over many lists.

use std::collections::HashSet;

use sea_orm::{FromQueryResult, ModelTrait};
use store::{
    audit,
    database::Database,
    scope::{Recorded, Scope},
};
use values::{
    error::{Result, Violations},
    fold,
};

use super::{Kind, ListQuery, Listed, Operator, Paging};

/// Result of a search in one list.
#[derive(Debug)]
pub struct Hits<M> {
    /// Records with exactly this name, then those whose name begins with it, then others in the order of the
    /// list.
    pub first: Vec<Hit<M>>,
    pub total: u64,
}

/// Record that was found.
#[derive(Debug)]
pub struct Hit<M> {
    pub id: i64,
    pub name: String,
    pub rank: Rank,
    pub row: M,
}

/// Rank of a record by its similarity to the typed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The name equals the text.
    Exact,
    /// The name begins with the text.
    Beginning,
    Other,
}

impl Rank {
    /// Returns the rank of a name among the hits of a search text.
    pub fn new(text: &str, name: &str) -> Self {
        match fold(name).strip_prefix(&*fold(text)) {
            Some("") => Self::Exact,
            Some(_) => Self::Beginning,
            None => Self::Other,
        }
    }
}

impl<E> ListQuery<E>
where
    E: Listed + Recorded<Model: FromQueryResult + Send + Sync>,
{
    /// Returns the first `count` records that the list's search finds. A list without a search is searched by
    /// its first field, which is the name. The result is empty if the list needs a tenant and none is chosen.
    ///
    /// # Errors
    /// A violation at `parameter` if the text cannot be searched for.
    pub async fn hits(
        db: &Database,
        scope: &Scope,
        parameter: &str,
        text: &str,
        count: u64,
    ) -> Result<Hits<E::Model>> {
        let searched = E::FIELDS.iter().find(|field| field.kind == Kind::Search);
        let Some(field) = searched.or(E::FIELDS.first()) else { return Ok(Hits::none()) };
        if E::NEEDS_TENANT && scope.tenant().is_err() {
            return Ok(Hits::none());
        }
        let page = async |operator: Operator| {
            let paging = Paging { page: 1, size: count };
            let mut query = Self { paging, ..Self::default() };
            let filter = format!("{}{}", field.name, operator.suffix());
            query
                .filter_by(parameter, &filter, text)
                .map_err(|message| Violations::error(parameter, message))?;
            query.fetch::<E::Model>(db, scope, |rows| rows).await
        };
        let first_page = page(Operator::Is).await?;
        let mut first: Vec<_> = first_page.rows.into_iter().map(|row| Hit::new::<E>(text, row)).collect();
        if searched.is_none() {
            if first_page.total > count {
                let beginning = page(Operator::StartsWith).await?.rows;
                first.extend(beginning.into_iter().map(|row| Hit::new::<E>(text, row)));
            }
            first.sort_by_key(|hit| hit.rank);
            let mut unique_ids = HashSet::new();
            first.retain(|hit| unique_ids.insert(hit.id));
            first.truncate(usize::try_from(count).unwrap_or(usize::MAX));
        }
        Ok(Hits { first, total: first_page.total })
    }
}

impl<M> Hits<M> {
    fn none() -> Self {
        Self { first: Vec::new(), total: 0 }
    }
}

impl<M: ModelTrait> Hit<M> {
    fn new<E: Recorded<Model = M>>(text: &str, row: M) -> Self
    where
        M: ModelTrait<Entity = E>,
    {
        let name = audit::text(row.get(E::NAME)).unwrap_or_default();
        Self { id: audit::id(row.get(E::ID)).unwrap_or_default(), rank: Rank::new(text, &name), name, row }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_names_rank_before_prefixes_and_prefixes_before_other_hits() {
        for (name, rank) in [
            ("Sägen", Rank::Exact),
            ("SAGEN", Rank::Exact),
            ("Sägen fein", Rank::Beginning),
            ("Bandsägen", Rank::Other),
        ] {
            assert_eq!(Rank::new("sägen", name), rank, "{name}");
        }
    }
}
