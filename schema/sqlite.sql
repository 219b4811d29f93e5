-- The schema of SQLite, generated from the migrations: crates/stalhof/tests/it/schema_files.rs.

CREATE TABLE "article" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "article_type_id" integer NOT NULL,
    "material_id" integer NULL,
    "article_number" text NOT NULL,
    "article_number_fold" text NOT NULL,
    "article_number_sort" text NOT NULL,
    "article_number_overridden" boolean NOT NULL,
    "article_name" text NOT NULL,
    "article_name_fold" text NOT NULL,
    "article_name_sort" text NOT NULL,
    "article_name_overridden" boolean NOT NULL,
    "attribute_values" jsonb_text NOT NULL,
    "weight_per_base_unit" integer NULL CHECK ("weight_per_base_unit" > 0),
    "weight_per_base_unit_overridden" boolean NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    "change" integer NULL,
    FOREIGN KEY ("article_type_id") REFERENCES "article_type" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("material_id") REFERENCES "material" ("id") ON DELETE RESTRICT
);
CREATE UNIQUE INDEX "article_article_number_fold_key" ON "article" ("article_number_fold");
CREATE INDEX article_change_id_index ON article (change, id);
CREATE INDEX "article_name_fold_index" ON "article" ("article_name_fold", "id");
CREATE INDEX "article_name_sort_index" ON "article" ("article_name_sort", "id", "article_name_fold", "article_number_fold", "weight_per_base_unit");
CREATE INDEX "article_number_sort_index" ON "article" ("article_number_sort", "id", "article_number_fold", "article_name_fold", "weight_per_base_unit");
CREATE INDEX "article_of_material_number_sort_index" ON "article" ("material_id", "article_number_sort", "id");
CREATE INDEX "article_of_type_and_material_number_sort_index" ON "article" ("article_type_id", "material_id", "article_number_sort", "id");
CREATE INDEX "article_of_type_name_sort_index" ON "article" ("article_type_id", "article_name_sort", "id");
CREATE INDEX "article_of_type_number_sort_index" ON "article" ("article_type_id", "article_number_sort", "id");
CREATE INDEX article_updated_at_index ON article (updated_at);
CREATE INDEX article_weight_per_base_unit_index ON article (weight_per_base_unit);
CREATE TRIGGER article_trigram_delete AFTER DELETE ON article BEGIN INSERT INTO article_trigram(article_trigram, rowid, article_number_fold, article_name_fold) VALUES ('delete', old.id, old.article_number_fold, old.article_name_fold); END;
CREATE TRIGGER article_trigram_insert AFTER INSERT ON article BEGIN INSERT INTO article_trigram(rowid, article_number_fold, article_name_fold) VALUES (new.id, new.article_number_fold, new.article_name_fold); END;
CREATE TRIGGER article_trigram_update AFTER UPDATE OF article_number_fold, article_name_fold ON article WHEN old.article_number_fold <> new.article_number_fold OR old.article_name_fold <> new.article_name_fold BEGIN INSERT INTO article_trigram(article_trigram, rowid, article_number_fold, article_name_fold) VALUES ('delete', old.id, old.article_number_fold, old.article_name_fold); INSERT INTO article_trigram(rowid, article_number_fold, article_name_fold) VALUES (new.id, new.article_number_fold, new.article_name_fold); END;

CREATE TABLE "article_image" (
    "article_id" integer NOT NULL,
    "sha256" text NOT NULL,
    "width" integer NOT NULL,
    "height" integer NOT NULL,
    "key" text NOT NULL,
    "media_type" text NOT NULL,
    "thumbnail_key" text NOT NULL,
    "thumbnail_media_type" text NOT NULL,
    PRIMARY KEY ("article_id"),
    FOREIGN KEY ("article_id") REFERENCES "article" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "article_image_key_key" ON "article_image" ("key");
CREATE UNIQUE INDEX "article_image_thumbnail_key_key" ON "article_image" ("thumbnail_key");

CREATE TABLE "article_other_number" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "article_id" integer NOT NULL,
    "kind" text NOT NULL CHECK ("kind" IN ('former', 'gtin', 'drawing', 'free')),
    "number" text NOT NULL,
    "number_fold" text NOT NULL,
    FOREIGN KEY ("article_id") REFERENCES "article" ("id") ON DELETE CASCADE
);
CREATE INDEX "article_other_number_article_id_index" ON "article_other_number" ("article_id");
CREATE UNIQUE INDEX "article_other_number_kind_number_fold_key" ON "article_other_number" ("kind", "number_fold");
CREATE INDEX "article_other_number_number_fold_article_id_index" ON "article_other_number" ("number_fold", "article_id");

CREATE VIRTUAL TABLE article_trigram USING fts5 (
    article_number_fold,
    article_name_fold,
    content='article',
    content_rowid='id',
    tokenize='trigram case_sensitive 1',
    detail='column'
);

CREATE TABLE "article_type" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "article_type_group_id" integer NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "name_sort" text NOT NULL,
    "article_number_template" text NOT NULL,
    "article_name_template" text NOT NULL,
    "base_unit_of_measure" text NOT NULL,
    "listing_unit_of_measure" text NOT NULL,
    "price_unit_of_measure" text NOT NULL,
    "section" text NULL,
    "trade_dimension_id" integer NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("article_type_group_id") REFERENCES "article_type_group" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("trade_dimension_id") REFERENCES "trade_dimension" ("id") ON DELETE RESTRICT
);
CREATE INDEX "article_type_group_name_sort_index" ON "article_type" ("article_type_group_id", "name_sort", "id");
CREATE UNIQUE INDEX "article_type_name_fold_key" ON "article_type" ("name_fold");
CREATE INDEX "article_type_name_sort_index" ON "article_type" ("name_sort", "id");
CREATE INDEX "article_type_trade_dimension_name_sort_index" ON "article_type" ("trade_dimension_id", "name_sort", "id");

CREATE TABLE "article_type_attribute" (
    "article_type_id" integer NOT NULL,
    "attribute_id" integer NOT NULL,
    "position" integer NOT NULL,
    "primary" boolean NOT NULL,
    "dimension" text NULL,
    PRIMARY KEY ("article_type_id", "attribute_id"),
    FOREIGN KEY ("article_type_id") REFERENCES "article_type" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("attribute_id") REFERENCES "attribute" ("id") ON DELETE RESTRICT
);
CREATE UNIQUE INDEX "article_type_attribute_article_type_id_dimension_key" ON "article_type_attribute" ("article_type_id", "dimension");
CREATE INDEX "article_type_attribute_attribute_id_index" ON "article_type_attribute" ("attribute_id");

CREATE TABLE "article_type_group" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "description" text NULL,
    "description_fold" text NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL
);
CREATE INDEX "article_type_group_description_fold_id_index" ON "article_type_group" ("description_fold", "id");
CREATE UNIQUE INDEX "article_type_group_name_fold_key" ON "article_type_group" ("name_fold");
CREATE INDEX "article_type_group_updated_at_id_index" ON "article_type_group" ("updated_at", "id");

CREATE TABLE "attribute" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "placeholder" text NOT NULL,
    "type" text NOT NULL CHECK ("type" IN ('categorial', 'metric', 'custom')),
    "primary" boolean NOT NULL,
    "position" integer NOT NULL,
    "unit_category" text NULL,
    "default_unit" text NULL,
    "weight_per_base_unit" integer NULL CHECK ("weight_per_base_unit" > 0),
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    CHECK (("type" = 'metric' AND "unit_category" IS NOT NULL AND "default_unit" IS NOT NULL) OR ("type" <> 'metric' AND "unit_category" IS NULL AND "default_unit" IS NULL))
);
CREATE UNIQUE INDEX "attribute_name_fold_key" ON "attribute" ("name_fold");
CREATE UNIQUE INDEX "attribute_placeholder_key" ON "attribute" ("placeholder");
CREATE INDEX "attribute_position_id_index" ON "attribute" ("position", "id");
CREATE UNIQUE INDEX "attribute_position_key" ON "attribute" ("position");

CREATE TABLE "attribute_option" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "attribute_id" integer NOT NULL,
    "position" integer NOT NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "value" text NOT NULL,
    "value_fold" text NOT NULL,
    "display_value" text NULL,
    "weight_per_base_unit" integer NULL CHECK ("weight_per_base_unit" > 0),
    FOREIGN KEY ("attribute_id") REFERENCES "attribute" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "attribute_option_attribute_id_name_fold_key" ON "attribute_option" ("attribute_id", "name_fold");
CREATE UNIQUE INDEX "attribute_option_attribute_id_value_fold_key" ON "attribute_option" ("attribute_id", "value_fold");

