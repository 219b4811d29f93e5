//! Permissions for the records that files change. The domains above declare them; here they are known by
//! name, as the types of imports are.

use values::Permission;

pub(crate) const CREATE_ARTICLE: Permission = Permission::from_name("article.create");
pub(crate) const DELETE_ARTICLE: Permission = Permission::from_name("article.delete");
pub(crate) const UPDATE_ARTICLE: Permission = Permission::from_name("article.update");
pub(crate) const CONFIGURE_EXTERNAL_API: Permission = Permission::from_name("configure-external-api");
pub(crate) const CREATE_PRICE: Permission = Permission::from_name("listing.create");
pub(crate) const DELETE_PRICE: Permission = Permission::from_name("listing.delete");
pub(crate) const UPDATE_PRICE: Permission = Permission::from_name("listing.update");
pub(crate) const VIEW_PRICE: Permission = Permission::from_name("listing.view");
pub(crate) const CREATE_MATCHING: Permission = Permission::from_name("matching.create");
pub(crate) const DELETE_MATCHING: Permission = Permission::from_name("matching.delete");
pub(crate) const LIST_MATCHINGS: Permission = Permission::from_name("matching.list");
pub(crate) const UPDATE_MATCHING: Permission = Permission::from_name("matching.update");
pub(crate) const DELETE_PRICE_LIST: Permission = Permission::from_name("price_list.delete");
pub(crate) const UPDATE_PRICE_LIST: Permission = Permission::from_name("price_list.update");
pub(crate) const VIEW_PRICE_LIST: Permission = Permission::from_name("price_list.view");
pub(crate) const CREATE_SHIPPING_NODE: Permission = Permission::from_name("shipping_node.create");
pub(crate) const DELETE_SHIPPING_NODE: Permission = Permission::from_name("shipping_node.delete");
pub(crate) const UPDATE_SHIPPING_NODE: Permission = Permission::from_name("shipping_node.update");
pub(crate) const CREATE_STOCK: Permission = Permission::from_name("stock.create");
pub(crate) const DELETE_STOCK: Permission = Permission::from_name("stock.delete");
pub(crate) const UPDATE_STOCK: Permission = Permission::from_name("stock.update");
