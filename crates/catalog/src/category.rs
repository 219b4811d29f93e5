//! Categories form a tree. A category is never below itself, siblings have different names, ignoring case,
//! and a category with subcategories cannot be deleted.

pub mod entity;
pub mod image;

use std::collections::{BTreeSet, HashMap, HashSet};

use lists::{Creatable, Detailed, Field, Listed, Managed, listed_reference};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{
        CommonTableExpression, Expr, ExprTrait, IntoCondition, Query, SelectStatement, UnionType, WithClause,
    },
};
use serde::Deserialize;
use storage::Storage;
use store::{
    CacheTopic, Compiled, Database, Owner, Recorded, Resource, Scope, Scoped, Unique, Write,
    scope::refuse_stale, usage,
};
use utoipa::ToSchema;
use validator::Validate;
use values::{Error, Phrase, Result, Validated, Violations, fold, rule::printable, tidy};

use self::image::CategoryPictures;
use crate::{
    article_type::{ArticleTypes, entity as article_type},
    cache_topics, codes,
    image::Image,
    permissions,
};

pub use self::entity::{ActiveModel, Column, Entity as Categories, Model as Category};

impl Scoped for Categories {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for Categories {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "categories",
        Phrase { de: "Kategorien", en: "categories" },
        permissions::LIST_CATEGORIES,
    )
    .refers(&[
        listed_reference::<Self, Self>("parent_id"),
        listed_reference::<Self, ArticleTypes>("article_type_id"),
    ]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const TOPIC: Option<CacheTopic> = Some(cache_topics::CATALOGUE);
    const UNIQUE: &'static [Unique] = &[
        Unique::new("category_parent_id_name_fold_key", "name", codes::SIBLING_TAKEN),
        Unique::new("category_name_fold_key", "name", codes::SIBLING_TAKEN),
    ];
}

/// Selects the article types of these categories and of all below them. A category without a type inherits
/// that of the nearest ancestor that has one.
pub(crate) fn article_types_below(categories: Vec<i64>) -> SelectStatement {
    let below = recursive(
        "below",
        [Column::Id, Column::ArticleTypeId],
        &categories,
        Expr::col(("below", "id")).equals(Column::ParentId.as_column_ref()),
    );
    let above = recursive(
        "above",
        [Column::ParentId, Column::ArticleTypeId],
        &categories,
        Expr::col(("above", "parent_id"))
            .equals(Column::Id.as_column_ref())
            .and(Expr::col(("above", "article_type_id")).is_null()),
    );
    let types = |table: &'static str| {
        let mut types = Query::select();
        types.column("article_type_id").from(table).and_where(Expr::col("article_type_id").is_not_null());
        types.take()
    };
    let mut query = types("below");
    query.union(UnionType::Distinct, types("above"));
    let mut with = WithClause::new();
    with.recursive(true).cte(below).cte(above);
    query.with_cte(with).take()
}

/// Recursive query for categories and those that `step` reaches from the rows found before.
fn recursive(
    name: &'static str,
    columns: [Column; 2],
    categories: &[i64],
    step: impl IntoCondition,
) -> CommonTableExpression {
    let ids = categories.iter().copied();
    let mut all = Query::select().columns(columns).from(Categories).and_where(Column::Id.is_in(ids)).take();
    let mut next = Query::select();
    next.columns(columns.map(|column| column.as_column_ref())).from(Categories).inner_join(name, step);
    // `DISTINCT` stops the recursion if there is a cycle.
    all.union(UnionType::Distinct, next);
    let mut table = CommonTableExpression::new();
    table.table_name(name).columns(columns).query(all);
    table
}

impl Listed for Categories {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold).sorted_by(&Column::NameSort),
        Field::text("display_name", &Column::DisplayNameFold).optional().sorted_by(&Column::DisplayNameSort),
        Field::id("parent_id", &Column::ParentId).optional(),
        Field::id("article_type_id", &Column::ArticleTypeId).optional(),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
}