CREATE TABLE "audit_entry" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" timestamp_with_timezone_text NOT NULL,
    "action" text NOT NULL,
    "record" text NOT NULL,
    "record_id" integer NULL,
    "record_name" text NOT NULL,
    "tenant_id" integer NULL,
    "user_id" integer NULL,
    "channel" text NOT NULL,
    "channel_id" integer NULL,
    "address" text NOT NULL,
    "request" text NOT NULL DEFAULT '',
    "undoes" integer NULL,
    "changes" jsonb_text NOT NULL
);
CREATE INDEX audit_entry_action_at_index ON audit_entry (action, at);
CREATE INDEX audit_entry_address_index ON audit_entry (at) WHERE address <> '';
CREATE INDEX audit_entry_at_index ON audit_entry (at);
CREATE INDEX audit_entry_deleted_index ON audit_entry (record, record_name) WHERE action = 'deleted';
CREATE INDEX audit_entry_record_record_id_at_index ON audit_entry (record, record_id, at);
CREATE INDEX audit_entry_tenant_id_at_index ON audit_entry (tenant_id, at);
CREATE INDEX audit_entry_undoes_index ON audit_entry (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX audit_entry_user_id_at_index ON audit_entry (user_id, at);

CREATE TABLE "background_job" (
    "name" text NOT NULL PRIMARY KEY,
    "due_at" timestamp_with_timezone_text NOT NULL,
    "lease_owner" text NULL,
    "lease_until" timestamp_with_timezone_text NULL,
    "fence" integer NOT NULL,
    "started_at" timestamp_with_timezone_text NULL,
    "finished_at" timestamp_with_timezone_text NULL,
    "failed_at" timestamp_with_timezone_text NULL,
    "failure" text NULL,
    "failures_in_row" integer NOT NULL,
    "runs" integer NOT NULL,
    "failed_runs" integer NOT NULL,
    CHECK ((lease_owner IS NULL) = (lease_until IS NULL)),
    CHECK ((failed_at IS NULL) = (failure IS NULL))
);

CREATE TABLE "category" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "parent_id" integer NULL,
    "position" integer NOT NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "name_sort" text NOT NULL,
    "display_name" text NULL,
    "display_name_fold" text NOT NULL,
    "display_name_sort" text NOT NULL,
    "article_type_id" integer NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("parent_id") REFERENCES "category" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("article_type_id") REFERENCES "article_type" ("id") ON DELETE RESTRICT,
    CHECK ("parent_id" <> "id")
);
CREATE INDEX "category_article_type_name_sort_index" ON "category" ("article_type_id", "name_sort", "id");
CREATE INDEX "category_display_name_sort_index" ON "category" ("display_name_sort", "id");
CREATE UNIQUE INDEX category_name_fold_key ON category (name_fold) WHERE parent_id IS NULL;
CREATE INDEX "category_name_sort_index" ON "category" ("name_sort", "id");
CREATE UNIQUE INDEX category_parent_id_name_fold_key ON category (parent_id, name_fold) WHERE parent_id IS NOT NULL;
CREATE INDEX "category_parent_id_position_id_index" ON "category" ("parent_id", "position", "id");
CREATE UNIQUE INDEX category_parent_id_position_key ON category (coalesce(parent_id, 0), position);
CREATE INDEX "category_parent_name_sort_index" ON "category" ("parent_id", "name_sort", "id");
CREATE INDEX "category_updated_at_id_index" ON "category" ("updated_at", "id");

CREATE TABLE "category_image" (
    "category_id" integer NOT NULL,
    "kind" text NOT NULL CHECK ("kind" IN ('category', 'article_type')),
    "sha256" text NOT NULL,
    "width" integer NOT NULL,
    "height" integer NOT NULL,
    "key" text NOT NULL,
    "media_type" text NOT NULL,
    "thumbnail_key" text NOT NULL,
    "thumbnail_media_type" text NOT NULL,
    PRIMARY KEY ("category_id", "kind"),
    FOREIGN KEY ("category_id") REFERENCES "category" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "category_image_key_key" ON "category_image" ("key");
CREATE UNIQUE INDEX "category_image_thumbnail_key_key" ON "category_image" ("thumbnail_key");

CREATE TABLE "change_counter" (
    record_table text NOT NULL,
    tenant_id integer NOT NULL,
    part integer NOT NULL,
    last integer NOT NULL,
    forgotten integer NOT NULL,
    PRIMARY KEY (tenant_id, record_table, part)
);

CREATE TABLE "closure" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "warehouse_id" integer NULL,
    "warehouse_key" integer NOT NULL,
    "date" date_text NOT NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("tenant_id", "warehouse_id") REFERENCES "warehouse" ("tenant_id", "id") ON DELETE CASCADE,
    CHECK (warehouse_key = coalesce(warehouse_id, 0))
);
CREATE INDEX "closure_tenant_id_date_id_index" ON "closure" ("tenant_id", "date", "id");
CREATE UNIQUE INDEX "closure_tenant_id_id_key" ON "closure" ("tenant_id", "id");
CREATE INDEX "closure_tenant_id_updated_at_id_index" ON "closure" ("tenant_id", "updated_at", "id");
CREATE INDEX "closure_tenant_id_warehouse_id_index" ON "closure" ("tenant_id", "warehouse_id");
CREATE UNIQUE INDEX "closure_tenant_id_warehouse_key_date_key" ON "closure" ("tenant_id", "warehouse_key", "date");
CREATE INDEX "closure_updated_at_id_index" ON "closure" ("updated_at", "id");

CREATE TABLE "default_view" (
    "user_id" integer NOT NULL,
    "list" text NOT NULL,
    "view_id" integer NOT NULL,
    PRIMARY KEY ("user_id", "list"),
    FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("view_id") REFERENCES "saved_view" ("id") ON DELETE CASCADE
);
CREATE INDEX "default_view_view_id_index" ON "default_view" ("view_id");

CREATE TABLE "deleted_record" (
    record_table text NOT NULL,
    tenant_id integer NOT NULL,
    part integer NOT NULL,
    record_id integer NOT NULL,
    name text NOT NULL,
    change integer,
    deleted_at timestamp_with_timezone_text NOT NULL,
    PRIMARY KEY (tenant_id, record_table, part, record_id)
);
CREATE INDEX deleted_record_deleted_at_index ON deleted_record (deleted_at);
CREATE INDEX deleted_record_tenant_id_record_table_part_change_index ON deleted_record (tenant_id, record_table, part, change);

CREATE TABLE "email_change" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "user_id" integer NOT NULL,
    "former_email" text NOT NULL,
    "new_email" text NOT NULL,
    "changed_by" integer NULL,
    "public_id" text NOT NULL,
    "token_hash" text NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "expires_at" timestamp_with_timezone_text NOT NULL,
    "undone_at" timestamp_with_timezone_text NULL,
    FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "email_change_public_id_key" ON "email_change" ("public_id");
CREATE UNIQUE INDEX "email_change_token_hash_key" ON "email_change" ("token_hash");
CREATE INDEX "email_change_user_id_created_at_index" ON "email_change" ("user_id", "created_at");

CREATE TABLE "external_api" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "kind" text NOT NULL,
    "base_url" text NOT NULL,
    "authentication" text NOT NULL,
    "username" text NULL,
    "header_name" text NULL,
    "token_url" text NULL,
    "scope" text NULL,
    "secret_sealed" text NULL,
    "secret_set_at" timestamp_with_timezone_text NULL,
    "ca_certificate" text NULL,
    "timeout_ms" integer NOT NULL,
    "cache_seconds" integer NOT NULL,
    "active" boolean NOT NULL,
    "availability" jsonb_text NULL,
    "meta_data" jsonb_text NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    "schedule" jsonb_text NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    CHECK (kind IN ('generic_json')),
    CHECK (authentication IN ('none', 'basic', 'bearer', 'header', 'oauth2')),
    CHECK (secret_sealed IS NULL OR secret_set_at IS NOT NULL),
    CHECK (timeout_ms BETWEEN 500 AND 10000),
    CHECK (cache_seconds BETWEEN 0 AND 86400)
);
CREATE UNIQUE INDEX "external_api_tenant_id_id_key" ON "external_api" ("tenant_id", "id");
CREATE UNIQUE INDEX "external_api_tenant_id_kind_key" ON "external_api" ("tenant_id", "kind");
CREATE INDEX "external_api_tenant_id_updated_at_id_index" ON "external_api" ("tenant_id", "updated_at", "id");
CREATE INDEX "external_api_updated_at_id_index" ON "external_api" ("updated_at", "id");

CREATE TABLE "external_api_call" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "api_id" integer NOT NULL,
    "purpose" text NOT NULL,
    "method" text NOT NULL,
    "path" text NOT NULL,
    "status" integer NULL,
    "duration_ms" integer NOT NULL,
    "lines" integer NOT NULL,
    "failure" text NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    CHECK (purpose IN ('availability', 'meta_data', 'test'))
);
CREATE INDEX "external_api_call_tenant_id_api_id_id_index" ON "external_api_call" ("tenant_id", "api_id", "id");
CREATE UNIQUE INDEX "external_api_call_tenant_id_id_key" ON "external_api_call" ("tenant_id", "id");
CREATE INDEX "external_api_call_updated_at_id_index" ON "external_api_call" ("updated_at", "id");

CREATE TABLE "external_api_state" (
    "api_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "failures_in_row" integer NOT NULL,
    "open_until" timestamp_with_timezone_text NULL,
    "probe_until" timestamp_with_timezone_text NULL,
    "last_success_at" timestamp_with_timezone_text NULL,
    "last_failure_at" timestamp_with_timezone_text NULL,
    "last_failure" text NULL,
    "fetched_at" timestamp_with_timezone_text NULL,
    "fetch_due_at" timestamp_with_timezone_text NULL,
    "fetch_outcome" text NULL CHECK (fetch_outcome IN ('imported', 'unchanged', 'failed')),
    "fetch_failure" text NULL CHECK ((fetch_failure IS NOT NULL) = (fetch_outcome IS NOT NULL AND fetch_outcome = 'failed')),
    "fetch_import_id" integer NULL,
    "list_tags" jsonb_text NULL,
    PRIMARY KEY ("tenant_id", "api_id"),
    FOREIGN KEY ("tenant_id", "api_id") REFERENCES "external_api" ("tenant_id", "id") ON DELETE CASCADE
);

CREATE TABLE "external_quantity" (
    "stock_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "quantity" integer NULL,
    "as_of" timestamp_with_timezone_text NULL,
    "claimed_until" timestamp_with_timezone_text NULL,
    "failed_at" timestamp_with_timezone_text NULL,
    "failure" text NULL,
    PRIMARY KEY ("tenant_id", "stock_id"),
    FOREIGN KEY ("tenant_id", "stock_id") REFERENCES "stock" ("tenant_id", "id") ON DELETE CASCADE,
    CHECK ((as_of IS NULL) = (quantity IS NULL))
);

CREATE TABLE "feed_file" (
    "settings_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "kind" text NOT NULL,
    "file_name" text NOT NULL,
    "sha256" text NOT NULL,
    "bytes" integer NULL,
    "modified_at" timestamp_with_timezone_text NULL,
    "import_id" integer NOT NULL,
    "taken_at" timestamp_with_timezone_text NOT NULL,
    "seen_at" timestamp_with_timezone_text NOT NULL,
    "is_handled" boolean NOT NULL,
    PRIMARY KEY ("tenant_id", "settings_id", "kind", "file_name", "sha256"),
    CHECK (kind IN ('price', 'stock'))
);

CREATE TABLE "feed_incident" (
    "settings_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "kind" text NOT NULL,
    "light" text NOT NULL,
    "began_at" timestamp_with_timezone_text NOT NULL,
    PRIMARY KEY ("tenant_id", "settings_id", "kind"),
    CHECK (kind IN ('price', 'stock')),
    CHECK (light IN ('broken', 'late'))
);

