//! Permissions for tokens, users, roles, views and the history.

values::permissions! {
    LIST_TOKENS ListTokens "token.list"
    VIEW_TOKEN ViewToken "token.view"
    CREATE_TOKEN CreateToken "token.create"
    UPDATE_TOKEN UpdateToken "token.update"
    DELETE_TOKEN DeleteToken "token.delete"

    LIST_USERS ListUsers "user.list"
    VIEW_USER ViewUser "user.view"
    CREATE_USER CreateUser "user.create"
    UPDATE_USER UpdateUser "user.update"
    DELETE_USER DeleteUser "user.delete"

    LIST_ROLES ListRoles "roles.list"
    VIEW_ROLE ViewRole "roles.view"
    CREATE_ROLE CreateRole "roles.create"
    UPDATE_ROLE UpdateRole "roles.update"
    DELETE_ROLE DeleteRole "roles.delete"

    SHARE_VIEWS ShareViews "view.share"

    LIST_AUDIT ListAudit "audit.list"
    VIEW_AUDIT ViewAudit "audit.view"
}
