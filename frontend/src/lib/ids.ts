/** Parses an id from the address; null for anything else. */
export const parseId = (text: string | null | undefined): number | null => (text && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null)
