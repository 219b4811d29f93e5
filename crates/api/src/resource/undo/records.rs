//! Kinds of records with an undo, and the permissions that it needs.

use std::pin::Pin;

use catalog::{
    article::{self, Articles},
    article_type::{self, ArticleTypes, group::ArticleTypeGroups},
    attribute::{self, Attributes},
    category::{self, Categories},
    material::Materials,
    processing::Processings,
    trade_dimension::TradeDimensions,
};
use feeds::{external_api::ExternalApis, settings::FtpSettingsTable};
use identity::{audit::AuditEntry, role::Roles, user::Users};
use imports::{import::row, import_profile::ImportProfiles};
use lists::Deletable;
use logistics::{
    matching::Matchings,
    shipping::{
        leg::ShippingLegs,
        node::{
            ShippingNodes,
            closure::{self as node_closure, NodeClosures, ShippingNodeClosureInput},
        },
    },
    stock::Stocks,
    warehouse::{
        Warehouses,
        closure::{self, ClosureInput, Closures},
    },
};
use pricing::{
    held_price::HeldPrices,
    price_adjustment::PriceAdjustments,
    price_list::PriceLists,
    price_list_entry::{self, Entries},
    processing_price::ProcessingPrices,
    sample_cart::SampleCarts,
    surcharge_table::SurchargeTables,
};
use sea_orm::{ColumnTrait, QueryFilter};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use store::{Database, Recorded, Resource, Scope, audit::Change};
use tenancy::{tenant::Tenants, tenant_group::TenantGroups};
use utoipa::ToSchema;
use values::{Input, Permission, Result, UnitCategory, Validated, Violations};
use webhooks::webhook::Webhooks;

use super::{
    commands::{Task, UndoState, Undoable, run, writes},
    list_prices, people, price_lists, stocks, surcharge_tables,
};
use crate::{
    resource::{history::changes::in_metres, record_update::read},
    state::State,
};

/// Undo of records of one kind.
pub(super) struct Undo {
    resource: &'static Resource,
    rights: Rights,
    pub run: for<'a> fn(Task<'a>) -> Running<'a>,
    pub writes: fn(&Change) -> bool,
    /// True if the undo of this deletion restores the record.
    pub restores: fn(&AuditEntry) -> bool,
}

type Running<'a> = Pin<Box<dyn Future<Output = Result<UndoState>> + 'a>>;

/// Permissions for writing records of a kind.
enum Rights {
    Plain {
        create: Permission,
        update: Permission,
        delete: Permission,
    },
    /// Permissions that depend on the changes.
    ByEntry(fn(&AuditEntry) -> Vec<Permission>),
}

impl Rights {
    const fn same(permission: Permission) -> Self {
        Self::Plain { create: permission, update: permission, delete: permission }
    }
}

impl Undo {
    /// Returns the permissions for undoing an entry.
    pub(super) fn needs(&self, entry: &AuditEntry) -> Vec<Permission> {
        match self.rights {
            Rights::Plain { create, update, delete } => match entry.action.as_str() {
                "created" => vec![delete],
                "deleted" => vec![create],
                _ => vec![update],
            },
            Rights::ByEntry(needs) => needs(entry),
        }
    }

    /// Returns the undo for an entry; `None` for rows of imports and for actions that do not change a record.
    pub(super) fn find(entry: &AuditEntry) -> Option<&'static Self> {
        let is_plain = ["created", "changed", "deleted"].contains(&entry.action.as_str());
        ALL.iter().find(|undo| is_plain && entry.id > 0 && undo.resource.table() == entry.record)
    }

    /// Table of the records.
    pub(super) fn record(&self) -> &'static str {
        self.resource.table()
    }

    const fn new<R: Undoable>(rights: Rights) -> Self {
        Self {
            resource: R::RESOURCE,
            rights,
            run: |task| Box::pin(run::<R>(task)),
            writes: writes::<R>,
            restores: |_| true,
        }
    }
}

macro_rules! undo {
    ($table:ident by $domain:ident::$name:ident) => {
        pastey::paste! {
            Undo::new::<$table>(Rights::Plain {
                create: $domain::permissions::[<CREATE_ $name:snake:upper>],
                update: $domain::permissions::[<UPDATE_ $name:snake:upper>],
                delete: $domain::permissions::[<DELETE_ $name:snake:upper>],
            })
        }
    };
}

