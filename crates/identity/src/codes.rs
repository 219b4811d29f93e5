//! Error codes of users, sessions and tokens. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use tenancy::codes::*;

values::codes! {
    // The request as a whole
    UNAUTHENTICATED Unauthenticated "unauthenticated"
    TOKEN_EXPIRED Unauthenticated "token_expired"
    TOKEN_REVOKED Unauthenticated "token_revoked"
    INVALID_CREDENTIALS Unauthenticated "invalid_credentials"
    OWN_RIGHTS Forbidden "own_rights"
    NOT_OWN_TOKEN Forbidden "not_own_token"
    INVALID_LINK NotFound "invalid_link"
    LAST_ADMINISTRATOR Conflict "last_administrator"
    USER_DISABLED Conflict "user_disabled"
    NOT_VERIFIED Conflict "not_verified"
    ALREADY_VERIFIED Conflict "already_verified"
    KEY_REUSED Invalid "key_reused"
    TOKEN_REPLACED Conflict "token_replaced"
    TOO_MANY_REPLACED Conflict "too_many_replaced"
    LINK_EXPIRED Conflict "link_expired"
    LINK_USED Conflict "link_used"
    FORMER_EMAIL_TAKEN Conflict "former_email_taken"
    ALREADY_DONE Conflict "already_done"
    TOO_MANY_KEYS TooMany "too_many_keys"
    TOO_MANY_REQUESTS TooMany "too_many_requests"
    TOO_MANY_ATTEMPTS TooMany "too_many_attempts"

    // Passwords, roles and tokens
    WEAK_PASSWORD Invalid "weak_password"
    WRONG_PASSWORD Invalid "wrong_password"
    SAME_PASSWORD Invalid "same_password"
    EMAIL_TAKEN Invalid "email_taken"
    ROLE_NAME_TAKEN Invalid "role_name_taken"
    NOT_IN_ROLES Invalid "not_in_roles"
    ROLE_NOT_GRANTABLE Invalid "role_not_grantable"
    ABILITY_BEYOND_RIGHTS Invalid "ability_beyond_rights"
    NOT_IN_FUTURE Invalid "not_in_future"
    EXPIRES_TOO_LATE Invalid "expires_too_late"
}