/// Input to create or change a category.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct CategoryInput {
    /// Name; unique among siblings, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Träger")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Name for buyers; the name if absent.
    #[schema(max_length = 255, example = "Träger und Profile")]
    #[validate(length(max = 255), custom(function = printable))]
    pub display_name: Option<String>,
    /// Id of the parent; absent for the top level. If the parent changes, the category becomes its last
    /// child.
    pub parent_id: Option<i64>,
    /// Id of the type of the articles in the category.
    pub article_type_id: Option<i64>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(CategoryInput: trim name; or_none display_name;);

/// New place of a category.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CategoryMoveInput {
    /// Id of the new parent; absent for the top level.
    pub parent_id: Option<i64>,
    /// Id of the sibling that the category is inserted before; absent to append it.
    pub before_id: Option<i64>,
    /// Version that the user has seen; rejected if it is older than the current one.
    pub version: Option<i64>,
}

/// Category with the records that it refers to.
#[derive(Debug, Clone)]
pub struct CategoryDetail {
    pub category: Category,
    /// Ancestors, from the top down to the parent.
    pub above: Vec<NamedRecord>,
    pub article_type: Option<NamedRecord>,
    pub images: CategoryPictures,
    pub inherited: Inheritance,
}

/// Values of the nearest ancestors that have them; they apply if the category has none of its own.
#[derive(Debug, Clone, Default)]
pub struct Inheritance {
    pub article_type: Option<Inherited<NamedRecord>>,
    pub image: Option<Inherited<Image>>,
    pub article_type_image: Option<Inherited<Image>>,
}

/// Inherited value, and the category that it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inherited<T> {
    pub value: T,
    pub from: NamedRecord,
}

/// Id and name of a record that is referred to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedRecord {
    pub id: i64,
    pub name: String,
}

/// Loads all categories, siblings in their order.
pub async fn tree(db: &Database, scope: &Scope) -> Result<Vec<CategoryDetail>> {
    let all = scope.find::<Categories>().order_by_asc(Column::Position).order_by_asc(Column::Id);
    Categories::detailed(db, scope, all.all(db).await?).await
}

/// Loads a category with its details.
pub async fn get(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<CategoryDetail> {
    let category = scope.get::<Categories>(db, id).await?;
    detail(db, scope, category).await
}

impl Managed for Categories {
    type Input = CategoryInput;

    /// Updates a category, which may move it in the tree.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<CategoryInput>>,
    ) -> Result<CategoryDetail> {
        let input = input.into();
        let tx = db.begin_alone::<Self>().await?;
        let before = scope.get::<Self>(&tx, id).await?;
        scope.claim::<Self>()?;
        refuse_stale(input.version, before.version)?;
        let input = check(&tx, scope, Some(id), input).await?;
        let (parent_id, version) = (input.parent_id, input.version);
        let mut row = row(input);
        if before.parent_id != parent_id {
            row.parent_id = Set(parent_id);
            row.position = Set(end(&tx, scope, parent_id).await?);
        }
        let category = scope.update::<Self>(&tx, id, version, row).await?;
        let updated = detail(&tx, scope, category).await?;
        tx.commit().await?;
        Ok(updated)
    }
}

impl Creatable for Categories {
    /// Creates a category.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<CategoryInput>>,
    ) -> Result<CategoryDetail> {
        let input = input.into();
        scope.claim::<Self>()?;
        let tx = db.begin_alone::<Self>().await?;
        let input = check(&tx, scope, None, input).await?;
        let parent_id = input.parent_id;
        let row = ActiveModel {
            parent_id: Set(parent_id),
            position: Set(end(&tx, scope, parent_id).await?),
            ..row(input)
        };
        let category = scope.create::<Self>(&tx, row).await?;
        let created = detail(&tx, scope, category).await?;
        tx.commit().await?;
        Ok(created)
    }
}

