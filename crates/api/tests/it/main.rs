//! All tests that need a database or the HTTP application, in one binary.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod access;
mod account;
mod article_type_groups;
mod article_types;
mod articles;
mod attributes;
mod audit;
mod bulk;
mod bulk_changes;
mod catalog;
mod categories;
mod contract;
mod demo;
mod examples;
mod exports;
mod imports;
mod lists;
mod mails;
mod materials;
mod password_reset;
mod processings;
mod rights_model;
mod saved_views;
mod search;
mod sessions;
mod support;
mod tenant_groups;
mod tenants;
mod tidy;
mod trade_dimensions;
mod units;
mod usage;
mod users;
mod verification;