CREATE TABLE "feed_run" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "settings_id" integer NOT NULL,
    "kind" text NOT NULL,
    "cause" text NOT NULL,
    "asked_by" integer NULL,
    "started_at" timestamp_with_timezone_text NULL,
    "finished_at" timestamp_with_timezone_text NULL,
    "outcome" text NULL,
    "failure" text NULL,
    "answer" text NULL,
    "file_name" text NULL,
    "bytes" integer NULL,
    "sha256" text NULL,
    "import_id" integer NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    CHECK (kind IN ('price', 'stock')),
    CHECK (cause IN ('schedule', 'by_hand', 'again')),
    CHECK (outcome IN ('imported', 'nothing_new', 'waiting', 'failed')),
    CHECK ((finished_at IS NULL) = (outcome IS NULL)),
    CHECK (failure IS NULL OR outcome IN ('waiting', 'failed'))
);
CREATE UNIQUE INDEX "feed_run_tenant_id_id_key" ON "feed_run" ("tenant_id", "id");
CREATE INDEX "feed_run_tenant_id_settings_id_id_index" ON "feed_run" ("tenant_id", "settings_id", "id");
CREATE INDEX "feed_run_updated_at_id_index" ON "feed_run" ("updated_at", "id");

CREATE TABLE "ftp_settings" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "protocol" text NOT NULL,
    "host" text NOT NULL,
    "port" integer NOT NULL,
    "username" text NOT NULL,
    "password_sealed" text NULL,
    "password_set_at" timestamp_with_timezone_text NULL,
    "private_key_sealed" text NULL,
    "private_key_set_at" timestamp_with_timezone_text NULL,
    "host_key" text NULL,
    "ca_certificate" text NULL,
    "base_path" text NULL,
    "price_file" jsonb_text NOT NULL,
    "price_profile_id" integer NULL,
    "stock_file" jsonb_text NOT NULL,
    "stock_profile_id" integer NULL,
    "schedules" jsonb_text NOT NULL,
    "after_reading" text NOT NULL,
    "processed_folder" text NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    "private_key_passphrase_sealed" text NULL CHECK (private_key_passphrase_sealed IS NULL OR private_key_sealed IS NOT NULL),
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("tenant_id", "price_profile_id") REFERENCES "import_profile" ("tenant_id", "id") ON DELETE RESTRICT,
    FOREIGN KEY ("tenant_id", "stock_profile_id") REFERENCES "import_profile" ("tenant_id", "id") ON DELETE RESTRICT,
    CHECK (protocol IN ('ftp', 'ftps', 'sftp')),
    CHECK (port BETWEEN 1 AND 65535),
    CHECK (password_sealed IS NULL OR password_set_at IS NOT NULL),
    CHECK (private_key_sealed IS NULL OR private_key_set_at IS NOT NULL),
    CHECK (host_key IS NULL OR protocol = 'sftp'),
    CHECK (ca_certificate IS NULL OR protocol = 'ftps'),
    CHECK (after_reading IN ('leave', 'move', 'delete')),
    CHECK (processed_folder IS NOT NULL OR after_reading <> 'move')
);
CREATE UNIQUE INDEX "ftp_settings_tenant_id_id_key" ON "ftp_settings" ("tenant_id", "id");
CREATE UNIQUE INDEX "ftp_settings_tenant_id_key" ON "ftp_settings" ("tenant_id");
CREATE INDEX "ftp_settings_tenant_id_price_profile_id_index" ON "ftp_settings" ("tenant_id", "price_profile_id");
CREATE INDEX "ftp_settings_tenant_id_stock_profile_id_index" ON "ftp_settings" ("tenant_id", "stock_profile_id");
CREATE INDEX "ftp_settings_tenant_id_updated_at_id_index" ON "ftp_settings" ("tenant_id", "updated_at", "id");
CREATE INDEX "ftp_settings_updated_at_id_index" ON "ftp_settings" ("updated_at", "id");

CREATE TABLE "held_price" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "name" text NOT NULL,
    "stock_id" integer NOT NULL,
    "created_by" integer NOT NULL DEFAULT 0,
    "wanted" jsonb_text NOT NULL,
    "mended" jsonb_text NULL,
    "suspicions" jsonb_text NOT NULL,
    "import_id" integer NULL,
    "line" integer NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("tenant_id", "stock_id") REFERENCES "stock" ("tenant_id", "id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "held_price_tenant_id_id_key" ON "held_price" ("tenant_id", "id");
CREATE INDEX "held_price_tenant_id_import_id_id_index" ON "held_price" ("tenant_id", "import_id", "id");
CREATE UNIQUE INDEX "held_price_tenant_id_stock_id_created_by_key" ON "held_price" ("tenant_id", "stock_id", "created_by");
CREATE INDEX "held_price_tenant_id_stock_id_index" ON "held_price" ("tenant_id", "stock_id");
CREATE INDEX "held_price_tenant_id_updated_at_id_index" ON "held_price" ("tenant_id", "updated_at", "id");
CREATE INDEX "held_price_updated_at_id_index" ON "held_price" ("updated_at", "id");

CREATE TABLE "idempotency" (
    "user_id" integer NOT NULL,
    "key" text NOT NULL,
    "fingerprint" text NOT NULL,
    "answer" text NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "status" integer NOT NULL DEFAULT 200,
    "location" text NULL,
    PRIMARY KEY ("user_id", "key"),
    FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE CASCADE
);
CREATE INDEX "idempotency_created_at_index" ON "idempotency" ("created_at");

CREATE TABLE "import" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "created_by" integer NULL,
    "name" text NULL,
    "name_fold" text NOT NULL,
    "type" text NOT NULL CHECK ("type" IN ('Listing', 'Price', 'PriceList', 'Stock', 'Article', 'Matching', 'DeleteMatchings', 'ExternalApiMetaData', 'ShippingNode', 'ShippingLeg')),
    "status" text NOT NULL CHECK ("status" IN ('Queued', 'InProgress', 'Success', 'PartialSuccess', 'Failed', 'Cancelled')),
    "status_message" text NULL,
    "dry_run" boolean NOT NULL,
    "language" text NOT NULL,
    "upload_file" text NOT NULL,
    "upload_key" text NOT NULL,
    "upload_size" integer NOT NULL,
    "sha256" text NOT NULL,
    "identical_to" integer NULL,
    "price_list_id" integer NULL,
    "replays" integer NULL,
    "undoes" integer NULL,
    "applies" integer NULL,
    "mapping" jsonb_text NULL,
    "header_key" text NULL,
    "number_style" text NULL,
    "skip_hidden_rows" boolean NOT NULL DEFAULT FALSE,
    "rows_hidden" integer NULL,
    "hides_prices" boolean NOT NULL DEFAULT FALSE,
    "strategy" text NOT NULL DEFAULT 'add_and_replace',
    "replace_scope" text NOT NULL DEFAULT 'all',
    "removals_expected" integer NULL,
    "rows_total" integer NULL,
    "rows_done" integer NOT NULL,
    "rows_created" integer NOT NULL,
    "rows_updated" integer NOT NULL,
    "rows_unchanged" integer NOT NULL,
    "rows_refused" integer NOT NULL,
    "rows_held" integer NOT NULL DEFAULT 0,
    "rows_unresolved" integer NOT NULL DEFAULT 0,
    "rows_removed" integer NOT NULL DEFAULT 0,
    "rows_skipped" integer NOT NULL DEFAULT 0,
    "rows_kept" integer NOT NULL DEFAULT 0,
    "started_at" timestamp_with_timezone_text NULL,
    "finished_at" timestamp_with_timezone_text NULL,
    "turn_at" timestamp_with_timezone_text NULL,
    "lease_owner" text NULL,
    "lease_until" timestamp_with_timezone_text NULL,
    "fence" integer NOT NULL,
    "attempt" integer NOT NULL,
    "checkpoint" integer NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    "settings" jsonb_text NULL,
    "header" jsonb_text NULL,
    replay_cause text CHECK (replay_cause IN ('correction', 'request', 'automatic')),
    "search_fold" text NOT NULL DEFAULT '',
    "feed_id" integer NULL CHECK (feed_id IS NULL OR created_by IS NULL),
    "external_api_id" integer NULL CHECK (external_api_id IS NULL OR (created_by IS NULL AND feed_id IS NULL)),
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("created_by") REFERENCES "user" ("id") ON DELETE SET NULL,
    FOREIGN KEY ("identical_to") REFERENCES "import" ("id") ON DELETE SET NULL
);
CREATE INDEX "import_created_by_index" ON "import" ("created_by");
CREATE INDEX import_files_index ON import (finished_at) WHERE upload_key <> '';
CREATE INDEX "import_identical_to_index" ON "import" ("identical_to");
CREATE UNIQUE INDEX import_in_progress_key ON import (tenant_id, type) WHERE status = 'InProgress';
CREATE INDEX import_queued_index ON import (id) WHERE status IN ('Queued', 'InProgress');
CREATE INDEX import_replays_index ON import (replays) WHERE replays IS NOT NULL;
CREATE INDEX "import_tenant_id_applies_index" ON "import" ("tenant_id", "applies");
CREATE INDEX "import_tenant_id_price_list_id_index" ON "import" ("tenant_id", "price_list_id");
CREATE INDEX "import_tenant_id_turn_at_index" ON "import" ("tenant_id", "turn_at");
CREATE INDEX "import_tenant_id_type_header_key_index" ON "import" ("tenant_id", "type", "header_key");
CREATE INDEX "import_tenant_id_type_sha256_index" ON "import" ("tenant_id", "type", "sha256");
CREATE INDEX "import_tenant_id_updated_at_id_index" ON "import" ("tenant_id", "updated_at", "id");
CREATE UNIQUE INDEX import_undoes_key ON import (undoes) WHERE undoes IS NOT NULL AND NOT dry_run AND status NOT IN ('Failed', 'Cancelled');
CREATE INDEX "import_updated_at_id_index" ON "import" ("updated_at", "id");
CREATE INDEX "import_upload_key_index" ON "import" ("upload_key");

CREATE TABLE "import_error" (
    "import_id" integer NOT NULL,
    "line" integer NOT NULL,
    "cells" jsonb_text NOT NULL,
    "messages" jsonb_text NOT NULL,
    PRIMARY KEY ("import_id", "line"),
    FOREIGN KEY ("import_id") REFERENCES "import" ("id") ON DELETE CASCADE
);

