import { HttpResponse, type RequestHandler } from 'msw'
import type { FoundRecordsList, FoundResource } from '~/api/schema'
import { matching } from './list'
import { http, type Mock } from './server'

const SHOWN = 5

/** Global search, over some of the tables. */
export function search({ db, guarded }: Mock): RequestHandler[] {
  const searchRecords = (url: URL): FoundRecordsList['data'] => {
    const listUrl = new URL(url)
    listUrl.search = new URLSearchParams({ 'filter[search]': url.searchParams.get('q') ?? '' }).toString()
    const groupOf = (resource: FoundResource, rows: readonly { id: number; updated_at: string }[], name: string, detail: string) => {
      const all = matching(rows, listUrl, [name, detail]) as unknown as (Record<string, string | null> & { id: number })[]
      const records = all.slice(0, SHOWN).map((row) => ({ id: row.id, name: String(row[name]), detail: row[detail] ?? null }))
      return all.length > 0 ? [{ resource, total: all.length, records }] : []
    }
    return [
      ...groupOf('articles', db.articles, 'article_number', 'article_name'),
      ...groupOf('article_types', db.articleTypes, 'name', 'article_number_template'),
      ...groupOf('materials', db.materials, 'name', 'material_number'),
    ]
  }
  return [
    http.get(
      '/api/admin/search',
      guarded('access-admin', ({ url }) => HttpResponse.json({ data: searchRecords(url) } satisfies FoundRecordsList)),
    ),
  ]
}
