//! Permissions for feeds.

values::permissions! {
    CONFIGURE_EXTERNAL_API ConfigureExternalApi "configure-external-api"
    CONFIGURE_FTP_IMPORT ConfigureFtpImport "configure-ftp-import"
}
