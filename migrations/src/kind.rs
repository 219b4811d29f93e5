//! Kind of each table, and the owner of its rows: one list for the rules that allow distributing tables by
//! tenant
//! (`docs/decisions/0010-tables-of-tenants.md`), and for the command that removes a tenant completely.

/// The longest name of an index or a constraint, in bytes: a database that distributes tables adds to it.
pub const NAME_MAX: usize = 54;

/// Place of a table in a database that is distributed by tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Copied everywhere: what all tenants read.
    Reference,
    /// One node: queues, identity, history.
    Local,
    /// The node of its tenant.
    Distributed,
}

/// Owner of the rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// Rows of the platform, or without an owner.
    Platform,
    /// Rows of the tenant whose id is in this column.
    Tenant(&'static str),
    /// Rows of the owner of the row of that table whose id is in this column.
    Of(&'static str, &'static str),
}

/// A table.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    pub name: &'static str,
    pub kind: Kind,
    pub rows: Rows,
    /// Reason for deviating from the rules; empty if the table follows them.
    pub because: &'static str,
}

const fn table(name: &'static str, kind: Kind, rows: Rows, because: &'static str) -> Table {
    Table { name, kind, rows, because }
}

use Kind::{Distributed, Local, Reference};
use Rows::{Of, Platform, Tenant};

const QUEUE: &str = "a queue is claimed with SKIP LOCKED, which distributed tables do not take";
const PEOPLE: &str = "people sign in before their tenant is known, and some have none";
const HISTORY: &str = "the history is read over all tenants by time, and outlives what it tells of";
const CHANGES: &str = "outlives the records that it names, and is forgotten by time over all tenants";
const OF_LIST: &str = "a part of the price list, which is read wherever one of those is that it applies to";
const OF_ADJUSTMENT: &str = "goes with the adjustment, and with the tenant that it names";
const OF_CART: &str = "goes with the sample cart, and with the tenant that it names";
const AT_WAREHOUSE: &str =
    "names the warehouse that stands there, which leaves it before its tenant is removed";
const OF_TENANT: &str = "a part of the tenant, which is read wherever the tenant is";