/// Moves a category to another parent, or to another place among its siblings.
pub async fn relocate(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: CategoryMoveInput,
) -> Result<CategoryDetail> {
    let CategoryMoveInput { parent_id, before_id, version } = input;
    let tx = db.begin_alone::<Categories>().await?;
    let moving = scope.get::<Categories>(&tx, id).await?;
    scope.claim::<Categories>()?;
    refuse_stale(version, moving.version)?;
    let mut violations = Violations::new();
    check_parent(&tx, scope, Some(id), parent_id, &mut violations).await?;
    let mut position = None;
    if let Some(before) = before_id {
        let before = scope.find::<Categories>().filter(Column::Id.eq(before)).one(&tx).await?;
        position = before.filter(|before| before.id != id && before.parent_id == parent_id);
        if position.is_none() {
            violations.add("before_id", codes::UNKNOWN_REFERENCE);
        }
    }
    violations.check()?;
    let position = match position {
        Some(before) => {
            let following_siblings = children_of(parent_id).add(Column::Position.gte(before.position));
            scope.make_room::<Categories>(&tx, Column::Position, following_siblings).await?;
            before.position
        }
        None => end(&tx, scope, parent_id).await?,
    };
    let row = ActiveModel { parent_id: Set(parent_id), position: Set(position), ..Default::default() };
    // A collision after a move is an error of the parent, not of the name.
    let category = scope.update::<Categories>(&tx, id, version, row).await.map_err(|error| match error {
        Error::Invalid(_) => Violations::error("parent_id", codes::SIBLING_TAKEN),
        error => error,
    })?;
    let moved = detail(&tx, scope, category).await?;
    tx.commit().await?;
    Ok(moved)
}

/// Deletes a category and its pictures. Refused while it has subcategories.
pub async fn delete(db: &Database, storage: &Storage, scope: &Scope, id: i64) -> Result<()> {
    let images = image::load(db, scope, [id]).await?;
    usage::delete_alone::<Categories>(db, scope, id, |_| Ok(())).await?;
    for images in images.into_values() {
        images.discard(storage).await;
    }
    Ok(())
}

fn children_of(parent: Option<i64>) -> Condition {
    Condition::all().add(match parent {
        Some(parent) => Column::ParentId.eq(parent),
        None => Column::ParentId.is_null(),
    })
}

/// Position after the last child of a parent.
async fn end(tx: &Write, scope: &Scope, parent: Option<i64>) -> Result<i64> {
    let last: Option<Option<i64>> = scope
        .find::<Categories>()
        .select_only()
        .column_as(Column::Position.max(), "last")
        .filter(children_of(parent))
        .into_tuple()
        .one(tx)
        .await?;
    Ok(last.flatten().unwrap_or_default() + 1)
}

/// Checks an input and returns all violations.
async fn check(
    tx: &Write,
    scope: &Scope,
    id: Option<i64>,
    input: Validated<CategoryInput>,
) -> Result<CategoryInput> {
    let (input, mut violations) = input.parts();
    check_parent(tx, scope, id, input.parent_id, &mut violations).await?;
    if let Some(article_type) = input.article_type_id {
        let select = scope.find::<ArticleTypes>().filter(article_type::Column::Id.eq(article_type));
        if select.lock_shared().one(tx).await?.is_none() {
            violations.add("article_type_id", codes::UNKNOWN_REFERENCE);
        }
    }
    violations.check()?;
    Ok(input)
}

/// Checks that the parent exists and is neither the category itself nor below it. The transaction is
/// exclusive, so no category moves meanwhile.
async fn check_parent(
    tx: &Write,
    scope: &Scope,
    id: Option<i64>,
    parent: Option<i64>,
    violations: &mut Violations,
) -> Result<()> {
    let mut above = parent;
    while let Some(next) = above {
        if Some(next) == id {
            violations.add("parent_id", codes::CATEGORY_CYCLE);
            return Ok(());
        }
        let category = scope.find::<Categories>().filter(Column::Id.eq(next)).one(tx).await?;
        let Some(category) = category else {
            violations.add("parent_id", codes::UNKNOWN_REFERENCE);
            return Ok(());
        };
        above = category.parent_id;
    }
    Ok(())
}

/// Converts a validated input to a row, without parent and position.
fn row(input: CategoryInput) -> ActiveModel {
    let CategoryInput { name, display_name, article_type_id, .. } = input;
    ActiveModel {
        name_fold: Set(fold(&name)),
        name: Set(name),
        display_name_fold: Set(fold(display_name.as_deref().unwrap_or_default())),
        display_name: Set(display_name),
        article_type_id: Set(article_type_id),
        ..Default::default()
    }
}

async fn detail(db: &impl ConnectionTrait, scope: &Scope, category: Category) -> Result<CategoryDetail> {
    let details = Categories::detailed(db, scope, vec![category]).await?;
    details.into_iter().next().ok_or_else(Error::not_found)
}

