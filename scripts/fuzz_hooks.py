"""What a fuzzed session must not do to itself: end, be moved to another address, or be replaced by a newer one."""

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
    """In an address there is no null: it would be sent as a text, which is right where texts are. The filters are an object."""
    return not has_null(query or {})


def has_null(value):
    if isinstance(value, dict):
        return any(map(has_null, value.values()))
    return any(map(has_null, value)) if isinstance(value, list) else value is None
