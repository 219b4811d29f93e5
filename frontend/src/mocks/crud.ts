import { HttpResponse, type RequestHandler } from 'msw'
import {
  type BulkOutcome,
  offers,
  type Permission,
  type Problem,
  type Resource,
  type Selection,
  type Usage,
  type UsageExample,
} from '~/api/schema'
import type { BodyOf, ListedOf, ListPath, Offer, RecordOf } from '~/kit/records/contract'
import type { Area } from '~/session/access'
import { matching, page } from './list'
import { file, http, type Mock, problem } from './server'

/** References to a record from another table, with the filter that finds them. */
export interface Reference {
  by: Resource
  filter: string
  rows: (id: number) => UsageExample[]
}

/** Fields that the server sets on every record. */
interface StoredRow {
  id: number
  version: number
  created_at: string
  updated_at: string
}

/** Record that serves both the list and the form. */
type RowOf<P extends ListPath> = RecordOf<P> & ListedOf<P> & StoredRow

interface Crud<P extends ListPath> {
  rows: () => RowOf<P>[]
  right: Area
  sort: keyof RowOf<P> & string
  textFields: (keyof RowOf<P> & string)[]
  /** Field that must be unique. */
  unique?: keyof RowOf<P> & string
  usedBy?: Reference[]
  /** Makes a row of an input; `before` is the former row. */
  row: (body: BodyOf<P>, before: RowOf<P> | undefined) => Omit<RowOf<P>, keyof StoredRow>
}

// stands for any list; `Crud` types the differences
const ALIKE = '/api/admin/attributes'
type AnyListPath = typeof ALIKE

/** Handlers for the standard operations that the contract offers for a list. */
export function crud<P extends ListPath>({ guarded }: Mock, path: P, options: Crud<P>): RequestHandler[] {
  const { rows, right, sort, textFields, unique = 'name', usedBy = [], row: buildRow } = options as unknown as Crud<AnyListPath>
  const list = path as string as AnyListPath
  const recordPath = `${list}/{id}` as const
  const offered = new Set<Offer>(offers[path])
  const may = (verb: string) => `${right}.${verb}` as Permission
  const at = (params: Record<string, string>) => rows().findIndex(({ id }) => id === Number(params.id))
  const nameOf = (row: object) => String((row as Record<string, unknown>)[unique])
  const invalid = (errors: NonNullable<Problem['errors']>) => problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben.', errors)
  const notFound = () => problem(404, 'not_found', 'Der Eintrag wurde nicht gefunden.')
  const nameConflict = (next: RowOf<AnyListPath>) =>
    rows().some((row) => row.id !== next.id && nameOf(row).toLowerCase() === nameOf(next).toLowerCase())
      ? invalid({ [unique]: ['Diesen Namen gibt es schon.'] })
      : null
  const usages = (id: number): Usage[] =>
    usedBy
      .map(({ by, filter, rows: users }) => ({ by, filter, count: users(id).length, examples: users(id).slice(0, 5) }))
      .filter(({ count }) => count > 0)
  const remove = (place: number, confirm: string | null) => {
    const row = rows()[place]
    if (!row) return notFound()
    const used_by = usages(row.id)
    if (used_by.length > 0) return problem(409, 'in_use', 'Wird verwendet.', null, used_by)
    if (confirm !== null && confirm !== nameOf(row)) return invalid({ confirm: ['Stimmt nicht überein.'] })
    rows().splice(place, 1)
    return null
  }
  /** Applies `apply` to each selected row; it returns the reason of a refusal. */
  function bulk(url: URL, { ids, count }: Selection, apply: (row: RowOf<AnyListPath>) => string | null) {
    const selectedRows = matching(rows(), url, textFields).filter((row) => ids?.includes(row.id) ?? true)
    if (selectedRows.length !== count)
      return problem(409, 'selection_changed', `Inzwischen sind es ${selectedRows.length} Einträge. Bitte prüfen Sie die Auswahl.`)
    const refused = selectedRows.flatMap((row) => {
      const reason = apply(row)
      return reason === null ? [] : [{ id: row.id, name: nameOf(row), messages: [reason] }]
    })
    return HttpResponse.json<BulkOutcome>({ done: selectedRows.length - refused.length, refused })
  }
  const ifOffered = (operation: Offer, handler: () => RequestHandler) => (offered.has(operation) ? [handler()] : [])
  return [
    ...ifOffered('bulk-delete', () =>
      http.post(
        `${list}/bulk-delete`,
        guarded(may('delete'), async ({ request, url }) =>
          bulk(url, (await request.json()) as Selection, (row) => (remove(rows().indexOf(row), null) ? 'Wird verwendet.' : null)),
        ),
      ),
    ),
    ...ifOffered('bulk-change', () =>
      http.post(
        `${list}/bulk-change`,
        guarded(may('update'), async ({ request, url }) => {
          const { selection, change } = (await request.json()) as { selection: Selection; change: { field: string; value: unknown } }
          return bulk(url, selection, (row) => {
            Object.assign(row, { [change.field]: change.value })
            return null
          })
        }),
      ),
    ),
    ...ifOffered('usage', () =>
      http.get(
        `${recordPath}/usage`,
        guarded(may('view'), ({ params }) => (at(params) < 0 ? notFound() : HttpResponse.json({ data: usages(Number(params.id)) }))),
      ),
    ),
    http.get(
      list,
      guarded(may('list'), ({ url }) => page(rows(), url, sort, textFields)),
    ),
    ...ifOffered('export', () =>
      http.get(
        `${list}/export`,
        guarded(may('list'), ({ url }) => file(`${list.split('/').at(-1)}.${url.searchParams.get('format')}`, 'x')),
      ),
    ),
    http.get(
      recordPath,
      guarded(may('view'), ({ params }) => {
        const row = rows()[at(params)]
        return row ? HttpResponse.json(row) : notFound()
      }),
    ),
    http.post(
      list,
      guarded(may('create'), async ({ request }) => {
        const now = new Date().toISOString()
        const id = Math.max(0, ...rows().map((row) => row.id)) + 1
        const row = {
          ...buildRow((await request.json()) as BodyOf<AnyListPath>, undefined),
          id,
          version: 1,
          created_at: now,
          updated_at: now,
        }
        const refused = nameConflict(row)
        if (refused) return refused
        rows().push(row)
        return HttpResponse.json(row, { status: 201 })
      }),
    ),
    http.put(
      recordPath,
      guarded(may('update'), async ({ request, params }) => {
        const place = at(params)
        const before = rows()[place]
        if (!before) return notFound()
        const { version, ...body } = (await request.json()) as BodyOf<AnyListPath> & { version: number }
        if (version !== before.version) return problem(409, 'stale', 'Der Eintrag wurde inzwischen geändert.')
        const { id, created_at } = before
        const row = { ...buildRow(body, before), id, created_at, version: version + 1, updated_at: new Date().toISOString() }
        const refused = nameConflict(row)
        if (refused) return refused
        rows()[place] = row
        return HttpResponse.json(row)
      }),
    ),
    http.delete(
      recordPath,
      guarded(
        may('delete'),
        ({ params, url }) => remove(at(params), url.searchParams.get('confirm')) ?? new HttpResponse(null, { status: 204 }),
      ),
    ),
  ]
}