/// All kinds with an undo; others cannot be undone.
const ALL: &[Undo] = &[
    undo!(ArticleTypeGroups by catalog::ArticleTypeGroup),
    undo!(ArticleTypes by catalog::ArticleType),
    undo!(Articles by catalog::Article),
    undo!(Attributes by catalog::Attribute),
    undo!(Categories by catalog::Category),
    Undo {
        resource: <Closures as Recorded>::RESOURCE,
        rights: Rights::same(logistics::permissions::UPDATE_WAREHOUSE),
        run: |task| Box::pin(closure(task)),
        writes: |_| false,
        restores: |_| true,
    },
    Undo::new::<ExternalApis>(Rights::same(feeds::permissions::CONFIGURE_EXTERNAL_API)),
    Undo::new::<FtpSettingsTable>(Rights::same(feeds::permissions::CONFIGURE_FTP_IMPORT)),
    Undo {
        resource: <HeldPrices as Recorded>::RESOURCE,
        rights: Rights::same(pricing::permissions::UPDATE_PRICE),
        run: |task| Box::pin(stocks::withdraw_from_review(task)),
        writes: |_| false,
        restores: |_| false,
    },
    Undo::new::<ImportProfiles>(Rights::Plain {
        create: imports::permissions::CREATE_IMPORT,
        update: imports::permissions::CREATE_IMPORT,
        delete: imports::permissions::DELETE_IMPORT,
    }),
    undo!(Matchings by logistics::Matching),
    undo!(Materials by catalog::Material),
    undo!(PriceAdjustments by pricing::PriceAdjustment),
    Undo {
        resource: <Entries as Recorded>::RESOURCE,
        rights: Rights::same(pricing::permissions::UPDATE_PRICE_LIST),
        run: |task| Box::pin(list_prices::undo(task)),
        writes: price_list_entry::undo::writes,
        restores: |_| true,
    },
    Undo {
        run: |task| Box::pin(price_lists::undo(task)),
        restores: price_lists::restores,
        ..undo!(PriceLists by pricing::PriceList)
    },
    undo!(ProcessingPrices by pricing::Price),
    undo!(Processings by catalog::Processing),
    undo!(Roles by identity::Role),
    undo!(SampleCarts by pricing::PriceAdjustment),
    Undo::new::<ShippingLegs>(Rights::same(logistics::permissions::UPDATE_SHIPPING_NODE)),
    Undo {
        resource: <NodeClosures as Recorded>::RESOURCE,
        rights: Rights::same(logistics::permissions::UPDATE_SHIPPING_NODE),
        run: |task| Box::pin(node_closure(task)),
        writes: |_| false,
        restores: |_| true,
    },
    undo!(ShippingNodes by logistics::ShippingNode),
    Undo {
        resource: <Stocks as Recorded>::RESOURCE,
        rights: Rights::ByEntry(stocks::needs),
        run: |task| Box::pin(stocks::undo(task)),
        writes: |_| true,
        restores: |_| true,
    },
    Undo {
        run: |task| Box::pin(surcharge_tables::undo(task)),
        writes: surcharge_tables::writes,
        resource: <SurchargeTables as Recorded>::RESOURCE,
        rights: Rights::Plain {
            create: pricing::permissions::CREATE_PRICE_ADJUSTMENT,
            update: pricing::permissions::UPDATE_PRICE_ADJUSTMENT,
            delete: pricing::permissions::DELETE_PRICE_ADJUSTMENT,
        },
        restores: |_| true,
    },
    undo!(TenantGroups by tenancy::TenantGroup),
    undo!(Tenants by tenancy::Tenant),
    undo!(TradeDimensions by catalog::TradeDimension),
    Undo {
        resource: <Users as Recorded>::RESOURCE,
        rights: Rights::Plain {
            create: identity::permissions::CREATE_USER,
            update: identity::permissions::UPDATE_USER,
            delete: identity::permissions::DELETE_USER,
        },
        run: |task| Box::pin(people::undo(task)),
        writes: people::writes,
        restores: |_| false,
    },
    undo!(Warehouses by logistics::Warehouse),
    // its secret could not be restored
    Undo {
        restores: |_| false,
        ..Undo::new::<Webhooks>(Rights::same(webhooks::permissions::CONFIGURE_WEBHOOKS))
    },
];

