//! Permissions for entry to the product.

crate::permissions! {
    ACCESS_ADMIN AccessAdmin "access-admin"
    ACCESS_SHOP AccessShop "access-shop"
}
