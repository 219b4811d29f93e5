/** Kinds of records by which an adjustment can select articles. */
export const NAMED_BY = ['articles', 'article_types', 'categories', 'materials'] as const
