//! Permissions for the records that files change. The domains above declare them; here they are known by
//! name, as the types of imports are.

use values::Permission;

pub(crate) const CREATE_ARTICLE: Permission = Permission::named("article.create");
pub(crate) const DELETE_ARTICLE: Permission = Permission::named("article.delete");
pub(crate) const UPDATE_ARTICLE: Permission = Permission::named("article.update");
pub(crate) const CONFIGURE_EXTERNAL_API: Permission = Permission::named("configure-external-api");
pub(crate) const CREATE_PRICE: Permission = Permission::named("listing.create");
pub(crate) const DELETE_PRICE: Permission = Permission::named("listing.delete");
pub(crate) const UPDATE_PRICE: Permission = Permission::named("listing.update");
pub(crate) const VIEW_PRICE: Permission = Permission::named("listing.view");
pub(crate) const CREATE_MATCHING: Permission = Permission::named("matching.create");
pub(crate) const DELETE_MATCHING: Permission = Permission::named("matching.delete");
pub(crate) const LIST_MATCHINGS: Permission = Permission::named("matching.list");
pub(crate) const UPDATE_MATCHING: Permission = Permission::named("matching.update");
pub(crate) const DELETE_PRICE_LIST: Permission = Permission::named("price_list.delete");
pub(crate) const UPDATE_PRICE_LIST: Permission = Permission::named("price_list.update");
pub(crate) const VIEW_PRICE_LIST: Permission = Permission::named("price_list.view");
pub(crate) const CREATE_SHIPPING_NODE: Permission = Permission::named("shipping_node.create");
pub(crate) const DELETE_SHIPPING_NODE: Permission = Permission::named("shipping_node.delete");
pub(crate) const UPDATE_SHIPPING_NODE: Permission = Permission::named("shipping_node.update");
pub(crate) const CREATE_STOCK: Permission = Permission::named("stock.create");
pub(crate) const DELETE_STOCK: Permission = Permission::named("stock.delete");
pub(crate) const UPDATE_STOCK: Permission = Permission::named("stock.update");
