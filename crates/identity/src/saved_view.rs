//! Saved views: filters, sort, columns and density of a list under a name. They belong to their user. A
//! shared view is visible to all users of the tenant, one of the platform to everyone, and may be changed by
//! users who may share there.

use std::{collections::HashMap, sync::LazyLock};

use regex::Regex;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, FromJsonQueryResult,
    PaginatorTrait, QueryFilter, QueryOrder, sea_query::OnConflict,
};
use serde::{Deserialize, Serialize};
use store::{Database, Owner, Recorded, Reference, Resource, Scope, Scoped, Unique, scope::refuse_stale};
use tenancy::tenant::Tenants;
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Phrase, Result, UserId, Validated, Violations, fold,
    rule::{TEXT_MAX, printable},
    tidy,
};

pub use crate::entity::saved_view::{ActiveModel, Column, Entity as SavedViews, Model as SavedView};
use crate::{
    codes,
    entity::default_view,
    permissions,
    user::{Users, lookup},
};

/// Pattern of a list's name in the interface.
static LIST: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("^[A-Za-z][A-Za-z-]*$").expect("a pattern of ours"));

/// Maximum number of views of one user for one list.
const MAX_OWN: u64 = 50;

impl Scoped for SavedViews {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::User(Column::UserId);

    fn visible_to(scope: &Scope) -> Condition {
        let tenant = scope.tenant().ok().map(|tenant| Column::TenantId.eq(tenant));
        let of_tenant = Condition::any().add(Column::TenantId.is_null()).add_option(tenant);
        Condition::any()
            .add(Column::UserId.eq(scope.user()))
            .add(Condition::all().add(Column::Shared.eq(true)).add(of_tenant))
    }
}

impl Recorded for SavedViews {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "views",
        Phrase { de: "Ansichten", en: "views" },
        values::permissions::ACCESS_ADMIN,
    )
    .refers(&[Reference::loose::<Tenants>("tenant_id"), Reference::loose::<Users>("user_id")]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] =
        &[Unique::new("saved_view_user_id_list_name_fold_key", "name", codes::TAKEN)];
}

/// Content of a view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, FromJsonQueryResult, Validate)]
#[serde(deny_unknown_fields)]
pub struct ViewState {
    #[schema(max_items = 20)]
    #[validate(length(max = 20), nested)]
    pub filters: Vec<ViewFilter>,
    /// Sort; that of the list if absent.
    #[schema(required, max_length = 255, example = "article_number")]
    pub sort: Option<String>,
    /// Number of rows on a page.
    #[schema(minimum = 1, maximum = 200, example = 40)]
    #[validate(range(min = 1, max = 200))]
    pub size: u64,
    /// Visible columns.
    #[schema(max_items = 100, example = json!(["article_number", "article_name"]))]
    #[validate(length(max = 100))]
    pub columns: Vec<String>,
    pub density: Density,
}

/// Condition of a filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ViewFilter {
    #[schema(max_length = 255, example = "material_id")]
    pub field: String,
    pub op: Comparison,
    /// Values, of which any may match.
    #[schema(min_items = 1, max_items = 20, example = json!(["7"]))]
    #[validate(length(min = 1, max = 20))]
    pub values: Vec<String>,
}

/// Comparison of a filter, as in the URL of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    Is,
    Eq,
    Sw,
    Ne,
    Lt,
    Lte,
    Gt,
    Gte,
    /// Field is empty, or, with the value `false`, not empty.
    Empty,
}

/// Height of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Density {
    Compact,
    Standard,
    Comfortable,
}

/// Input to save a view.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct SavedViewInput {
    /// Name of the list; cannot be changed afterwards.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z][A-Za-z-]*$", example = "materials")]
    #[validate(length(max = 64), regex(path = *LIST, code = "unknown_reference"))]
    pub list: String,
    /// Name; unique among the user's own views of the list, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Träger ab 200")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// True if all users of the tenant see it, or everyone if it belongs to the platform.
    pub shared: bool,
    #[validate(nested)]
    pub state: ViewState,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(SavedViewInput: trim name;);

/// Saved view as a particular user sees it.
#[derive(Debug, Clone)]
pub struct SavedViewDetail {
    pub view: SavedView,
    /// Name of the user who created it.
    pub user: String,
    pub own: bool,
    /// True if the caller may change it.
    pub writable: bool,
    /// True if the list opens with it for the caller.
    pub default: bool,
}

