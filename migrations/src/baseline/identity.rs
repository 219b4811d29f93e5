//! Roles, users and their views; sessions, tokens, links, and whatever keeps accounts safe.

use sea_orm_migration::prelude::*;

use crate::column::{
    boolean, create_table, execute, folded, index, integer, json, optional_integer, optional_text,
    optional_time, part_of, permissions_of, record, records, reference, text, text_key, time,
};

pub(super) const TABLES: &[&str] = &[
    "kept_version",
    "server_key",
    "role",
    "role_permission",
    "user",
    "user_permission",
    "user_role",
    "session",
    "sign_in_failure",
    "sign_in_place",
    "one_time_link",
    "password_reset_request",
    "email_change",
    "personal_access_token",
    "revoked_token",
    "idempotency",
    "saved_view",
    "default_view",
];

pub(super) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    create_shared(manager).await?;
    create_roles(manager).await?;
    create_users(manager).await?;
    create_sessions(manager).await?;
    create_links(manager).await?;
    create_tokens(manager).await?;
    create_views(manager).await
}

/// Creates what all processes of the server share.
async fn create_shared(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // One row for each kind of rows that are compiled and cached in memory. It grows with every change of them.
    let versions =
        Table::create().table("kept_version").col(text_key("topic")).col(integer("version")).take();
    create_table(manager, &versions, []).await?;
    let first = "INSERT INTO kept_version (topic, version) VALUES ('rights', 1), ('catalogue', 1)";
    execute(manager, &[first]).await?;
    let keys = Table::create().table("server_key").col(text_key("purpose")).col(text("key")).take();
    create_table(manager, &keys, []).await
}

async fn create_roles(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // Of a tenant, or of the platform.
    let mut role = records("role")
        .col(optional_integer("tenant_id"))
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .foreign_key(&mut reference("role", "tenant_id", "tenant"))
        .take();
    let indexes = [index("role", &["name_fold", "id"], false), index("role", &["updated_at", "id"], false)];
    create_table(manager, record(&mut role), indexes).await?;
    // Roles of different tenants may have the same name.
    let names =
        "CREATE UNIQUE INDEX role_tenant_id_name_fold_key ON role (coalesce(tenant_id, 0), name_fold)";
    execute(manager, &[names]).await?;
    create_table(manager, &permissions_of("role_permission", "role_id", "role"), []).await
}

async fn create_users(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let status =
        ["NotInvited", "InvitationQueued", "InvitationPending", "InvitationExpired", "Verified", "Disabled"];
    let notices = Expr::col("import_notices").is_in(["never", "problems", "always"]);
    let mut user = records("user")
        .col(optional_integer("tenant_id"))
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .col(text("email"))
        // Lists are searched by the folded address, in which umlauts do not count. Accounts are distinguished
        // by the key.
        .col(folded(manager, "email_fold"))
        .col(folded(manager, "email_key").default("").take())
        .col(optional_text("password_hash"))
        .col(text("status").check(Expr::col("status").is_in(status)).take())
        // True if permissions of their own take the place of those of the roles.
        .col(boolean("narrowed"))
        .col(optional_text("language"))
        .col(text("import_notices").default("never").check(notices).take())
        .foreign_key(&mut reference("user", "tenant_id", "tenant"))
        .take();
    let indexes = [
        index("user", &["email_key"], true),
        index("user", &["email_fold", "id"], false),
        index("user", &["name_fold", "id"], false),
        index("user", &["tenant_id", "name_fold", "id"], false),
        index("user", &["updated_at", "id"], false),
    ];
    create_table(manager, record(&mut user), indexes).await?;
    let expired =
        "CREATE INDEX user_invitation_expired_index ON \"user\" (id) WHERE status = 'InvitationExpired'";
    execute(manager, &[expired]).await?;
    create_table(manager, &permissions_of("user_permission", "user_id", "user"), []).await?;
    let role = Table::create()
        .table("user_role")
        .col(integer("user_id"))
        .col(integer("role_id"))
        .primary_key(Index::create().col("user_id").col("role_id"))
        .foreign_key(&mut part_of("user_role", "user_id", "user"))
        .foreign_key(&mut reference("user_role", "role_id", "role"))
        .take();
    create_table(manager, &role, [index("user_role", &["role_id"], false)]).await
}

async fn create_sessions(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let session = records("session")
        .col(integer("user_id"))
        .col(text("token_hash"))
        .col(optional_text("user_agent"))
        .col(time("created_at"))
        .col(time("last_used_at"))
        .col(time("expires_at"))
        .foreign_key(&mut part_of("session", "user_id", "user"))
        .take();
    let indexes = [
        index("session", &["token_hash"], true),
        index("session", &["user_id", "last_used_at"], false),
        index("session", &["expires_at"], false),
    ];
    create_table(manager, &session, indexes).await?;
    let failure = Table::create()
        .table("sign_in_failure")
        .col(text_key("source"))
        .col(integer("failures"))
        // Sign-ins whose password is still being checked.
        .col(integer("pending").default(0).take())
        .col(time("last_at"))
        .col(time("blocked_until"))
        .take();
    create_table(manager, &failure, [index("sign_in_failure", &["last_at"], false)]).await?;
    // Hashes of places that a user has signed in from: failures of others do not block these.
    let place = Table::create()
        .table("sign_in_place")
        .col(text_key("place"))
        .col(integer("user_id"))
        .col(time("last_at"))
        .foreign_key(&mut part_of("sign_in_place", "user_id", "user"))
        .take();
    let indexes = [index("sign_in_place", &["user_id"], false), index("sign_in_place", &["last_at"], false)];
    create_table(manager, &place, indexes).await
}

