/** The records that an adjustment to articles names them by. */
export const NAMED_BY = ['articles', 'article_types', 'categories', 'materials'] as const
