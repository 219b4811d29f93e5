import { client, data } from '~/api/client'
import { ApiError } from '~/api/errors'
import type { ArticleRow, BulkOutcome, paths, RefusedRecord, ValueInput } from '~/api/schema'
import { i18n } from '~/i18n/i18n'
import type { BulkSelection } from '~/kit/table/selection/use-selection'
import { errorText } from '~/kit/ui/error-text'
import { progress } from './bulk-progress'

const LIST = '/api/admin/articles'
/** Maximum number of rows of a page, and of ids in a filter. */
const PAGE = 200
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
const read = (query: Query) => data(client.GET(LIST, { params: { query: { ...query, include: 'values', 'page[size]': PAGE } } }))

/** Loads the selected articles with their current values. */
async function selectedArticles(filtered: Query, ids: number[] | null): Promise<ArticleRow[]> {
  const rows: ArticleRow[] = []
  if (ids) {
    for (let at = 0; at < ids.length; at += PAGE) {
      // the maximum that one parameter accepts
      const filter = { 'filter[id]': ids.slice(at, at + PAGE).join() as unknown as number }
      rows.push(...(await read({ filter })).data)
    }
    return rows
  }
  // load all pages before the first change, since a changed article may no longer match the filter
  for (let page = 1, last = 1; page <= last; page += 1) {
    const result = await read({ ...filtered, 'page[number]': page })
    rows.push(...result.data)
    last = result.meta.last_page
  }
  return rows
}

/** Merges the changes into the values of an article. */
const mergedValues = ({ values = [] }: ArticleRow, changes: readonly ValueInput[]): ValueInput[] =>
  values.map(
    ({ attribute_id, option_id, number, unit, text }) =>
      changes.find((one) => one.attribute_id === attribute_id) ?? { attribute_id, option_id, number, unit, text },
  )

function errorMessages(error: unknown): string[] {
  const messages = error instanceof ApiError ? Object.values(error.fields).flat() : []
  return messages.length > 0 ? [...new Set(messages)] : [errorText(i18n.getFixedT(null, 'common'), error)]
}

/** True if the server does not answer, or the session has ended. */
const isDown = (error: unknown) => !(error instanceof ApiError) || error.kind !== 'http' || error.status === 401 || error.status >= 500

/**
 * Sets the same values in many articles of one type. Each article is changed separately: if one is rejected,
 * the others are still changed, and an article that another user has changed meanwhile is not overwritten.
 */
export async function changeValues(filtered: Query, { ids, count }: BulkSelection, changes: readonly ValueInput[]): Promise<BulkOutcome> {
  const rows = await selectedArticles(filtered, ids)
  if (ids === null && rows.length !== count) {
    const message = i18n.getFixedT(null, 'articles')('bulk.changedMeanwhile', { count: rows.length })
    throw new ApiError({ status: 409, code: 'selection_changed', message })
  }
  const refused: RefusedRecord[] = []
  try {
    // sequential, so that of two articles that would get the same number the first gets it
    for (const [done, row] of rows.entries()) {
      progress.set({ done, total: rows.length })
      const { id, version } = row
      const body = { version, values: mergedValues(row, changes) }
      try {
        await data(client.PATCH(`${LIST}/{id}`, { params: { path: { id } }, body }))
      } catch (error) {
        const messages = errorMessages(error)
        // the remaining ones would fail as well
        const failedRows = isDown(error) ? rows.slice(done) : [row]
        refused.push(...failedRows.map(({ id, article_number: name }) => ({ id, name, messages })))
        if (failedRows.length > 1) break
      }
    }
  } finally {
    progress.set(null)
  }
  return { done: rows.length - refused.length, refused }
}