impl<C: ConnectionTrait> Detailed<C> for Categories {
    type Detail = CategoryDetail;

    /// Loads the records that categories refer to; keeps the order.
    async fn detailed(db: &C, scope: &Scope, categories: Vec<Category>) -> Result<Vec<CategoryDetail>> {
        let categories_by_id = with_ancestors(db, scope, &categories).await?;
        let types = categories_by_id.values().filter_map(|category| category.article_type_id).collect();
        let types = load_names::<ArticleTypes>(db, scope, article_type::Column::Name, types).await?;
        let images = image::load(db, scope, categories_by_id.keys().copied()).await?;
        let type_of = |category: &Category| {
            let id = category.article_type_id?;
            Some(NamedRecord { id, name: types.get(&id)?.clone() })
        };
        let details = categories.into_iter().map(|category| {
            let ancestors = ancestors(&category, &categories_by_id);
            CategoryDetail {
                above: ancestors.iter().rev().map(|above| name(above)).collect(),
                article_type: type_of(&category),
                images: images.get(&category.id).cloned().unwrap_or_default(),
                inherited: Inheritance {
                    article_type: nearest(&ancestors, type_of),
                    image: nearest(&ancestors, |above| images.get(&above.id)?.category.clone()),
                    article_type_image: nearest(&ancestors, |above| {
                        images.get(&above.id)?.article_type.clone()
                    }),
                },
                category,
            }
        });
        Ok(details.collect())
    }
}

/// Loads categories and all their ancestors, by id.
async fn with_ancestors(
    db: &impl ConnectionTrait,
    scope: &Scope,
    categories: &[Category],
) -> Result<HashMap<i64, Category>> {
    let mut categories_by_id = HashMap::new();
    let mut rows = categories.to_vec();
    while !rows.is_empty() {
        categories_by_id.extend(rows.drain(..).map(|category| (category.id, category)));
        let parents = categories_by_id.values().filter_map(|category: &Category| category.parent_id);
        let missing: HashSet<i64> = parents.filter(|parent| !categories_by_id.contains_key(parent)).collect();
        if !missing.is_empty() {
            rows = scope.find::<Categories>().filter(Column::Id.is_in(missing)).all(db).await?;
        }
    }
    Ok(categories_by_id)
}

/// Ancestors from the parent up to the root.
fn ancestors<'k>(category: &Category, categories_by_id: &'k HashMap<i64, Category>) -> Vec<&'k Category> {
    let parent = |category: &Category| categories_by_id.get(&category.parent_id?);
    // Rows read before and after a concurrent move may form a cycle.
    std::iter::successors(parent(category), |above| parent(above)).take(categories_by_id.len()).collect()
}

/// Returns the value of the nearest ancestor that has one.
fn nearest<T>(ancestors: &[&Category], value_of: impl Fn(&Category) -> Option<T>) -> Option<Inherited<T>> {
    ancestors.iter().find_map(|above| Some(Inherited { value: value_of(above)?, from: name(above) }))
}

fn name(category: &Category) -> NamedRecord {
    NamedRecord { id: category.id, name: category.name.clone() }
}

/// Loads the names of records, by id.
async fn load_names<E: Scoped>(
    db: &impl ConnectionTrait,
    scope: &Scope,
    name: E::Column,
    ids: HashSet<i64>,
) -> Result<HashMap<i64, String>> {
    let records = scope.find::<E>().select_only().column(E::ID).column(name).filter(E::ID.is_in(ids));
    let records: Vec<(i64, String)> = records.into_tuple().all(db).await?;
    Ok(records.into_iter().collect())
}

/// Loads the categories that contain articles of a type and their ancestors, by article type id, sorted by
/// category id.
pub async fn load_by_article_type(
    db: &impl ConnectionTrait,
    scope: &Scope,
) -> Result<HashMap<i64, Vec<i64>>> {
    let columns = [Column::Id, Column::ParentId, Column::ArticleTypeId];
    let rows = scope.find::<Categories>().select_only().columns(columns);
    Ok(by_article_type(&rows.into_tuple().all(db).await?))
}

/// Result of [`load_by_article_type`], compiled with the catalogue.
#[derive(Debug)]
pub struct TypeCategories(pub HashMap<i64, Vec<i64>>);