/// Loads the caller's own views of a list and the shared ones, sorted by name.
pub async fn list(db: &Database, scope: &Scope, list: &str) -> Result<Vec<SavedViewDetail>> {
    let views = scope.find::<SavedViews>().filter(Column::List.eq(list)).order_by_asc(Column::NameFold);
    detailed(db, scope, views.order_by_asc(Column::Id).all(db).await?).await
}

async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    views: Vec<SavedView>,
) -> Result<Vec<SavedViewDetail>> {
    let users: HashMap<i64, String> =
        lookup::names(db, views.iter().map(|view| view.user_id)).await?.into_iter().collect();
    let default_ids = default_view_ids(db, scope).await?;
    let detail = |view: SavedView| SavedViewDetail {
        user: users.get(&view.user_id).cloned().unwrap_or_default(),
        own: Some(UserId(view.user_id)) == scope.user(),
        writable: may_write(scope, &view),
        default: default_ids.contains(&view.id),
        view,
    };
    Ok(views.into_iter().map(detail).collect())
}

/// Ids of the views that lists open with for the caller.
#[expect(clippy::disallowed_methods, reason = "the caller's own choices")]
async fn default_view_ids(db: &impl ConnectionTrait, scope: &Scope) -> Result<Vec<i64>> {
    let own = default_view::Entity::find().filter(default_view::Column::UserId.eq(scope.user()));
    Ok(own.all(db).await?.into_iter().map(|choice| choice.view_id).collect())
}

/// Creates a view of the caller; rejected above the maximum number of views for a list.
pub async fn create(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<SavedViewInput>>,
) -> Result<SavedViewDetail> {
    let input = check(scope, input.into())?;
    let tx = db.begin().await?;
    let own = Condition::all().add(Column::UserId.eq(scope.user())).add(Column::List.eq(&input.list));
    if scope.find::<SavedViews>().filter(own).count(&tx).await? >= MAX_OWN {
        return Err(Violations::error("name", codes::TOO_MANY.with("max", MAX_OWN)));
    }
    let row = ActiveModel { tenant_id: Set(scope.home()), list: Set(input.list.clone()), ..row(input) };
    let view = scope.create::<SavedViews>(&tx, row).await?;
    let detail = detailed(&tx, scope, vec![view]).await?;
    tx.commit().await?;
    detail.into_iter().next().ok_or_else(values::Error::not_found)
}

/// Updates a view; the list that it belongs to cannot change.
pub async fn update(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<SavedViewInput>>,
) -> Result<SavedViewDetail> {
    let input = input.into();
    let tx = db.begin().await?;
    let before = writable(&tx, scope, id).await?;
    refuse_stale(input.version, before.version)?;
    let input = check(scope, input)?;
    if input.list != before.list {
        return Err(Violations::error("list", codes::UNKNOWN_REFERENCE));
    }
    let version = input.version;
    let view = scope.update::<SavedViews>(&tx, id, version, row(input)).await?;
    let detail = detailed(&tx, scope, vec![view]).await?;
    tx.commit().await?;
    detail.into_iter().next().ok_or_else(values::Error::not_found)
}

/// Deletes a view.
pub async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    let tx = db.begin().await?;
    writable(&tx, scope, id).await?;
    scope.delete::<SavedViews>(&tx, id).await?;
    tx.commit().await?;
    Ok(())
}

/// Choice of the view that a list opens with.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct DefaultViewInput {
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z][A-Za-z-]*$", example = "materials")]
    #[validate(length(max = 64), regex(path = *LIST, code = "unknown_reference"))]
    pub list: String,
    /// Id of the view; without it the list opens with its own filters and sort.
    pub view_id: Option<i64>,
}

tidy!(DefaultViewInput:);

