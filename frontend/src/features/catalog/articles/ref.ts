import { reference } from '~/kit/records/reference'

/** Articles, found by whatever they are called: number, designation, another number. */
export const articleRef = reference('/api/admin/articles', {
  label: (row) => `${row.article_number} · ${row.article_name}`,
  search: 'search',
})