/// All tables; what refers to another table stands before it, so that rows can be deleted in this order.
pub const TABLES: &[Table] = &[
    table("unresolved_row", Distributed, Of("unresolved_number_id", "unresolved_number"), ""),
    table("unresolved_number", Distributed, Tenant("tenant_id"), ""),
    table("sample_cart_acceptance", Distributed, Of("cart_id", "sample_cart"), ""),
    table("sample_cart_buyer", Distributed, Of("buyer_id", "tenant"), OF_CART),
    table("sample_cart_record", Distributed, Of("cart_id", "sample_cart"), ""),
    table("sample_cart", Distributed, Tenant("tenant_id"), ""),
    table("price_adjustment_tenant", Distributed, Of("named_tenant_id", "tenant"), OF_ADJUSTMENT),
    table("price_adjustment_record", Distributed, Of("adjustment_id", "price_adjustment"), ""),
    table("price_adjustment", Distributed, Tenant("tenant_id"), ""),
    table("price_list_stage", Distributed, Tenant("tenant_id"), ""),
    table("surcharge_value", Distributed, Of("surcharge_table_id", "surcharge_table"), ""),
    table("surcharge_table", Distributed, Tenant("tenant_id"), ""),
    table("processing_price", Distributed, Tenant("tenant_id"), ""),
    table("price_list_entry", Distributed, Of("price_list_id", "price_list"), ""),
    table("price_list_tenant", Reference, Of("tenant_id", "tenant"), OF_LIST),
    table("price_list_excluded_tenant", Reference, Of("tenant_id", "tenant"), OF_LIST),
    table("price_list_tenant_group", Reference, Of("price_list_id", "price_list"), OF_LIST),
    table(
        "price_list",
        Reference,
        Tenant("owner_tenant_id"),
        "read wherever one of those is that it applies to",
    ),
    table(
        "prices_version",
        Local,
        Tenant("tenant_id"),
        "read before every quote; 0 in place of a tenant: a change that may concern all",
    ),
    table(
        "price_change",
        Local,
        Tenant("tenant_id"),
        "the articles of a version of prices; 0 in place of a tenant: a change that may concern all",
    ),
    table("held_price", Distributed, Tenant("tenant_id"), "those of a stock go with it"),
    table("deleted_record", Distributed, Tenant("tenant_id"), CHANGES),
    table("change_counter", Distributed, Tenant("tenant_id"), ""),
    table("stock_confirmation", Distributed, Of("stock_id", "stock"), ""),
    table("external_quantity", Distributed, Of("stock_id", "stock"), ""),
    table("stock", Distributed, Tenant("tenant_id"), ""),
    table("matching", Distributed, Tenant("tenant_id"), ""),
    table("shipping_leg", Reference, Platform, ""),
    table("shipping_node_closure", Reference, Platform, ""),
    table("shipping_node", Reference, Platform, AT_WAREHOUSE),
    table("closure", Distributed, Tenant("tenant_id"), "those of one warehouse go with it"),
    table("warehouse_cut_off", Distributed, Of("warehouse_id", "warehouse"), ""),
    table("warehouse", Distributed, Tenant("tenant_id"), ""),
    table("external_api_call", Distributed, Tenant("tenant_id"), ""),
    table("external_api_state", Distributed, Of("api_id", "external_api"), ""),
    table("external_api", Distributed, Tenant("tenant_id"), ""),
    table("feed_run", Distributed, Tenant("tenant_id"), ""),
    table("feed_incident", Distributed, Tenant("tenant_id"), ""),
    table("feed_file", Distributed, Tenant("tenant_id"), ""),
    table("webhook_delivery", Local, Tenant("tenant_id"), QUEUE),
    table("webhook_queue", Local, Tenant("tenant_id"), QUEUE),
    table("webhook", Distributed, Tenant("tenant_id"), ""),
    table("ftp_settings", Distributed, Tenant("tenant_id"), ""),
    table("import_profile", Distributed, Tenant("tenant_id"), ""),
    table("import_error", Local, Of("import_id", "import"), QUEUE),
    table("import_row", Distributed, Tenant("tenant_id"), "a record's history finds its rows in all imports"),
    table("import", Local, Tenant("tenant_id"), QUEUE),
    table("schedule", Local, Tenant("tenant_id"), QUEUE),
    table("default_view", Local, Of("user_id", "user"), PEOPLE),
    table("saved_view", Local, Tenant("tenant_id"), PEOPLE),
    table("mail", Local, Of("user_id", "user"), QUEUE),
    table("sign_in_place", Local, Of("user_id", "user"), PEOPLE),
    table("idempotency", Local, Of("user_id", "user"), PEOPLE),
    table("email_change", Local, Of("user_id", "user"), PEOPLE),
    table("one_time_link", Local, Of("user_id", "user"), PEOPLE),
    table("session", Local, Of("user_id", "user"), PEOPLE),
    table("personal_access_token", Local, Of("user_id", "user"), PEOPLE),
    table("user_permission", Local, Of("user_id", "user"), PEOPLE),
    table("user_role", Local, Of("user_id", "user"), PEOPLE),
    table("user", Local, Tenant("tenant_id"), PEOPLE),
    table("role_permission", Local, Of("role_id", "role"), PEOPLE),
    table("role", Local, Tenant("tenant_id"), PEOPLE),
    table("audit_entry", Local, Tenant("tenant_id"), HISTORY),
    table("tenant_permission", Reference, Of("tenant_id", "tenant"), OF_TENANT),
    table("tenant_group_member", Reference, Of("tenant_id", "tenant"), OF_TENANT),
    table("tenant_group", Reference, Platform, ""),
    table("tenant", Reference, Tenant("id"), "the tenant themselves"),
    table("category_image", Reference, Platform, ""),
    table("category", Reference, Platform, ""),
    table("article_image", Reference, Platform, ""),
    table("article_other_number", Reference, Platform, ""),
    table("article", Reference, Platform, "triggers keep SQLite's full-text index; PostgreSQL has none"),
    table("article_type_attribute", Reference, Platform, ""),
    table("article_type", Reference, Platform, ""),
    table("article_type_group", Reference, Platform, ""),
    table("attribute_option", Reference, Platform, ""),
    table("attribute", Reference, Platform, ""),
    table("trade_dimension_cluster", Reference, Platform, LONG_NAME),
    table("trade_dimension", Reference, Platform, ""),
    table("material", Reference, Platform, ""),
    table("processing", Reference, Platform, ""),
    table("password_reset_request", Local, Platform, ""),
    table("sign_in_failure", Local, Platform, ""),
    table("revoked_token", Local, Platform, ""),
    table("kept_version", Local, Platform, ""),
    table("server_key", Local, Platform, ""),
    table("background_job", Local, Platform, ""),
    table("server_process", Local, Platform, ""),
    table("process_notice", Local, Platform, ""),
];

const LONG_NAME: &str = "names that are older than the rule are renamed when the table moves";
