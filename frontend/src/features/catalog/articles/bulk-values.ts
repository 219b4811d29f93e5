import { client, data } from '~/api/client'
import { ApiError } from '~/api/errors'
import type { ArticleRow, BulkOutcome, paths, RefusedRecord, ValueInput } from '~/api/schema'
import { i18n } from '~/i18n/i18n'
import type { BulkSelection } from '~/kit/table/selection/use-selection'
import { errorText } from '~/kit/ui/error-text'
import { progress } from './bulk-progress'

const LIST = '/api/admin/articles'
/** The most that one page holds, and one filter takes. */
const PAGE = 200
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
const read = (query: Query) => data(client.GET(LIST, { params: { query: { ...query, include: 'values', 'page[size]': PAGE } } }))

/** The articles that are meant, with their values of now. */
async function meant(filtered: Query, ids: number[] | null): Promise<ArticleRow[]> {
  const rows: ArticleRow[] = []
  if (ids) {
    for (let at = 0; at < ids.length; at += PAGE) {
      // as many as one parameter takes
      const filter = { 'filter[id]': ids.slice(at, at + PAGE).join() as unknown as number }
      rows.push(...(await read({ filter })).data)
    }
    return rows
  }
  // all of them before the first is changed, which may then be filtered out
  for (let page = 1, last = 1; page <= last; page += 1) {
    const found = await read({ ...filtered, 'page[number]': page })
    rows.push(...found.data)
    last = found.meta.last_page
  }
  return rows
}

/** What an article has, with what is to change. */
const changed = ({ values = [] }: ArticleRow, changes: readonly ValueInput[]): ValueInput[] =>
  values.map(
    ({ attribute_id, option_id, number, unit, text }) =>
      changes.find((one) => one.attribute_id === attribute_id) ?? { attribute_id, option_id, number, unit, text },
  )

function reasons(error: unknown): string[] {
  const told = error instanceof ApiError ? Object.values(error.fields).flat() : []
  return told.length > 0 ? [...new Set(told)] : [errorText(i18n.getFixedT(null, 'common'), error)]
}

/** Nobody answers, or not to us. */
const isDown = (error: unknown) => !(error instanceof ApiError) || error.kind !== 'http' || error.status === 401 || error.status >= 500

/**
 * The same values for many articles of one type. Each is a change of its own: whatever one is refused for, the others are done, and
 * who has changed an article meanwhile is not overwritten.
 */
export async function changeValues(filtered: Query, { ids, count }: BulkSelection, changes: readonly ValueInput[]): Promise<BulkOutcome> {
  const rows = await meant(filtered, ids)
  if (ids === null && rows.length !== count) {
    const message = i18n.getFixedT(null, 'articles')('bulk.changedMeanwhile', { count: rows.length })
    throw new ApiError({ status: 409, code: 'selection_changed', message })
  }
  const refused: RefusedRecord[] = []
  try {
    // one after the other: of two that would get the same number the first has it
    for (const [done, row] of rows.entries()) {
      progress.set({ done, of: rows.length })
      const { id, version } = row
      const body = { version, values: changed(row, changes) }
      try {
        await data(client.PATCH(`${LIST}/{id}`, { params: { path: { id } }, body }))
      } catch (error) {
        const messages = reasons(error)
        // the next ones would fare no better
        const left = isDown(error) ? rows.slice(done) : [row]
        refused.push(...left.map(({ id, article_number: name }) => ({ id, name, messages })))
        if (left.length > 1) break
      }
    }
  } finally {
    progress.set(null)
  }
  return { done: rows.length - refused.length, refused }
}