/// Sets or clears the view that a list opens with for the caller.
#[expect(clippy::disallowed_methods, reason = "the caller's own choice")]
pub async fn set_default_view(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<DefaultViewInput>>,
) -> Result<()> {
    use default_view::{ActiveModel, Column as Choice, Entity as Choices};
    let Some(user) = scope.user() else { return Ok(()) };
    let input = input.into().valid()?;
    let tx = db.begin().await?;
    match input.view_id {
        None => {
            let choice = Choices::delete_many().filter(Choice::UserId.eq(user));
            choice.filter(Choice::List.eq(&input.list)).exec(&tx).await?;
        }
        Some(id) => {
            let view = scope.find::<SavedViews>().filter(Column::Id.eq(id)).one(&tx).await?;
            if view.is_none_or(|view| view.list != input.list) {
                return Err(Violations::error("view_id", codes::UNKNOWN_REFERENCE));
            }
            let choice = ActiveModel { user_id: Set(user.0), list: Set(input.list), view_id: Set(id) };
            let other =
                OnConflict::columns([Choice::UserId, Choice::List]).update_column(Choice::ViewId).to_owned();
            Choices::insert(choice).on_conflict(other).exec_without_returning(&tx).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}

/// Loads a view that the caller may change; rejects those that they may only see.
async fn writable(tx: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<SavedView> {
    let view = scope.get::<SavedViews>(tx, id).await?;
    if may_write(scope, &view) { Ok(view) } else { Err(not_shared()) }
}

fn may_write(scope: &Scope, view: &SavedView) -> bool {
    let own = Some(UserId(view.user_id)) == scope.user();
    let shares = scope.may(permissions::SHARE_VIEWS) && view.tenant_id == scope.home();
    if view.shared { shares } else { own }
}

fn not_shared() -> values::Error {
    codes::FORBIDDEN.with("permission", permissions::SHARE_VIEWS.as_str()).into()
}

fn check(scope: &Scope, input: Validated<SavedViewInput>) -> Result<SavedViewInput> {
    if input.shared && !scope.may(permissions::SHARE_VIEWS) {
        return Err(not_shared());
    }
    violations(&input).check()?;
    input.valid()
}

/// Violations of the fields. Texts too long for a URL are reported together, not one by one.
fn violations(input: &Validated<SavedViewInput>) -> Violations {
    let ViewState { filters, sort, columns, .. } = &input.state;
    let mut violations = input.broken().clone();
    let texts = filters.iter().flat_map(|filter| filter.values.iter().chain([&filter.field]));
    let too_long = |text: &String| text.chars().count() > TEXT_MAX || text.chars().any(char::is_control);
    if texts.chain(columns).chain(sort).any(too_long) {
        violations.add("state", codes::TOO_LONG.with("max", TEXT_MAX));
    }
    violations
}

fn row(input: SavedViewInput) -> ActiveModel {
    ActiveModel {
        name_fold: Set(fold(&input.name)),
        name: Set(input.name),
        shared: Set(input.shared),
        state: Set(input.state),
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_view_is_limited_to_what_a_url_can_contain() {
        let filters = |filters: serde_json::Value| json!({ "filters": filters });
        let one = |values: serde_json::Value| json!([{ "field": "name", "op": "is", "values": values }]);
        for (change, expected) in [
            (json!({}), &[][..]),
            (filters(one(json!(["S235"]))), &[]),
            (filters(one(json!([]))), &["state.filters.0.values"]),
            (filters(one(json!(vec!["x"; 21]))), &["state.filters.0.values"]),
            (filters(one(json!(["x".repeat(256)]))), &["state"]),
            (filters(one(json!(["\u{7}"]))), &["state"]),
            (json!({ "size": 0 }), &["state.size"]),
            (json!({ "size": 201 }), &["state.size"]),
            (json!({ "columns": vec!["x"; 101] }), &["state.columns"]),
            (json!({ "sort": "x".repeat(256) }), &["state"]),
        ] {
            let mut state = json!({ "filters": [], "sort": null, "size": 40, "columns": ["name"], "density": "standard" });
            state.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            let input = json!({ "list": "materials", "name": "Leicht", "shared": false, "state": state });
            let broken = violations(&serde_json::from_value(input).unwrap());
            let paths: Vec<_> = broken.iter().map(|violation| &*violation.path).collect();
            assert_eq!(paths, expected, "{change}");
        }
        let input = |list: &str, name: &str| {
            let state =
                json!({ "filters": [], "sort": null, "size": 40, "columns": [], "density": "compact" });
            let input = json!({ "list": list, "name": name, "shared": false, "state": state });
            violations(&serde_json::from_value(input).unwrap()).len()
        };
        assert_eq!((input("article-types", "x"), input("", " "), input("a b", "x")), (0, 2, 1));
    }
}