macro_rules! undoable {
    ($($table:ident: [$($parts:expr),*]),* $(,)?) => {
        $(impl Undoable for $table {
            const PARTS: &'static [(&'static str, &'static str)] = &[$($parts),*];

            async fn delete(state: &State, scope: &Scope, id: i64, _: &str) -> Result<()> {
                <Self as Deletable>::delete(&state.db, scope, id).await
            }
        })*
    };
}

undoable! {
    ArticleTypeGroups: [],
    Attributes: [("attribute_option", "options")],
    ImportProfiles: [],
    Matchings: [],
    Materials: [],
    PriceAdjustments: [
        ("tenant_ids", "tenant_ids"),
        ("tenant_group_ids", "tenant_group_ids"),
        ("excluded_tenant_ids", "excluded_tenant_ids")
    ],
    ProcessingPrices: [],
    Processings: [],
    Roles: [("role_permission", "permissions")],
    SampleCarts: [],
    ShippingLegs: [("departures", "departures"), ("exceptions", "exceptions")],
    ShippingNodes: [],
    SurchargeTables: [],
    TenantGroups: [("tenant_group_member", "tenant_ids")],
    Tenants: [("tenant_permission", "permissions")],
    Webhooks: [],
}

impl Undoable for Articles {
    const PARTS: &'static [(&'static str, &'static str)] =
        &[("article_other_number", "other_numbers"), ("values", "values")];

    /// Converts each value into an entry of the list of values, in the unit in which it is stored.
    async fn to_api_changes(db: &Database, scope: &Scope, changes: Vec<Change>) -> Result<Vec<Change>> {
        let attribute_of =
            |change: &Change| change.field.strip_prefix("attribute_values.")?.parse::<i64>().ok();
        let condition = attribute::Column::Id.is_in(changes.iter().filter_map(attribute_of));
        let attributes = scope.find::<Attributes>().filter(condition).all(db).await?;
        let changes = changes.into_iter().map(|change| {
            let Some(id) = attribute_of(&change) else { return change };
            let attribute = attributes.iter().find(|attribute| attribute.id == id);
            let category = attribute.and_then(|attribute| attribute.unit_category);
            let entry = |value: &Value| match value {
                Value::Null => json!([]),
                value => {
                    let number = value.get("n");
                    let unit = number.and(category).map(UnitCategory::base);
                    json!([{ "attribute_id": id, "option_id": value.get("o"), "number": number, "unit": unit, "text": value.get("t") }])
                }
            };
            Change { field: "values".to_owned(), from: entry(&change.from), to: entry(&change.to) }
        });
        Ok(changes.collect())
    }

    async fn delete(state: &State, scope: &Scope, id: i64, number: &str) -> Result<()> {
        article::delete(&state.db, &state.storage, scope, id, number).await
    }
}

impl Undoable for ArticleTypes {
    const PARTS: &'static [(&'static str, &'static str)] = &[("article_type_attribute", "attributes")];

    async fn delete(state: &State, scope: &Scope, id: i64, name: &str) -> Result<()> {
        article_type::delete(&state.db, scope, id, name).await
    }
}

impl Undoable for Categories {
    async fn delete(state: &State, scope: &Scope, id: i64, _: &str) -> Result<()> {
        category::delete(&state.db, &state.storage, scope, id).await
    }
}

impl Undoable for ExternalApis {
    async fn delete(state: &State, scope: &Scope, id: i64, _: &str) -> Result<()> {
        <Self as Deletable>::delete(&state.db, scope, id).await
    }
}

impl Undoable for FtpSettingsTable {
    /// Adds the schedules: the history has none if all were empty.
    fn complete(input: &mut Value) {
        if let Some(fields) = input.as_object_mut() {
            fields.entry("schedules").or_insert_with(|| json!({}));
        }
    }

    async fn delete(state: &State, scope: &Scope, id: i64, _: &str) -> Result<()> {
        <Self as Deletable>::delete(&state.db, scope, id).await
    }
}

