/** Kinds of records by which an adjustment can select articles. */
export const SELECTOR_KINDS = ['articles', 'article_types', 'categories', 'materials'] as const