impl Compiled for TypeCategories {
    const TOPIC: CacheTopic = cache_topics::CATALOGUE;

    async fn compile(db: &impl ConnectionTrait) -> Result<Self> {
        Ok(Self(load_by_article_type(db, &Scope::platform()).await?))
    }
}

/// Computes [`load_by_article_type`] from rows of id, parent and type. A category without a type inherits that of
/// the nearest ancestor that has one.
fn by_article_type(rows: &[(i64, Option<i64>, Option<i64>)]) -> HashMap<i64, Vec<i64>> {
    let parents_and_types: HashMap<i64, _> =
        rows.iter().map(|(id, parent, article_type)| (*id, (*parent, *article_type))).collect();
    // Rows read before and after a concurrent move may form a cycle.
    let upwards = |id: i64| {
        let parent = |id: &i64| parents_and_types.get(id).and_then(|(parent, _)| *parent);
        std::iter::successors(Some(id), parent).take(parents_and_types.len())
    };
    let mut of_types: HashMap<i64, BTreeSet<i64>> = HashMap::new();
    for (id, ..) in rows {
        let own = |id: i64| parents_and_types.get(&id).and_then(|(_, article_type)| *article_type);
        if let Some(article_type) = upwards(*id).find_map(own) {
            of_types.entry(article_type).or_default().extend(upwards(*id));
        }
    }
    of_types.into_iter().map(|(id, categories)| (id, categories.into_iter().collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_follow_the_shared_rules() {
        crate::testdata::check("category.json", |input: Validated<CategoryInput>| input.parts().1);
    }

    fn category(id: i64, parent_id: Option<i64>) -> Category {
        Category {
            id,
            parent_id,
            position: 1,
            name: format!("C{id}"),
            name_fold: format!("c{id}"),
            name_sort: String::new(),
            display_name: None,
            display_name_fold: String::new(),
            display_name_sort: String::new(),
            article_type_id: None,
            version: 1,
            created_at: values::Instant::UNIX_EPOCH,
            updated_at: values::Instant::UNIX_EPOCH,
        }
    }

    #[test]
    fn article_types_belong_to_inheriting_categories_and_all_ancestors() {
        // 1 has type 7; 2 and 3 below it have none; 4 below 3 has type 8; 5 inherits none; 6 and 9 form a
        // cycle.
        let rows = [
            (1, None, Some(7)),
            (2, Some(1), None),
            (3, Some(1), None),
            (4, Some(3), Some(8)),
            (5, None, None),
            (6, Some(9), None),
            (9, Some(6), None),
        ];
        let of_types = by_article_type(&rows);
        assert_eq!(of_types, HashMap::from([(7, vec![1, 2, 3]), (8, vec![1, 3, 4])]));
    }

    #[test]
    fn values_are_inherited_from_the_nearest_ancestor_and_cycles_end() {
        let tree = |parents: &[(i64, Option<i64>)]| -> HashMap<i64, Category> {
            parents.iter().map(|(id, parent)| (*id, category(*id, *parent))).collect()
        };
        let ids = |categories_by_id: &HashMap<i64, Category>, id: i64| -> Vec<i64> {
            ancestors(&categories_by_id[&id], categories_by_id).iter().map(|above| above.id).collect()
        };
        let categories_by_id = tree(&[(1, None), (2, Some(1)), (3, Some(2)), (4, Some(3)), (5, Some(99))]);
        assert_eq!(ids(&categories_by_id, 4), [3, 2, 1]);
        assert_eq!(ids(&categories_by_id, 1), [0; 0]);
        assert_eq!(ids(&categories_by_id, 5), [0; 0]);
        assert_eq!(ids(&tree(&[(1, Some(2)), (2, Some(1))]), 1), [2, 1]);

        let above = ancestors(&categories_by_id[&4], &categories_by_id);
        let inherited =
            |having: &[i64]| nearest(&above, |category| having.contains(&category.id).then_some(category.id));
        assert_eq!(inherited(&[4]), None, "its own is not inherited");
        assert_eq!(
            inherited(&[1, 2]),
            Some(Inherited { value: 2, from: NamedRecord { id: 2, name: "C2".into() } })
        );
    }
}