CREATE TABLE "import_profile" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "name_sort" text NOT NULL,
    "type" text NOT NULL,
    "settings" jsonb_text NOT NULL,
    "mapping" jsonb_text NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT
);
CREATE UNIQUE INDEX "import_profile_tenant_id_id_key" ON "import_profile" ("tenant_id", "id");
CREATE UNIQUE INDEX "import_profile_tenant_id_name_fold_key" ON "import_profile" ("tenant_id", "name_fold");
CREATE INDEX "import_profile_tenant_id_name_sort_id_index" ON "import_profile" ("tenant_id", "name_sort", "id");
CREATE INDEX "import_profile_tenant_id_updated_at_id_index" ON "import_profile" ("tenant_id", "updated_at", "id");
CREATE INDEX "import_profile_updated_at_id_index" ON "import_profile" ("updated_at", "id");

CREATE TABLE "import_row" (
    "import_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "line" integer NOT NULL,
    "outcome" text NOT NULL,
    "record" text NOT NULL,
    "record_id" integer NULL,
    "record_name" text NOT NULL,
    "before" jsonb_text NULL,
    "after" jsonb_text NULL,
    "warnings" jsonb_text NULL,
    "price_change" integer NULL,
    last_month integer NOT NULL DEFAULT 0,
    packed json_text,
    PRIMARY KEY ("tenant_id", "import_id", "line"),
    CHECK (outcome IN ('created', 'updated', 'unchanged', 'refused', 'held', 'unresolved', 'removed', 'skipped', 'kept'))
);
CREATE INDEX import_row_last_month_index ON import_row (last_month);
CREATE INDEX import_row_record_record_id_import_id_index ON import_row (record, record_id, import_id) WHERE record_id IS NOT NULL;

CREATE TABLE "kept_version" (
    "topic" text NOT NULL PRIMARY KEY,
    "version" integer NOT NULL
);
-- inserted: {"topic":"catalogue","version":1}
-- inserted: {"topic":"rights","version":1}
-- inserted: {"topic":"shipping","version":1}
-- inserted: {"topic":"tenants","version":1}

CREATE TABLE "mail" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "user_id" integer NULL,
    "kind" text NOT NULL,
    "name" text NOT NULL,
    "address" text NOT NULL,
    "language" text NOT NULL,
    "subject" text NOT NULL,
    "text" text NULL,
    "html" text NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "attempts" integer NOT NULL,
    "due_at" timestamp_with_timezone_text NULL,
    "lease_owner" text NULL,
    "lease_until" timestamp_with_timezone_text NULL,
    "sent_at" timestamp_with_timezone_text NULL,
    "failed_at" timestamp_with_timezone_text NULL,
    "error" text NULL,
    FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE CASCADE,
    CHECK ((due_at IS NOT NULL AND sent_at IS NULL AND failed_at IS NULL AND text IS NOT NULL) OR (due_at IS NULL AND (sent_at IS NULL) <> (failed_at IS NULL) AND text IS NULL AND html IS NULL))
);
CREATE INDEX "mail_due_at_id_index" ON "mail" ("due_at", "id");
CREATE INDEX "mail_user_id_kind_created_at_index" ON "mail" ("user_id", "kind", "created_at");

CREATE TABLE "matching" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "name" text NOT NULL,
    "article_id" integer NULL,
    "external_article_number" text NULL,
    "external_article_number_fold" text NOT NULL,
    "external_article_number_sort" text NOT NULL,
    "warehouse_id" integer NULL,
    "external_warehouse_identifier" text NULL,
    "external_warehouse_identifier_fold" text NOT NULL,
    "external_warehouse_identifier_sort" text NOT NULL,
    "external_tenant_identifier" text NULL,
    "external_tenant_identifier_fold" text NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    "change" integer NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("article_id") REFERENCES "article" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("tenant_id", "warehouse_id") REFERENCES "warehouse" ("tenant_id", "id") ON DELETE RESTRICT,
    CHECK ((article_id IS NULL) = (external_article_number IS NULL)),
    CHECK ((warehouse_id IS NULL) = (external_warehouse_identifier IS NULL)),
    CHECK (article_id IS NOT NULL OR warehouse_id IS NOT NULL OR external_tenant_identifier IS NOT NULL)
);
CREATE INDEX "matching_article_id_index" ON "matching" ("article_id");
CREATE INDEX "matching_external_article_number_sort_index" ON "matching" ("tenant_id", "external_article_number_sort", "id");
CREATE UNIQUE INDEX "matching_external_key" ON "matching" ("tenant_id", "external_article_number_fold", "external_warehouse_identifier_fold");
CREATE INDEX matching_external_tenant_index ON matching (tenant_id, external_tenant_identifier_fold) WHERE external_tenant_identifier_fold <> '';
CREATE INDEX "matching_external_warehouse_identifier_sort_index" ON "matching" ("tenant_id", "external_warehouse_identifier_sort", "id");
CREATE INDEX "matching_external_warehouse_index" ON "matching" ("tenant_id", "external_warehouse_identifier_fold", "id");
CREATE INDEX matching_tenant_id_change_id_index ON matching (tenant_id, change, id);
CREATE UNIQUE INDEX "matching_tenant_id_id_key" ON "matching" ("tenant_id", "id");
CREATE INDEX "matching_tenant_id_updated_at_id_index" ON "matching" ("tenant_id", "updated_at", "id");
CREATE INDEX "matching_tenant_id_warehouse_id_index" ON "matching" ("tenant_id", "warehouse_id");
CREATE INDEX "matching_updated_at_id_index" ON "matching" ("updated_at", "id");

CREATE TABLE "material" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "name_sort" text NOT NULL,
    "display_name" text NULL,
    "display_name_fold" text NOT NULL,
    "display_name_sort" text NOT NULL,
    "article_number_name" text NULL,
    "article_number_name_fold" text NOT NULL,
    "article_number_name_sort" text NOT NULL,
    "material_number" text NULL,
    "material_number_fold" text NOT NULL,
    "material_number_sort" text NOT NULL,
    "density" integer NULL CHECK ("density" > 0),
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL ,
    "change" integer NULL
);
CREATE INDEX "material_article_number_name_sort_index" ON "material" ("article_number_name_sort", "id");
CREATE INDEX material_change_id_index ON material (change, id);
CREATE INDEX "material_display_name_sort_index" ON "material" ("display_name_sort", "id");
CREATE UNIQUE INDEX "material_name_fold_key" ON "material" ("name_fold");
CREATE INDEX "material_name_sort_index" ON "material" ("name_sort", "id");
CREATE INDEX "material_number_sort_index" ON "material" ("material_number_sort", "id");
CREATE INDEX "material_updated_at_id_index" ON "material" ("updated_at", "id");

CREATE TABLE "one_time_link" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "user_id" integer NOT NULL,
    "purpose" text NOT NULL,
    "public_id" text NULL,
    "token_hash" text NOT NULL,
    "bound_to" text NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "expires_at" timestamp_with_timezone_text NOT NULL,
    "used_at" timestamp_with_timezone_text NULL,
    FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "one_time_link_public_id_key" ON "one_time_link" ("public_id");
CREATE UNIQUE INDEX "one_time_link_token_hash_key" ON "one_time_link" ("token_hash");
CREATE INDEX "one_time_link_user_id_index" ON "one_time_link" ("user_id");

CREATE TABLE "password_reset_request" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "source" text NOT NULL,
    "email_fold" text NULL,
    "created_at" timestamp_with_timezone_text NOT NULL
);
CREATE INDEX "password_reset_request_source_created_at_index" ON "password_reset_request" ("source", "created_at");

CREATE TABLE "personal_access_token" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "user_id" integer NOT NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "abilities" text NOT NULL CHECK ("abilities" <> ''),
    "token_hash" text NOT NULL,
    "prefix" text NOT NULL,
    "last_four" text NOT NULL,
    "expires_at" timestamp_with_timezone_text NOT NULL,
    "last_used_at" timestamp_with_timezone_text NULL,
    "last_used_address" text NULL,
    "reminded_at" timestamp_with_timezone_text NULL,
    "replaced_at" timestamp_with_timezone_text NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE CASCADE
);
CREATE INDEX "personal_access_token_created_at_id_index" ON "personal_access_token" ("created_at", "id");
CREATE INDEX "personal_access_token_expires_at_id_index" ON "personal_access_token" ("expires_at", "id");
CREATE INDEX "personal_access_token_last_used_at_id_index" ON "personal_access_token" ("last_used_at", "id");
CREATE INDEX "personal_access_token_name_fold_id_index" ON "personal_access_token" ("name_fold", "id");
CREATE UNIQUE INDEX "personal_access_token_token_hash_key" ON "personal_access_token" ("token_hash");
CREATE INDEX "personal_access_token_user_id_index" ON "personal_access_token" ("user_id");
CREATE UNIQUE INDEX personal_access_token_user_id_name_fold_key ON personal_access_token (user_id, name_fold) WHERE replaced_at IS NULL;

CREATE TABLE "price_adjustment" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "name_sort" text NOT NULL,
    "position" integer NOT NULL,
    "active" boolean NOT NULL,
    "operation" text NOT NULL,
    "value" integer NULL,
    "surcharge_table_id" integer NULL,
    "calculation_type" text NOT NULL,
    "conditions" jsonb_text NULL,
    "ignore_on_further_adjustments" boolean NOT NULL,
    "apply_to" jsonb_text NOT NULL,
    "tenant_ids" jsonb_text NOT NULL,
    "tenant_group_ids" jsonb_text NOT NULL,
    "excluded_tenant_ids" jsonb_text NOT NULL,
    "purchase_constraints" jsonb_text NULL,
    "valid_from" timestamp_with_timezone_text NULL,
    "valid_until" timestamp_with_timezone_text NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("tenant_id", "surcharge_table_id") REFERENCES "surcharge_table" ("tenant_id", "id") ON DELETE RESTRICT,
    CHECK (operation IN ('discount', 'surcharge')),
    CHECK (value > 0),
    CHECK ((value IS NULL) <> (surcharge_table_id IS NULL)),
    CHECK (valid_from IS NULL OR valid_until IS NULL OR valid_until > valid_from)
);
CREATE UNIQUE INDEX "price_adjustment_tenant_id_id_key" ON "price_adjustment" ("tenant_id", "id");
CREATE UNIQUE INDEX "price_adjustment_tenant_id_name_fold_key" ON "price_adjustment" ("tenant_id", "name_fold");
CREATE INDEX "price_adjustment_tenant_id_name_sort_id_index" ON "price_adjustment" ("tenant_id", "name_sort", "id");
CREATE INDEX "price_adjustment_tenant_id_position_id_index" ON "price_adjustment" ("tenant_id", "position", "id");
CREATE UNIQUE INDEX "price_adjustment_tenant_id_position_key" ON "price_adjustment" ("tenant_id", "position");
CREATE INDEX "price_adjustment_tenant_id_surcharge_table_id_index" ON "price_adjustment" ("tenant_id", "surcharge_table_id");
CREATE INDEX "price_adjustment_tenant_id_updated_at_id_index" ON "price_adjustment" ("tenant_id", "updated_at", "id");
CREATE INDEX "price_adjustment_updated_at_id_index" ON "price_adjustment" ("updated_at", "id");

