"""Hooks that keep a fuzzed session from ending or replacing itself."""

import os

import schemathesis

OWN_SESSION = os.environ["STALHOF_FUZZ_SESSION"]
OWN_USER = os.environ["STALHOF_FUZZ_USER"]
NOBODY = 9_007_199_254_740_991

ITSELF = {
    "DELETE /api/sessions/{id}": OWN_SESSION,
    "PATCH /api/admin/users/{id}": OWN_USER,
}


@schemathesis.hook
def before_call(context, case, kwargs):
    own = ITSELF.get(case.operation.label)
    if own is not None and str(case.path_parameters.get("id")) == own:
        case.path_parameters["id"] = NOBODY


@schemathesis.hook
def filter_query(context, query):
    """Drops queries with null, which a query string does not have: it would be sent as a text, which is valid
    for texts. Filters are an object."""
    return not has_null(query or {})


def has_null(value):
    if isinstance(value, dict):
        return any(map(has_null, value.values()))
    return any(map(has_null, value)) if isinstance(value, list) else value is None