impl Undoable for PriceLists {
    const PARTS: &'static [(&'static str, &'static str)] = &[
        ("price_list_tenant", "tenant_ids"),
        ("price_list_tenant_group", "tenant_group_ids"),
        ("price_list_excluded_tenant", "excluded_tenant_ids"),
    ];

    fn complete(input: &mut Value) {
        input["limited"] = (!input["valid_until"].is_null()).into();
    }

    async fn delete(state: &State, scope: &Scope, id: i64, _: &str) -> Result<()> {
        <Self as Deletable>::delete(&state.db, scope, id).await
    }
}

impl Undoable for TradeDimensions {
    const PARTS: &'static [(&'static str, &'static str)] = &[("trade_dimension_cluster", "clusters")];

    async fn to_api_changes(_: &Database, _: &Scope, changes: Vec<Change>) -> Result<Vec<Change>> {
        let changes = changes.into_iter().map(|change| match change {
            Change { field, from, to } if field == "trade_dimension_cluster" => {
                Change { field, from: in_metres(from), to: in_metres(to) }
            }
            change => change,
        });
        Ok(changes.collect())
    }

    async fn delete(state: &State, scope: &Scope, id: i64, _: &str) -> Result<()> {
        <Self as Deletable>::delete(&state.db, scope, id).await
    }
}

impl Undoable for Warehouses {
    /// Converts the default cut-off into its field of the form.
    async fn to_api_changes(_: &Database, _: &Scope, changes: Vec<Change>) -> Result<Vec<Change>> {
        let cut_off = |rows: &Value| {
            let rows = rows.as_array().into_iter().flatten();
            let usual = rows.filter(|row| row["weekday"] == 0).map(|row| row["cut_off"].clone());
            usual.into_iter().next().unwrap_or_default()
        };
        let changes = changes.into_iter().map(|change| match change.field.as_str() {
            "warehouse_cut_off" => Change {
                field: "preparation_shift_time".to_owned(),
                from: cut_off(&change.from),
                to: cut_off(&change.to),
            },
            _ => change,
        });
        Ok(changes.collect())
    }

    async fn delete(state: &State, scope: &Scope, id: i64, _: &str) -> Result<()> {
        <Self as Deletable>::delete(&state.db, scope, id).await
    }
}

/// Undoes an entry of a closure of a warehouse.
async fn closure(task: Task<'_>) -> Result<UndoState> {
    let fields = ["date", "name", "warehouse_id"];
    created_or_deleted::<Closures, ClosureInput>(
        task,
        &fields,
        async |db, scope, id| <Closures as Deletable>::delete(db, scope, id).await,
        async |db, scope, input| closure::create(db, scope, input).await.map(drop),
    )
    .await
}

/// Undoes an entry of a closure of a shipping node.
async fn node_closure(task: Task<'_>) -> Result<UndoState> {
    let fields = ["date", "name", "shipping_node_id"];
    created_or_deleted::<NodeClosures, ShippingNodeClosureInput>(
        task,
        &fields,
        async |db, scope, id| <NodeClosures as Deletable>::delete(db, scope, id).await,
        async |db, scope, input| node_closure::create(db, scope, input).await.map(drop),
    )
    .await
}

/// Undoes an entry of a record that is created and deleted, but never changed.
async fn created_or_deleted<R: Recorded, I: Input + DeserializeOwned + ToSchema>(
    Task { state, scope, entry, record_id, .. }: Task<'_>,
    fields: &[&str],
    delete: impl AsyncFnOnce(&Database, &Scope, i64) -> Result<()>,
    create: impl AsyncFnOnce(&Database, &Scope, Validated<I>) -> Result<()>,
) -> Result<UndoState> {
    let db = &state.db;
    let exists = scope.find::<R>().filter(R::ID.eq(record_id)).one(db).await?.is_some();
    if exists == (entry.action == "deleted") {
        return Ok(UndoState::Already);
    }
    if exists {
        delete(db, &scope, record_id).await?;
        return Ok(UndoState::Reverted);
    }
    let former = row::changes_of(&entry.changes).into_iter().map(|change| (change.field, change.from));
    let former = former.filter(|(field, _)| fields.contains(&field.as_str()));
    let input: Validated<I> = read(&Value::Object(former.collect()), Violations::new())?;
    create(db, &scope, input).await?;
    Ok(UndoState::Reverted)
}