CREATE TABLE "price_adjustment_record" (
    "adjustment_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "number" integer NOT NULL,
    "article_id" integer NULL,
    "article_type_id" integer NULL,
    "category_id" integer NULL,
    "material_id" integer NULL,
    "processing_id" integer NULL,
    "warehouse_id" integer NULL,
    "named_tenant_group_id" integer NULL,
    PRIMARY KEY ("tenant_id", "adjustment_id", "number"),
    FOREIGN KEY ("tenant_id", "adjustment_id") REFERENCES "price_adjustment" ("tenant_id", "id") ON DELETE CASCADE,
    FOREIGN KEY ("article_id") REFERENCES "article" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("article_type_id") REFERENCES "article_type" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("category_id") REFERENCES "category" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("material_id") REFERENCES "material" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("processing_id") REFERENCES "processing" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("tenant_id", "warehouse_id") REFERENCES "warehouse" ("tenant_id", "id") ON DELETE RESTRICT,
    FOREIGN KEY ("named_tenant_group_id") REFERENCES "tenant_group" ("id") ON DELETE RESTRICT
);
CREATE INDEX "price_adjustment_record_article_id_index" ON "price_adjustment_record" ("article_id");
CREATE INDEX "price_adjustment_record_article_type_id_index" ON "price_adjustment_record" ("article_type_id");
CREATE INDEX "price_adjustment_record_category_id_index" ON "price_adjustment_record" ("category_id");
CREATE INDEX "price_adjustment_record_material_id_index" ON "price_adjustment_record" ("material_id");
CREATE INDEX "price_adjustment_record_named_tenant_group_id_index" ON "price_adjustment_record" ("named_tenant_group_id");
CREATE INDEX "price_adjustment_record_processing_id_index" ON "price_adjustment_record" ("processing_id");
CREATE INDEX "price_adjustment_record_tenant_id_warehouse_id_index" ON "price_adjustment_record" ("tenant_id", "warehouse_id");

CREATE TABLE "price_adjustment_tenant" (
    "adjustment_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "named_tenant_id" integer NOT NULL,
    PRIMARY KEY ("tenant_id", "adjustment_id", "named_tenant_id"),
    FOREIGN KEY ("tenant_id", "adjustment_id") REFERENCES "price_adjustment" ("tenant_id", "id") ON DELETE CASCADE,
    FOREIGN KEY ("named_tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT
);
CREATE INDEX "price_adjustment_tenant_named_tenant_id_index" ON "price_adjustment_tenant" ("named_tenant_id");

CREATE TABLE "price_change" (
    "tenant_id" integer NOT NULL,
    "part" integer NOT NULL,
    "version" integer NOT NULL,
    "articles" jsonb_text NOT NULL,
    "written_at" timestamp_with_timezone_text NOT NULL,
    PRIMARY KEY ("tenant_id", "part", "version")
);

CREATE TABLE "price_list" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "owner_tenant_id" integer NULL,
    "owner_tenant_group_id" integer NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "name_sort" text NOT NULL,
    "customer_name" text NULL,
    "customer_name_fold" text NOT NULL,
    "customer_name_sort" text NOT NULL,
    "type" text NOT NULL,
    "scope" text NOT NULL,
    "valid_from" timestamp_with_timezone_text NOT NULL,
    "valid_until" timestamp_with_timezone_text NULL,
    "announce" boolean NOT NULL,
    "price_count" integer NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("owner_tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("owner_tenant_group_id") REFERENCES "tenant_group" ("id") ON DELETE RESTRICT,
    CHECK ((owner_tenant_id IS NULL) <> (owner_tenant_group_id IS NULL)),
    CHECK (valid_until IS NULL OR valid_until >= valid_from)
);
CREATE INDEX "price_list_name_sort_id_index" ON "price_list" ("name_sort", "id");
CREATE UNIQUE INDEX price_list_owner_name_fold_key ON price_list (coalesce(owner_tenant_id, 0), coalesce(owner_tenant_group_id, 0), name_fold);
CREATE INDEX "price_list_owner_tenant_group_id_index" ON "price_list" ("owner_tenant_group_id");
CREATE INDEX "price_list_owner_tenant_id_index" ON "price_list" ("owner_tenant_id");
CREATE INDEX "price_list_updated_at_id_index" ON "price_list" ("updated_at", "id");
CREATE INDEX "price_list_valid_from_id_index" ON "price_list" ("valid_from", "id");
CREATE INDEX price_list_valid_until_id_index ON price_list (valid_until, id);

CREATE TABLE "price_list_entry" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "name" text NOT NULL,
    "price_list_id" integer NOT NULL,
    "article_id" integer NOT NULL,
    "price" integer NULL,
    "price_quantity" integer NULL,
    "price_unit" text NULL,
    "bulk_prices" jsonb_text NULL,
    "held" jsonb_text NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    "change" integer NULL,
    FOREIGN KEY ("price_list_id") REFERENCES "price_list" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("article_id") REFERENCES "article" ("id") ON DELETE RESTRICT,
    CHECK ((price IS NULL) = (price_unit IS NULL) AND (price IS NULL) = (price_quantity IS NULL) AND coalesce(price, 0) >= 0 AND coalesce(price_quantity, 1) > 0 AND (price IS NOT NULL OR bulk_prices IS NOT NULL OR held IS NOT NULL))
);
CREATE INDEX "price_list_entry_article_id_index" ON "price_list_entry" ("article_id");
CREATE UNIQUE INDEX "price_list_entry_article_key" ON "price_list_entry" ("tenant_id", "price_list_id", "article_id");
CREATE INDEX "price_list_entry_changed_index" ON "price_list_entry" ("tenant_id", "price_list_id", "updated_at", "id");
CREATE INDEX price_list_entry_price_list_id_change_index ON price_list_entry (tenant_id, price_list_id, change, id);
CREATE INDEX "price_list_entry_price_list_id_index" ON "price_list_entry" ("price_list_id");
CREATE UNIQUE INDEX "price_list_entry_tenant_id_id_key" ON "price_list_entry" ("tenant_id", "id");
CREATE INDEX "price_list_entry_tenant_id_updated_at_id_index" ON "price_list_entry" ("tenant_id", "updated_at", "id");
CREATE INDEX "price_list_entry_updated_at_id_index" ON "price_list_entry" ("updated_at", "id");

CREATE TABLE "price_list_excluded_tenant" (
    "price_list_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    PRIMARY KEY ("price_list_id", "tenant_id"),
    FOREIGN KEY ("price_list_id") REFERENCES "price_list" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT
);
CREATE INDEX "price_list_excluded_tenant_tenant_id_index" ON "price_list_excluded_tenant" ("tenant_id");

CREATE TABLE "price_list_stage" (
    "import_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "line" integer NOT NULL,
    "prices" text NOT NULL,
    PRIMARY KEY ("tenant_id", "import_id", "line")
);

CREATE TABLE "price_list_tenant" (
    "price_list_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    PRIMARY KEY ("price_list_id", "tenant_id"),
    FOREIGN KEY ("price_list_id") REFERENCES "price_list" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT
);
CREATE INDEX "price_list_tenant_tenant_id_index" ON "price_list_tenant" ("tenant_id");

CREATE TABLE "price_list_tenant_group" (
    "price_list_id" integer NOT NULL,
    "tenant_group_id" integer NOT NULL,
    PRIMARY KEY ("price_list_id", "tenant_group_id"),
    FOREIGN KEY ("price_list_id") REFERENCES "price_list" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("tenant_group_id") REFERENCES "tenant_group" ("id") ON DELETE RESTRICT
);
CREATE INDEX "price_list_tenant_group_tenant_group_id_index" ON "price_list_tenant_group" ("tenant_group_id");

CREATE TABLE "prices_version" (
    "tenant_id" integer NOT NULL,
    "part" integer NOT NULL,
    "version" integer NOT NULL,
    PRIMARY KEY ("tenant_id", "part")
);

CREATE TABLE "process_notice" (
    "process" text NOT NULL,
    "slot" integer NOT NULL,
    "serial" integer NOT NULL,
    "notice" jsonb_text NOT NULL,
    "written_at" timestamp_with_timezone_text NOT NULL,
    PRIMARY KEY ("process", "slot")
);

CREATE TABLE "processing" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "display_name" text NULL,
    "display_name_fold" text NOT NULL,
    "type" text NOT NULL CHECK ("type" IN ('sawing')),
    "article_number_addition_template" text NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL
);
CREATE INDEX "processing_display_name_fold_id_index" ON "processing" ("display_name_fold", "id");
CREATE UNIQUE INDEX "processing_name_fold_key" ON "processing" ("name_fold");
CREATE INDEX "processing_updated_at_id_index" ON "processing" ("updated_at", "id");

