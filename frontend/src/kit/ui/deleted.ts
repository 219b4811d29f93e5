/** State of the address that replaces that of a deleted record: what was typed for it cannot be saved any more. */
export const OF_DELETED = { deleted: true }
