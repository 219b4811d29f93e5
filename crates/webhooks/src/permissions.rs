//! Permissions for webhooks.

values::permissions! {
    CONFIGURE_WEBHOOKS ConfigureWebhooks "configure-webhooks"
}