CREATE TABLE "processing_price" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "name" text NOT NULL,
    "processing_id" integer NOT NULL,
    "article_type_id" integer NULL,
    "article_type_key" integer NOT NULL,
    "price" jsonb_text NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("processing_id") REFERENCES "processing" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("article_type_id") REFERENCES "article_type" ("id") ON DELETE RESTRICT,
    CHECK (article_type_key = coalesce(article_type_id, 0)),
    CHECK (CAST(price ->> 'price' AS numeric) >= 0 AND CAST(price ->> 'price_quantity' AS numeric) > 0)
);
CREATE INDEX "processing_price_article_type_id_index" ON "processing_price" ("article_type_id");
CREATE UNIQUE INDEX "processing_price_article_type_key" ON "processing_price" ("tenant_id", "processing_id", "article_type_key");
CREATE INDEX "processing_price_processing_id_index" ON "processing_price" ("processing_id");
CREATE INDEX "processing_price_tenant_id_article_type_id_id_index" ON "processing_price" ("tenant_id", "article_type_id", "id");
CREATE UNIQUE INDEX "processing_price_tenant_id_id_key" ON "processing_price" ("tenant_id", "id");
CREATE INDEX "processing_price_tenant_id_processing_id_id_index" ON "processing_price" ("tenant_id", "processing_id", "id");
CREATE INDEX "processing_price_tenant_id_updated_at_id_index" ON "processing_price" ("tenant_id", "updated_at", "id");
CREATE INDEX "processing_price_updated_at_id_index" ON "processing_price" ("updated_at", "id");

CREATE TABLE "revoked_token" (
    "token_hash" text NOT NULL PRIMARY KEY,
    "expires_at" timestamp_with_timezone_text NOT NULL
);
CREATE INDEX "revoked_token_expires_at_index" ON "revoked_token" ("expires_at");

CREATE TABLE "role" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT
);
CREATE INDEX "role_name_fold_id_index" ON "role" ("name_fold", "id");
CREATE UNIQUE INDEX role_tenant_id_name_fold_key ON role (coalesce(tenant_id, 0), name_fold);
CREATE INDEX "role_updated_at_id_index" ON "role" ("updated_at", "id");

CREATE TABLE "role_permission" (
    "role_id" integer NOT NULL,
    "permission" text NOT NULL,
    PRIMARY KEY ("role_id", "permission"),
    FOREIGN KEY ("role_id") REFERENCES "role" ("id") ON DELETE CASCADE
);

CREATE TABLE "sample_cart" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "name_sort" text NOT NULL,
    "buyer_id" integer NULL,
    "at" timestamp_with_timezone_text NULL,
    "lines" jsonb_text NOT NULL,
    "expected_total" integer NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    CHECK (expected_total IS NULL OR expected_total >= 0)
);
CREATE UNIQUE INDEX "sample_cart_tenant_id_id_key" ON "sample_cart" ("tenant_id", "id");
CREATE UNIQUE INDEX "sample_cart_tenant_id_name_fold_key" ON "sample_cart" ("tenant_id", "name_fold");
CREATE INDEX "sample_cart_tenant_id_name_sort_id_index" ON "sample_cart" ("tenant_id", "name_sort", "id");
CREATE INDEX "sample_cart_tenant_id_updated_at_id_index" ON "sample_cart" ("tenant_id", "updated_at", "id");
CREATE INDEX "sample_cart_updated_at_id_index" ON "sample_cart" ("updated_at", "id");

CREATE TABLE "sample_cart_acceptance" (
    "cart_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "number" integer NOT NULL,
    "total" integer NULL,
    "accepted_at" timestamp_with_timezone_text NOT NULL,
    "steps" jsonb_text NOT NULL,
    PRIMARY KEY ("tenant_id", "cart_id", "number"),
    FOREIGN KEY ("tenant_id", "cart_id") REFERENCES "sample_cart" ("tenant_id", "id") ON DELETE CASCADE
);

CREATE TABLE "sample_cart_buyer" (
    "cart_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "buyer_id" integer NOT NULL,
    PRIMARY KEY ("tenant_id", "cart_id", "buyer_id"),
    FOREIGN KEY ("tenant_id", "cart_id") REFERENCES "sample_cart" ("tenant_id", "id") ON DELETE CASCADE,
    FOREIGN KEY ("buyer_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT
);
CREATE INDEX "sample_cart_buyer_buyer_id_index" ON "sample_cart_buyer" ("buyer_id");

CREATE TABLE "sample_cart_record" (
    "cart_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "number" integer NOT NULL,
    "article_id" integer NULL,
    "warehouse_id" integer NULL,
    "processing_id" integer NULL,
    PRIMARY KEY ("tenant_id", "cart_id", "number"),
    FOREIGN KEY ("tenant_id", "cart_id") REFERENCES "sample_cart" ("tenant_id", "id") ON DELETE CASCADE,
    FOREIGN KEY ("article_id") REFERENCES "article" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("tenant_id", "warehouse_id") REFERENCES "warehouse" ("tenant_id", "id") ON DELETE RESTRICT,
    FOREIGN KEY ("processing_id") REFERENCES "processing" ("id") ON DELETE RESTRICT
);
CREATE INDEX "sample_cart_record_article_id_index" ON "sample_cart_record" ("article_id");
CREATE INDEX "sample_cart_record_processing_id_index" ON "sample_cart_record" ("processing_id");
CREATE INDEX "sample_cart_record_tenant_id_warehouse_id_index" ON "sample_cart_record" ("tenant_id", "warehouse_id");

CREATE TABLE "saved_view" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "user_id" integer NOT NULL,
    "tenant_id" integer NULL,
    "list" text NOT NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "shared" boolean NOT NULL,
    "state" jsonb_text NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT
);
CREATE INDEX "saved_view_list_shared_index" ON "saved_view" ("list", "shared");
CREATE INDEX "saved_view_tenant_id_index" ON "saved_view" ("tenant_id");
CREATE UNIQUE INDEX "saved_view_user_id_list_name_fold_key" ON "saved_view" ("user_id", "list", "name_fold");

CREATE TABLE "schedule" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "kind" text NOT NULL,
    "subject_id" integer NOT NULL,
    "due_at" timestamp_with_timezone_text NULL,
    "lease_owner" text NULL,
    "lease_until" timestamp_with_timezone_text NULL,
    "fence" integer NOT NULL,
    "interrupted" integer NOT NULL,
    "started_at" timestamp_with_timezone_text NULL,
    "finished_at" timestamp_with_timezone_text NULL,
    "failure" text NULL,
    "failures_in_row" integer NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    CHECK ((lease_owner IS NULL) = (lease_until IS NULL)),
    CHECK (failure IS NULL OR finished_at IS NOT NULL)
);
CREATE INDEX "schedule_due_at_id_index" ON "schedule" ("due_at", "id");
CREATE UNIQUE INDEX "schedule_tenant_id_kind_subject_id_key" ON "schedule" ("tenant_id", "kind", "subject_id");

CREATE TABLE "server_key" (
    "purpose" text NOT NULL PRIMARY KEY,
    "key" text NOT NULL
);

CREATE TABLE "server_process" (
    "name" text NOT NULL PRIMARY KEY,
    "program_version" text NOT NULL,
    "schema" text NOT NULL,
    "started_at" timestamp_with_timezone_text NOT NULL,
    "seen_at" timestamp_with_timezone_text NOT NULL
);

CREATE TABLE "session" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "user_id" integer NOT NULL,
    "token_hash" text NOT NULL,
    "user_agent" text NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "last_used_at" timestamp_with_timezone_text NOT NULL,
    "expires_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE CASCADE
);
CREATE INDEX "session_expires_at_index" ON "session" ("expires_at");
CREATE UNIQUE INDEX "session_token_hash_key" ON "session" ("token_hash");
CREATE INDEX "session_user_id_last_used_at_index" ON "session" ("user_id", "last_used_at");

CREATE TABLE "shipping_leg" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "name_sort" text NOT NULL,
    "sending_node_id" integer NOT NULL,
    "receiving_node_id" integer NOT NULL,
    "preparation_duration" integer NOT NULL,
    "loading_duration" integer NOT NULL,
    "travel_duration" integer NOT NULL,
    "unloading_duration" integer NOT NULL,
    "order_time" text NULL,
    "departures" jsonb_text NOT NULL,
    "exceptions" jsonb_text NOT NULL,
    "departures_per_week" integer NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("sending_node_id") REFERENCES "shipping_node" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("receiving_node_id") REFERENCES "shipping_node" ("id") ON DELETE RESTRICT,
    CHECK (sending_node_id <> receiving_node_id),
    CHECK (travel_duration BETWEEN 1 AND 43200 AND loading_duration BETWEEN 0 AND 43200 AND unloading_duration BETWEEN 0 AND 43200 AND preparation_duration BETWEEN 0 AND 43200),
    CHECK (order_time IS NULL OR (length(order_time) = 5 AND order_time BETWEEN '00:00' AND '23:59')),
    CHECK (departures_per_week BETWEEN 0 AND 100)
);
CREATE INDEX "shipping_leg_departures_per_week_id_index" ON "shipping_leg" ("departures_per_week", "id");
CREATE INDEX "shipping_leg_name_sort_index" ON "shipping_leg" ("name_sort", "id");
CREATE UNIQUE INDEX "shipping_leg_pair_key" ON "shipping_leg" ("sending_node_id", "receiving_node_id");
CREATE INDEX "shipping_leg_receiving_node_id_id_index" ON "shipping_leg" ("receiving_node_id", "id");
CREATE INDEX "shipping_leg_travel_duration_id_index" ON "shipping_leg" ("travel_duration", "id");
CREATE INDEX "shipping_leg_updated_at_id_index" ON "shipping_leg" ("updated_at", "id");

CREATE TABLE "shipping_node" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "name_sort" text NOT NULL,
    "address" text NULL,
    "address_fold" text NOT NULL,
    "latitude" integer NULL,
    "longitude" integer NULL,
    "active" boolean NOT NULL,
    "warehouse_tenant_id" integer NULL,
    "warehouse_id" integer NULL,
    "region" text NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("warehouse_tenant_id", "warehouse_id") REFERENCES "warehouse" ("tenant_id", "id") ON DELETE RESTRICT,
    CHECK ((latitude IS NULL) = (longitude IS NULL) AND coalesce(latitude, 0) BETWEEN -90000000 AND 90000000 AND coalesce(longitude, 0) BETWEEN -180000000 AND 180000000),
    CHECK ((warehouse_id IS NULL) = (warehouse_tenant_id IS NULL))
);
CREATE UNIQUE INDEX "shipping_node_name_fold_key" ON "shipping_node" ("name_fold");
CREATE INDEX "shipping_node_name_sort_index" ON "shipping_node" ("name_sort", "id");
CREATE INDEX "shipping_node_updated_at_id_index" ON "shipping_node" ("updated_at", "id");
CREATE UNIQUE INDEX "shipping_node_warehouse_key" ON "shipping_node" ("warehouse_tenant_id", "warehouse_id");

