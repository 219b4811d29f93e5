//! Permissions for webhooks.

kernel::permissions! {
    CONFIGURE_WEBHOOKS ConfigureWebhooks "configure-webhooks"
}