async fn create_links(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let link = records("one_time_link")
        .col(integer("user_id"))
        .col(text("purpose"))
        .col(optional_text("public_id"))
        .col(text("token_hash"))
        .col(optional_text("bound_to"))
        .col(time("created_at"))
        .col(time("expires_at"))
        .col(optional_time("used_at"))
        .foreign_key(&mut part_of("one_time_link", "user_id", "user"))
        .take();
    let indexes = [
        index("one_time_link", &["public_id"], true),
        index("one_time_link", &["token_hash"], true),
        index("one_time_link", &["user_id"], false),
    ];
    create_table(manager, &link, indexes).await?;
    let request = records("password_reset_request")
        .col(text("source"))
        .col(optional_text("email_fold"))
        .col(time("created_at"))
        .take();
    create_table(manager, &request, [index("password_reset_request", &["source", "created_at"], false)])
        .await?;
    // The owner of the former address can undo the change for some days.
    let change = records("email_change")
        .col(integer("user_id"))
        .col(text("former_email"))
        .col(text("new_email"))
        .col(optional_integer("changed_by"))
        .col(text("public_id"))
        .col(text("token_hash"))
        .col(time("created_at"))
        .col(time("expires_at"))
        .col(optional_time("undone_at"))
        .foreign_key(&mut part_of("email_change", "user_id", "user"))
        .take();
    let indexes = [
        index("email_change", &["public_id"], true),
        index("email_change", &["token_hash"], true),
        index("email_change", &["user_id", "created_at"], false),
    ];
    create_table(manager, &change, indexes).await
}

async fn create_tokens(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    const TOKEN: &str = "personal_access_token";
    let mut token = records(TOKEN)
        .col(integer("user_id"))
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        // Names with spaces between them.
        .col(text("abilities").check(Expr::col("abilities").ne("")).take())
        .col(text("token_hash"))
        // The part of the token by which its owner tells it from others.
        .col(text("prefix"))
        .col(text("last_four"))
        .col(time("expires_at"))
        .col(optional_time("last_used_at"))
        .col(optional_text("last_used_address"))
        // The time at which its owner was reminded that it expires.
        .col(optional_time("reminded_at"))
        // The time since which another token has its name; this one still works for a while.
        .col(optional_time("replaced_at"))
        .foreign_key(&mut part_of(TOKEN, "user_id", "user"))
        .take();
    let indexes = [
        index(TOKEN, &["token_hash"], true),
        index(TOKEN, &["user_id"], false),
        index(TOKEN, &["name_fold", "id"], false),
        index(TOKEN, &["created_at", "id"], false),
        index(TOKEN, &["expires_at", "id"], false),
        index(TOKEN, &["last_used_at", "id"], false),
    ];
    create_table(manager, record(&mut token), indexes).await?;
    let names = "CREATE UNIQUE INDEX personal_access_token_user_id_name_fold_key \
        ON personal_access_token (user_id, name_fold) WHERE replaced_at IS NULL";
    execute(manager, &[names]).await?;
    // Calls with a revoked token are answered with this reason.
    let revoked =
        Table::create().table("revoked_token").col(text_key("token_hash")).col(time("expires_at")).take();
    create_table(manager, &revoked, [index("revoked_token", &["expires_at"], false)]).await?;
    // The answers to calls that programs may repeat, for a day.
    let answer = Table::create()
        .table("idempotency")
        .col(integer("user_id"))
        .col(text("key"))
        .col(text("fingerprint"))
        .col(text("answer"))
        .col(time("created_at"))
        .primary_key(Index::create().col("user_id").col("key"))
        .foreign_key(&mut part_of("idempotency", "user_id", "user"))
        .take();
    create_table(manager, &answer, [index("idempotency", &["created_at"], false)]).await
}

async fn create_views(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // The tenant is that of the user.
    let mut view = records("saved_view")
        .col(integer("user_id"))
        .col(optional_integer("tenant_id"))
        .col(text("list"))
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .col(boolean("shared"))
        .col(json("state"))
        .foreign_key(&mut part_of("saved_view", "user_id", "user"))
        .foreign_key(&mut reference("saved_view", "tenant_id", "tenant"))
        .take();
    let indexes = [
        index("saved_view", &["user_id", "list", "name_fold"], true),
        index("saved_view", &["list", "shared"], false),
        index("saved_view", &["tenant_id"], false),
    ];
    create_table(manager, record(&mut view), indexes).await?;
    let default = Table::create()
        .table("default_view")
        .col(integer("user_id"))
        .col(text("list"))
        .col(integer("view_id"))
        .primary_key(Index::create().col("user_id").col("list"))
        .foreign_key(&mut part_of("default_view", "user_id", "user"))
        .foreign_key(&mut part_of("default_view", "view_id", "saved_view"))
        .take();
    create_table(manager, &default, [index("default_view", &["view_id"], false)]).await
}