CREATE TABLE "shipping_node_closure" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "shipping_node_id" integer NOT NULL,
    "date" date_text NOT NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("shipping_node_id") REFERENCES "shipping_node" ("id") ON DELETE CASCADE
);
CREATE INDEX "shipping_node_closure_date_id_index" ON "shipping_node_closure" ("date", "id");
CREATE UNIQUE INDEX "shipping_node_closure_date_key" ON "shipping_node_closure" ("shipping_node_id", "date");
CREATE INDEX "shipping_node_closure_updated_at_id_index" ON "shipping_node_closure" ("updated_at", "id");

CREATE TABLE "sign_in_failure" (
    "source" text NOT NULL PRIMARY KEY,
    "failures" integer NOT NULL,
    "pending" integer NOT NULL DEFAULT 0,
    "last_at" timestamp_with_timezone_text NOT NULL,
    "blocked_until" timestamp_with_timezone_text NOT NULL
);
CREATE INDEX "sign_in_failure_last_at_index" ON "sign_in_failure" ("last_at");

CREATE TABLE "sign_in_place" (
    "place" text NOT NULL PRIMARY KEY,
    "user_id" integer NOT NULL,
    "last_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE CASCADE
);
CREATE INDEX "sign_in_place_last_at_index" ON "sign_in_place" ("last_at");
CREATE INDEX "sign_in_place_user_id_index" ON "sign_in_place" ("user_id");

CREATE TABLE "stock" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "name" text NOT NULL,
    "article_id" integer NOT NULL,
    "warehouse_id" integer NOT NULL,
    "length" integer NOT NULL,
    "width" integer NOT NULL,
    "height" integer NOT NULL,
    "availability_type" text NOT NULL,
    "quantity" integer NULL,
    "lead_time" integer NULL,
    "internal_price" integer NULL,
    "internal_price_quantity" integer NULL,
    "internal_price_unit" text NULL,
    "internal_bulk_prices" jsonb_text NULL,
    "external_price" integer NULL,
    "external_price_quantity" integer NULL,
    "external_price_unit" text NULL,
    "external_bulk_prices" jsonb_text NULL,
    "price_version" integer NOT NULL DEFAULT 1,
    "price_updated_at" timestamp_with_timezone_text NULL,
    "change" integer NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("article_id") REFERENCES "article" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("tenant_id", "warehouse_id") REFERENCES "warehouse" ("tenant_id", "id") ON DELETE RESTRICT,
    CHECK (length >= 0 AND width >= 0 AND height >= 0),
    CHECK ((availability_type = 'quantity') = (quantity IS NOT NULL) AND coalesce(quantity, 0) >= 0),
    CHECK (coalesce(lead_time, 0) BETWEEN 0 AND 43200),
    CHECK ((internal_price IS NULL) = (internal_price_unit IS NULL) AND (internal_price IS NULL) = (internal_price_quantity IS NULL) AND (external_price IS NULL) = (external_price_unit IS NULL) AND (external_price IS NULL) = (external_price_quantity IS NULL) AND coalesce(internal_price, 0) >= 0 AND coalesce(external_price, 0) >= 0 AND coalesce(internal_price_quantity, 1) > 0 AND coalesce(external_price_quantity, 1) > 0)
);
CREATE INDEX "stock_article_id_index" ON "stock" ("article_id");
CREATE UNIQUE INDEX "stock_place_key" ON "stock" ("tenant_id", "article_id", "warehouse_id", "length", "width", "height");
CREATE INDEX "stock_tenant_id_change_id_index" ON "stock" ("tenant_id", "change", "id");
CREATE UNIQUE INDEX "stock_tenant_id_id_key" ON "stock" ("tenant_id", "id");
CREATE INDEX stock_tenant_id_price_updated_at_id_index ON stock (tenant_id, price_updated_at, id);
CREATE INDEX stock_tenant_id_quantity_id_index ON stock (tenant_id, quantity, id);
CREATE INDEX "stock_tenant_id_updated_at_id_index" ON "stock" ("tenant_id", "updated_at", "id");
CREATE INDEX "stock_tenant_id_warehouse_id_index" ON "stock" ("tenant_id", "warehouse_id");
CREATE INDEX "stock_updated_at_id_index" ON "stock" ("updated_at", "id");

CREATE TABLE "stock_confirmation" (
    "stock_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "confirmed_at" timestamp_with_timezone_text NOT NULL,
    PRIMARY KEY ("tenant_id", "stock_id"),
    FOREIGN KEY ("tenant_id", "stock_id") REFERENCES "stock" ("tenant_id", "id") ON DELETE CASCADE
);

CREATE TABLE "surcharge_table" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "name_sort" text NOT NULL,
    "kind" text NOT NULL,
    "keyed_by" text NOT NULL,
    "base_table_id" integer NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("tenant_id", "base_table_id") REFERENCES "surcharge_table" ("tenant_id", "id") ON DELETE NO ACTION,
    CHECK (kind IN ('alloy', 'scrap', 'energy', 'other')),
    CHECK (keyed_by IN ('material', 'article_type')),
    CHECK (base_table_id IS NULL OR base_table_id <> id)
);
CREATE INDEX "surcharge_table_tenant_id_base_table_id_index" ON "surcharge_table" ("tenant_id", "base_table_id");
CREATE UNIQUE INDEX "surcharge_table_tenant_id_id_key" ON "surcharge_table" ("tenant_id", "id");
CREATE UNIQUE INDEX "surcharge_table_tenant_id_name_fold_key" ON "surcharge_table" ("tenant_id", "name_fold");
CREATE INDEX "surcharge_table_tenant_id_name_sort_id_index" ON "surcharge_table" ("tenant_id", "name_sort", "id");
CREATE INDEX "surcharge_table_tenant_id_updated_at_id_index" ON "surcharge_table" ("tenant_id", "updated_at", "id");
CREATE INDEX "surcharge_table_updated_at_id_index" ON "surcharge_table" ("updated_at", "id");

CREATE TABLE "surcharge_value" (
    "surcharge_table_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "key_id" integer NOT NULL,
    "material_id" integer NULL,
    "article_type_id" integer NULL,
    "month" text NOT NULL,
    "value" integer NOT NULL,
    PRIMARY KEY ("tenant_id", "surcharge_table_id", "key_id", "month"),
    FOREIGN KEY ("tenant_id", "surcharge_table_id") REFERENCES "surcharge_table" ("tenant_id", "id") ON DELETE CASCADE,
    FOREIGN KEY ("material_id") REFERENCES "material" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("article_type_id") REFERENCES "article_type" ("id") ON DELETE RESTRICT,
    CHECK (value >= 0),
    CHECK (key_id = coalesce(material_id, article_type_id) AND (material_id IS NULL OR article_type_id IS NULL))
);
CREATE INDEX "surcharge_value_article_type_id_index" ON "surcharge_value" ("article_type_id");
CREATE INDEX "surcharge_value_material_id_index" ON "surcharge_value" ("material_id");

CREATE TABLE "tenant" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "company" text NOT NULL,
    "company_fold" text NOT NULL,
    "company_sort" text NOT NULL,
    "short_code" text NOT NULL,
    "short_code_fold" text NOT NULL,
    "short_code_sort" text NOT NULL,
    "address" text NULL,
    "place" text NULL,
    "place_fold" text NOT NULL,
    "email" text NULL,
    "phone" text NULL,
    "external_api_type" text NULL,
    "price_guard_percent" integer NULL,
    "removal_begun_at" timestamp_with_timezone_text NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL ,
    "name" text NOT NULL DEFAULT '',
    "name_fold" text NOT NULL DEFAULT '',
    "name_sort" text NOT NULL DEFAULT ''
);
CREATE INDEX "tenant_company_sort_index" ON "tenant" ("company_sort", "id");
CREATE INDEX "tenant_name_sort_index" ON "tenant" ("name_sort", "id");
CREATE UNIQUE INDEX "tenant_short_code_fold_key" ON "tenant" ("short_code_fold");
CREATE INDEX "tenant_short_code_sort_index" ON "tenant" ("short_code_sort", "id");
CREATE INDEX "tenant_updated_at_id_index" ON "tenant" ("updated_at", "id");

CREATE TABLE "tenant_group" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "description" text NULL,
    "description_fold" text NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL
);
CREATE INDEX "tenant_group_description_fold_id_index" ON "tenant_group" ("description_fold", "id");
CREATE UNIQUE INDEX "tenant_group_name_fold_key" ON "tenant_group" ("name_fold");
CREATE INDEX "tenant_group_updated_at_id_index" ON "tenant_group" ("updated_at", "id");

CREATE TABLE "tenant_group_member" (
    "tenant_group_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    PRIMARY KEY ("tenant_group_id", "tenant_id"),
    FOREIGN KEY ("tenant_group_id") REFERENCES "tenant_group" ("id") ON DELETE RESTRICT,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE
);
CREATE INDEX "tenant_group_member_tenant_id_index" ON "tenant_group_member" ("tenant_id");

CREATE TABLE "tenant_permission" (
    "tenant_id" integer NOT NULL,
    "permission" text NOT NULL,
    PRIMARY KEY ("tenant_id", "permission"),
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE CASCADE
);

CREATE TABLE "trade_dimension" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "name_sort" text NOT NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL
);
CREATE UNIQUE INDEX "trade_dimension_name_fold_key" ON "trade_dimension" ("name_fold");
CREATE INDEX "trade_dimension_name_sort_index" ON "trade_dimension" ("name_sort", "id");
CREATE INDEX "trade_dimension_updated_at_id_index" ON "trade_dimension" ("updated_at", "id");

CREATE TABLE "trade_dimension_cluster" (
    "trade_dimension_id" integer NOT NULL,
    "position" integer NOT NULL,
    "short_code" text NOT NULL,
    "short_code_fold" text NOT NULL,
    "minimum" integer NULL CHECK ("minimum" > 0),
    "maximum" integer NULL CHECK ("maximum" > 0),
    "calculation_value" integer NOT NULL CHECK ("calculation_value" > 0),
    PRIMARY KEY ("trade_dimension_id", "position"),
    FOREIGN KEY ("trade_dimension_id") REFERENCES "trade_dimension" ("id") ON DELETE CASCADE,
    CHECK ("maximum" > "minimum")
);
CREATE UNIQUE INDEX "trade_dimension_cluster_trade_dimension_id_short_code_fold_key" ON "trade_dimension_cluster" ("trade_dimension_id", "short_code_fold");

