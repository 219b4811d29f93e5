import { HttpResponse, http, type RequestHandler } from 'msw'
import type { BulkOutcome, Resource, Selection, Usage, UsageExample } from '~/api/schema'
import { matching, page, type Row } from './list'
import { file, type Mock, ORIGIN, problem } from './server'

/** Rows of another table that refer to a record, by the filter that finds them. */
export interface Reference {
  by: Resource
  filter: string
  rows: (id: number) => UsageExample[]
}

interface Crud {
  table:
    | 'materials'
    | 'attributes'
    | 'tradeDimensions'
    | 'articleTypes'
    | 'articles'
    | 'articleTypeGroups'
    | 'processings'
    | 'categories'
    | 'roles'
    | 'tokens'
    | 'tenants'
    | 'tenantGroups'
    | 'warehouses'
    | 'matchings'
  right:
    | 'material'
    | 'attribute'
    | 'trade_dimension'
    | 'article_type'
    | 'article'
    | 'article-type-group'
    | 'processing'
    | 'category'
    | 'roles'
    | 'token'
    | 'tenant'
    | 'tenant-group'
    | 'warehouse'
    | 'matching'
  sort: string
  textFields: string[]
  /** What no two rows share. */
  unique?: string
  usedBy?: Reference[]
  /** What the server adds to an input. */
  completed?: (body: Record<string, unknown>) => object
}
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The plain operations of a table. */
export function crud({ db, guarded }: Mock, options: Crud): RequestHandler[] {
  const { table: name, right, sort, textFields, unique = 'name', usedBy = [], completed = () => ({}) } = options
  const table = () => db[name] as unknown as (Row & Record<string, unknown>)[]
  const list = `${ORIGIN}/api/admin/${kebab(name)}`
  const find = (params: Record<string, string>) => table().findIndex((row) => row.id === Number(params.id))
  const taken = (body: Record<string, unknown>, id: number) =>
    table().some((row) => row.id !== id && String(row[unique]).toLowerCase() === String(body[unique]).toLowerCase())
      ? problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben.', { [unique]: ['Diesen Namen gibt es schon.'] })
      : null
  const gone = () => problem(404, 'not_found', 'Der Eintrag wurde nicht gefunden.')
  const usages = (id: number): Usage[] =>
    usedBy
      .map(({ by, filter, rows }) => ({ by, filter, count: rows(id).length, examples: rows(id).slice(0, 5) }))
      .filter(({ count }) => count > 0)
  const remove = (id: number, confirm: string | null) => {
    const at = table().findIndex((row) => row.id === id)
    if (at < 0) return gone()
    const used_by = usages(id)
    if (used_by.length > 0)
      return HttpResponse.json({ code: 'in_use', message: 'Wird verwendet.', errors: null, used_by, request_id: 'mock-1' }, { status: 409 })
    if (confirm !== null && confirm !== table()[at]?.[unique])
      return problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben.', { confirm: ['Stimmt nicht überein.'] })
    table().splice(at, 1)
    return new HttpResponse(null, { status: 204 })
  }
  /** The same for each that is meant; `one` says why it is refused. */
  function bulk(url: URL, { ids, count }: Selection, one: (row: Row & Record<string, unknown>) => string | null) {
    const meant = matching(table(), url, textFields).filter((row) => ids?.includes(row.id) ?? true) as (Row & Record<string, unknown>)[]
    if (meant.length !== count)
      return problem(409, 'selection_changed', `Inzwischen sind es ${meant.length} Datensätze. Bitte prüfen Sie die Auswahl.`)
    const refused = meant.flatMap((row) => {
      const reason = one(row)
      return reason === null ? [] : [{ id: row.id, name: String(row[unique]), messages: [reason] }]
    })
    return HttpResponse.json<BulkOutcome>({ done: meant.length - refused.length, refused })
  }
  return [
    http.post(
      `${list}/bulk-delete`,
      guarded(`${right}.delete`, async ({ request, url }) =>
        bulk(url, (await request.json()) as Selection, ({ id }) => (remove(id, null).status === 204 ? null : 'Wird verwendet.')),
      ),
    ),
    http.post(
      `${list}/bulk-change`,
      guarded(`${right}.update`, async ({ request, url }) => {
        const { selection, change } = (await request.json()) as { selection: Selection; change: { field: string; value: unknown } }
        return bulk(url, selection, (row) => {
          Object.assign(row, { [change.field]: change.value })
          return null
        })
      }),
    ),
    http.get(
      `${list}/:id/usage`,
      guarded(`${right}.view`, ({ params }) => (find(params) < 0 ? gone() : HttpResponse.json({ data: usages(Number(params.id)) }))),
    ),
    http.get(
      list,
      guarded(`${right}.list`, ({ url }) => page(table(), url, sort, textFields)),
    ),
    http.get(
      `${list}/export`,
      guarded(`${right}.list`, ({ url }) => file(`${name}.${url.searchParams.get('format')}`, 'x')),
    ),
    http.get(
      `${list}/:id`,
      guarded(`${right}.view`, ({ params }) => {
        const row = table()[find(params)]
        return row ? HttpResponse.json(row) : gone()
      }),
    ),
    http.post(
      list,
      guarded(`${right}.create`, async ({ request }) => {
        const body = (await request.json()) as Record<string, unknown>
        const now = new Date().toISOString()
        const id = Math.max(0, ...table().map((row) => row.id)) + 1
        const row = {
          ...body,
          id,
          version: 1,
          created_at: now,
          updated_at: now,
          position: id,
          placeholder: String(body.name).toLowerCase(),
          ...completed(body),
        }
        const refused = taken(body, id)
        if (refused) return refused
        table().push(row)
        return HttpResponse.json(row, { status: 201 })
      }),
    ),
    http.put(
      `${list}/:id`,
      guarded(`${right}.update`, async ({ request, params }) => {
        const at = find(params)
        const row = table()[at]
        if (!row) return gone()
        const body = (await request.json()) as Record<string, unknown>
        if (body.version !== row.version) return problem(409, 'stale', 'Der Eintrag wurde inzwischen geändert.')
        const refused = taken(body, row.id)
        if (refused) return refused
        const next = { ...row, ...body, ...completed(body), version: Number(row.version) + 1, updated_at: new Date().toISOString() }
        table()[at] = next
        return HttpResponse.json(next)
      }),
    ),
    http.delete(
      `${list}/:id`,
      guarded(`${right}.delete`, ({ params, url }) => remove(Number(params.id), url.searchParams.get('confirm'))),
    ),
  ]
}
