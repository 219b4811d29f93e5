/**
 * Navigation state for leaving the page of a deleted record: its input cannot be saved any more, so no guard
 * asks.
 */
export const LEAVING_DELETED = { deleted: true }