CREATE TABLE "unresolved_number" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "kind" text NOT NULL,
    "number" text NOT NULL,
    "number_fold" text NOT NULL,
    "number_sort" text NOT NULL,
    "gtin" text NOT NULL DEFAULT '',
    "designation" text NOT NULL,
    "designation_fold" text NOT NULL,
    "state" text NOT NULL,
    "times" integer NOT NULL,
    "import_id" integer NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    CHECK (kind IN ('article', 'warehouse', 'tenant')),
    CHECK (state IN ('open', 'ignored'))
);
CREATE UNIQUE INDEX "unresolved_number_tenant_id_id_key" ON "unresolved_number" ("tenant_id", "id");
CREATE UNIQUE INDEX "unresolved_number_tenant_id_kind_number_fold_key" ON "unresolved_number" ("tenant_id", "kind", "number_fold");
CREATE INDEX "unresolved_number_tenant_id_number_sort_id_index" ON "unresolved_number" ("tenant_id", "number_sort", "id");
CREATE INDEX "unresolved_number_tenant_id_state_updated_at_id_index" ON "unresolved_number" ("tenant_id", "state", "updated_at", "id");
CREATE INDEX "unresolved_number_tenant_id_times_id_index" ON "unresolved_number" ("tenant_id", "times", "id");
CREATE INDEX "unresolved_number_tenant_id_updated_at_id_index" ON "unresolved_number" ("tenant_id", "updated_at", "id");
CREATE INDEX "unresolved_number_updated_at_id_index" ON "unresolved_number" ("updated_at", "id");

CREATE TABLE "unresolved_row" (
    "unresolved_number_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "import_id" integer NOT NULL,
    "line" integer NOT NULL,
    PRIMARY KEY ("tenant_id", "unresolved_number_id", "import_id", "line"),
    FOREIGN KEY ("tenant_id", "unresolved_number_id") REFERENCES "unresolved_number" ("tenant_id", "id") ON DELETE CASCADE
);
CREATE INDEX "unresolved_row_tenant_id_import_id_line_index" ON "unresolved_row" ("tenant_id", "import_id", "line");

CREATE TABLE "user" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "email" text NOT NULL,
    "email_fold" text NOT NULL,
    "email_key" text NOT NULL DEFAULT '',
    "password_hash" text NULL,
    "status" text NOT NULL CHECK ("status" IN ('NotInvited', 'InvitationQueued', 'InvitationPending', 'InvitationExpired', 'Verified', 'Disabled')),
    "narrowed" boolean NOT NULL,
    "language" text NULL,
    "import_notices" text NOT NULL DEFAULT 'never' CHECK ("import_notices" IN ('never', 'problems', 'always')),
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT
);
CREATE INDEX "user_email_fold_id_index" ON "user" ("email_fold", "id");
CREATE UNIQUE INDEX "user_email_key_key" ON "user" ("email_key");
CREATE INDEX user_invitation_expired_index ON "user" (id) WHERE status = 'InvitationExpired';
CREATE INDEX "user_name_fold_id_index" ON "user" ("name_fold", "id");
CREATE INDEX "user_tenant_id_name_fold_id_index" ON "user" ("tenant_id", "name_fold", "id");
CREATE INDEX "user_updated_at_id_index" ON "user" ("updated_at", "id");

CREATE TABLE "user_permission" (
    "user_id" integer NOT NULL,
    "permission" text NOT NULL,
    PRIMARY KEY ("user_id", "permission"),
    FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE CASCADE
);

CREATE TABLE "user_role" (
    "user_id" integer NOT NULL,
    "role_id" integer NOT NULL,
    PRIMARY KEY ("user_id", "role_id"),
    FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE CASCADE,
    FOREIGN KEY ("role_id") REFERENCES "role" ("id") ON DELETE RESTRICT
);
CREATE INDEX "user_role_role_id_index" ON "user_role" ("role_id");

CREATE TABLE "warehouse" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "name" text NOT NULL,
    "name_fold" text NOT NULL,
    "name_sort" text NOT NULL,
    "short_code" text NOT NULL,
    "short_code_fold" text NOT NULL,
    "short_code_sort" text NOT NULL,
    "preparation_duration_before" integer NOT NULL,
    "address" text NULL,
    "address_fold" text NOT NULL,
    "region" text NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    "change" integer NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    CHECK (preparation_duration_before BETWEEN 0 AND 43200)
);
CREATE INDEX "warehouse_name_sort_index" ON "warehouse" ("tenant_id", "name_sort", "id");
CREATE INDEX "warehouse_short_code_sort_index" ON "warehouse" ("tenant_id", "short_code_sort", "id");
CREATE INDEX warehouse_tenant_id_change_id_index ON warehouse (tenant_id, change, id);
CREATE UNIQUE INDEX "warehouse_tenant_id_id_key" ON "warehouse" ("tenant_id", "id");
CREATE UNIQUE INDEX "warehouse_tenant_id_name_fold_key" ON "warehouse" ("tenant_id", "name_fold");
CREATE UNIQUE INDEX "warehouse_tenant_id_short_code_fold_key" ON "warehouse" ("tenant_id", "short_code_fold");
CREATE INDEX "warehouse_tenant_id_updated_at_id_index" ON "warehouse" ("tenant_id", "updated_at", "id");
CREATE INDEX "warehouse_updated_at_id_index" ON "warehouse" ("updated_at", "id");

CREATE TABLE "warehouse_cut_off" (
    "warehouse_id" integer NOT NULL,
    "tenant_id" integer NOT NULL,
    "weekday" integer NOT NULL,
    "cut_off" text NOT NULL,
    PRIMARY KEY ("tenant_id", "warehouse_id", "weekday"),
    FOREIGN KEY ("tenant_id", "warehouse_id") REFERENCES "warehouse" ("tenant_id", "id") ON DELETE CASCADE,
    CHECK (weekday BETWEEN 0 AND 7),
    CHECK (length(cut_off) = 5 AND cut_off BETWEEN '00:00' AND '23:59')
);

CREATE TABLE "webhook" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "url" text NOT NULL,
    "events" jsonb_text NOT NULL,
    "ca_certificate" text NULL,
    "secret_sealed" text NULL,
    "previous_secret_sealed" text NULL,
    "previous_secret_until" timestamp_with_timezone_text NULL,
    "paused_at" timestamp_with_timezone_text NULL,
    "pause_reason" text NULL,
    "version" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    CHECK (pause_reason IN ('by_hand', 'gone', 'undeliverable')),
    CHECK ((paused_at IS NULL) = (pause_reason IS NULL))
);
CREATE UNIQUE INDEX "webhook_tenant_id_id_key" ON "webhook" ("tenant_id", "id");
CREATE INDEX "webhook_tenant_id_updated_at_id_index" ON "webhook" ("tenant_id", "updated_at", "id");
CREATE INDEX "webhook_updated_at_id_index" ON "webhook" ("updated_at", "id");

CREATE TABLE "webhook_delivery" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "webhook_id" integer NOT NULL,
    "message_id" text NOT NULL,
    "event" text NOT NULL,
    "subject" text NOT NULL,
    "data" text NULL,
    "status" text NOT NULL,
    "due_at" timestamp_with_timezone_text NULL,
    "is_by_hand" boolean NOT NULL,
    "is_tried_once" boolean NOT NULL,
    "attempts" integer NOT NULL,
    "attempts_in_row" integer NOT NULL,
    "tried_since" timestamp_with_timezone_text NULL,
    "delivered_at" timestamp_with_timezone_text NULL,
    "last_status" integer NULL,
    "last_duration_ms" integer NULL,
    "last_failure" text NULL,
    "log" jsonb_text NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    "updated_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    CHECK (status IN ('pending', 'delivered', 'failed', 'withdrawn')),
    CHECK ((status = 'pending') = (due_at IS NOT NULL)),
    CHECK (status <> 'pending' OR data IS NOT NULL)
);
CREATE INDEX "webhook_delivery_created_at_id_index" ON "webhook_delivery" ("created_at", "id");
CREATE INDEX "webhook_delivery_subject_index" ON "webhook_delivery" ("tenant_id", "webhook_id", "subject", "due_at", "id");
CREATE INDEX "webhook_delivery_tenant_id_webhook_id_due_at_id_index" ON "webhook_delivery" ("tenant_id", "webhook_id", "due_at", "id");
CREATE INDEX "webhook_delivery_tenant_id_webhook_id_id_index" ON "webhook_delivery" ("tenant_id", "webhook_id", "id");

CREATE TABLE "webhook_queue" (
    "id" integer NOT NULL PRIMARY KEY AUTOINCREMENT,
    "tenant_id" integer NOT NULL,
    "webhook_id" integer NOT NULL,
    "is_paused" boolean NOT NULL,
    "due_at" timestamp_with_timezone_text NULL,
    "retry_at" timestamp_with_timezone_text NULL,
    "lease_owner" text NULL,
    "lease_until" timestamp_with_timezone_text NULL,
    "fence" integer NOT NULL,
    "failures_in_row" integer NOT NULL,
    "failing_since" timestamp_with_timezone_text NULL,
    "last_success_at" timestamp_with_timezone_text NULL,
    "last_failure" text NULL,
    "look_due_at" timestamp_with_timezone_text NULL,
    "looked_at" timestamp_with_timezone_text NULL,
    "change_cursor" integer NOT NULL,
    "created_at" timestamp_with_timezone_text NOT NULL,
    FOREIGN KEY ("tenant_id") REFERENCES "tenant" ("id") ON DELETE RESTRICT,
    CHECK ((lease_owner IS NULL) = (lease_until IS NULL))
);
CREATE INDEX "webhook_queue_due_at_id_index" ON "webhook_queue" ("due_at", "id");
CREATE INDEX "webhook_queue_look_due_at_id_index" ON "webhook_queue" ("look_due_at", "id");
CREATE UNIQUE INDEX "webhook_queue_tenant_id_webhook_id_key" ON "webhook_queue" ("tenant_id", "webhook_id");
