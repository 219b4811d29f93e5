import { HttpResponse, http, type RequestHandler } from 'msw'
import type {
  AccountPatch,
  Article,
  ArticleEffect,
  ArticleInput,
  ArticlePreview,
  ArticleTypeInput,
  ArticleTypePreview,
  BulkOutcome,
  Category,
  CategoryInput,
  CategoryMoveInput,
  CeilingEffect,
  CurrentUser,
  Import,
  IssuedToken,
  PasswordDraft,
  PasswordInput,
  PasswordStrength,
  Permission,
  PersonalAccessToken,
  Problem,
  ProcessingPreview,
  ProcessingPreviewInput,
  QuantityEquivalents,
  QuantityInput,
  Resource,
  SavedView,
  SavedViewInput,
  Selection,
  TenantGroupInput,
  TokenInput,
  TokenRotation,
  Unit,
  Usage,
  UsageExample,
} from '~/api/schema'
import { type Db, NOTHING_INHERITED } from './db'

const ORIGIN = '*'
export const PASSWORD = 'profil-traeger-walzwerk'

let problems = 0

const problem = (status: number, code: Problem['code'], message: string, errors: Problem['errors'] = null) =>
  HttpResponse.json<Problem>({ code, message, errors, error_codes: null, used_by: null, request_id: `mock-${++problems}` }, { status })

/** Rows of another table that refer to a record, by the filter that finds them. */
interface Reference {
  by: Resource
  filter: string
  rows: (id: number) => UsageExample[]
}

const file = (name: string, content: string) =>
  new HttpResponse(content, {
    headers: { 'content-type': 'text/csv', 'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}` },
  })

type Row = { id: number; version?: number; updated_at: string }

function value(row: Row, field: string): unknown {
  const fields = row as unknown as Record<string, unknown>
  // what a row refers to lies in it, filters name its id
  return field in fields ? fields[field] : (fields[field.replace(/_id$/, '')] as { id: number } | undefined)?.id
}

/** What the filters of a list match. */
function matching(rows: readonly Row[], url: URL, textFields: readonly string[]): Row[] {
  let found = [...rows]
  for (const [key, wanted] of url.searchParams) {
    const match =
      /^filter\[([a-z_]+?)(_not_equals|_equals|_starts_with|_lesser_than|_lesser_equals|_greater_than|_greater_equals)?\]$/.exec(key)
    if (!match?.[1]) continue
    const [, field, suffix] = match
    const any = url.searchParams.getAll(key)
    const compare = (row: Row) => {
      const own = value(row, field)
      const [a, b] = Number.isNaN(Number(wanted)) ? [String(own), wanted] : [Number(own), Number(wanted)]
      return a < b ? -1 : a > b ? 1 : 0
    }
    const matches = (row: Row) =>
      wanted
        .toLowerCase()
        .split(' ')
        .every((word) => textFields.some((text) => String(value(row, text)).toLowerCase().includes(word)))
    const contains = (row: Row) =>
      any.some((one) =>
        String(value(row, field) ?? '')
          .toLowerCase()
          .includes(one.toLowerCase()),
      )
    found = found.filter((row) => {
      if (suffix === '_not_equals') return String(value(row, field)) !== wanted
      if (suffix === '_equals') return any.some((one) => String(value(row, field)).toLowerCase() === one.toLowerCase())
      if (suffix === '_starts_with') return any.some((one) => String(value(row, field)).toLowerCase().startsWith(one.toLowerCase()))
      if (suffix === '_lesser_than') return compare(row) < 0
      if (suffix === '_lesser_equals') return compare(row) <= 0
      if (suffix === '_greater_than') return compare(row) > 0
      if (suffix === '_greater_equals') return compare(row) >= 0
      if (field === 'search') return matches(row)
      return textFields.includes(field) ? contains(row) : any.includes(String(value(row, field)))
    })
  }
  return found
}

/** Lists as the contract says, over rows in memory: filters, sort, pages. */
function page(rows: readonly Row[], url: URL, fallback: string, textFields: readonly string[]) {
  const found = matching(rows, url, textFields)
  const sort = url.searchParams.get('sort') ?? fallback
  const field = sort.replace(/^-/, '')
  const by = (row: Row) => value(row, field) ?? ''
  found.sort((a, b) => {
    const [x, y] = [by(a), by(b)]
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y), 'de', { numeric: true })
    return sort.startsWith('-') ? -order : order
  })
  const size = Number(url.searchParams.get('page[size]') ?? 40)
  const current = Number(url.searchParams.get('page[number]') ?? 1)
  const meta = { current_page: current, last_page: Math.max(1, Math.ceil(found.length / size)), per_page: size, total: found.length }
  return HttpResponse.json({ data: found.slice((current - 1) * size, current * size), meta })
}

export function createHandlers(db: Db): RequestHandler[] {
  const tokenOf = (request: Request) => request.headers.get('authorization')?.slice('Bearer '.length) ?? ''
  const userOf = (request: Request): CurrentUser | undefined => {
    const token = tokenOf(request)
    return db.ended.has(token) ? undefined : db.users.find((user) => token === `token-${user.email}`)
  }
  type Answer = (args: { request: Request; params: Record<string, string>; url: URL; user: CurrentUser }) => Response | Promise<Response>
  const guarded =
    (right: Permission | null, answer: Answer) =>
    ({ request, params }: { request: Request; params: object }) => {
      const user = userOf(request)
      if (!user) return problem(401, 'unauthenticated', 'Bitte melden Sie sich an.')
      if (right && !user.permissions.some(({ name }) => name === right))
        return problem(403, 'forbidden', 'Dafür fehlt Ihnen die Berechtigung.')
      return answer({ request, params: params as Record<string, string>, url: new URL(request.url), user })
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
    sort: string
    textFields: string[]
    /** What no two rows share. */
    unique?: string
    usedBy?: Reference[]
    /** What the server adds to an input. */
    completed?: (body: Record<string, unknown>) => object
  }
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

  function crud({ table: name, right, sort, textFields, unique = 'name', usedBy = [], completed = () => ({}) }: Crud): RequestHandler[] {
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
        return HttpResponse.json(
          { code: 'in_use', message: 'Wird verwendet.', errors: null, used_by, request_id: 'mock-1' },
          { status: 409 },
        )
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

  function categories(): RequestHandler[] {
    const one = `${ORIGIN}/api/admin/categories/:id`
    const find = (id: unknown) => db.categories.find((row) => row.id === Number(id))
    const named = (id: number | null | undefined) => {
      const row = find(id)
      return row ? { id: row.id, name: row.name } : null
    }
    const gone = () => problem(404, 'not_found', 'Der Eintrag wurde nicht gefunden.')
    const changed = (row: Category, change: Partial<Category>) => {
      Object.assign(row, change, { version: row.version + 1 })
      return HttpResponse.json(row)
    }
    const image = (name: 'image' | 'article_type_image', path: string) => [
      http.get(
        `${one}/${path}`,
        guarded('category.view', ({ params }) => (find(params.id)?.[name] ? new HttpResponse('picture') : gone())),
      ),
      http.put(
        `${one}/${path}`,
        guarded('category.update', async ({ request, params }) => {
          const row = find(params.id)
          if (!row) return gone()
          const form = await request.formData()
          if (Number(form.get('version')) !== row.version) return problem(409, 'stale', 'Der Eintrag wurde inzwischen geändert.')
          return changed(row, { [name]: { version: `${path}-${row.version}`, width: 10, height: 10 } })
        }),
      ),
      http.delete(
        `${one}/${path}`,
        guarded('category.update', ({ params }) => {
          const row = find(params.id)
          return row ? changed(row, { [name]: null }) : gone()
        }),
      ),
    ]
    return [
      http.get(
        `${ORIGIN}/api/admin/categories/tree`,
        guarded('category.list', () =>
          HttpResponse.json({
            data: db.categories.map(({ id, name, display_name, parent, article_type, image, version }) => ({
              id,
              name,
              display_name,
              parent_id: parent?.id ?? null,
              article_type,
              image: image?.version ?? null,
              version,
            })),
          }),
        ),
      ),
      http.post(
        `${one}/move`,
        guarded('category.update', async ({ request, params }) => {
          const row = find(params.id)
          const { parent_id, before_id, version } = (await request.json()) as CategoryMoveInput
          if (!row) return gone()
          if (version !== row.version) return problem(409, 'stale', 'Der Eintrag wurde inzwischen geändert.')
          const rest = db.categories.filter((other) => other !== row)
          const at = rest.findIndex((other) => other.id === before_id)
          rest.splice(at < 0 ? rest.length : at, 0, row)
          db.categories = rest
          return changed(row, { parent: named(parent_id) })
        }),
      ),
      http.get(
        `${one}/image/thumbnail`,
        guarded('category.view', () => new HttpResponse('small')),
      ),
      ...image('image', 'image'),
      ...image('article_type_image', 'article-type-image'),
      ...crud({
        table: 'categories',
        right: 'category',
        sort: 'name',
        textFields: ['name'],
        usedBy: [
          {
            by: 'categories',
            filter: 'parent_id',
            rows: (id) => db.categories.filter((row) => row.parent?.id === id).map(({ id, name }) => ({ id, name })),
          },
        ],
        completed(body) {
          const { parent_id, article_type_id } = body as unknown as CategoryInput
          const type = db.articleTypes.find(({ id }) => id === article_type_id)
          return { parent: named(parent_id), article_type: type ? { id: type.id, name: type.name } : null, inherited: NOTHING_INHERITED }
        },
      }),
    ]
  }

  function savedViews(): RequestHandler[] {
    const path = `${ORIGIN}/api/admin/views`
    const taken = (body: SavedViewInput, id: number) =>
      db.views.some((view) => view.id !== id && view.list === body.list && view.name === body.name)
        ? problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben.', { name: ['Diesen Namen gibt es schon.'] })
        : null
    return [
      http.get(
        path,
        guarded('access-admin', ({ url }) =>
          HttpResponse.json({ data: db.views.filter((view) => view.list === url.searchParams.get('list')) }),
        ),
      ),
      http.post(
        path,
        guarded('access-admin', async ({ request, user }) => {
          const { version: _, ...body } = (await request.json()) as SavedViewInput
          const id = db.views.length + 1
          const view: SavedView = { ...body, id, user: user.name, own: true, writable: true, default: false, version: 1, updated_at: '' }
          const refused = taken(body, id)
          if (refused) return refused
          db.views.push(view)
          return HttpResponse.json(view, { status: 201 })
        }),
      ),
      http.put(
        `${path}/default`,
        guarded('access-admin', async ({ request }) => {
          const { view_id } = (await request.json()) as { view_id: number | null }
          for (const view of db.views) view.default = view.id === view_id
          return new HttpResponse(null, { status: 204 })
        }),
      ),
      http.put(
        `${path}/:id`,
        guarded('access-admin', async ({ request, params }) => {
          const body = (await request.json()) as SavedViewInput
          const view = db.views.find(({ id }) => id === Number(params.id))
          if (!view) return problem(404, 'not_found', 'Die Ansicht wurde nicht gefunden.')
          const refused = taken(body, view.id)
          if (refused) return refused
          Object.assign(view, body, { version: view.version + 1 })
          return HttpResponse.json(view)
        }),
      ),
      http.delete(
        `${path}/:id`,
        guarded('access-admin', ({ params }) => {
          db.views = db.views.filter(({ id }) => id !== Number(params.id))
          return new HttpResponse(null, { status: 204 })
        }),
      ),
    ]
  }

  /** Enough of the templates' grammar to see something happen. */
  const fill = (template: string, value: (placeholder: string) => string | undefined) => {
    let complete = true
    const text = template.replace(/\{(\w+)\}/g, (_, placeholder: string) => {
      const known = value(placeholder)
      complete &&= known !== undefined
      return known ?? ''
    })
    return complete ? text : null
  }

  function typePreview(input: ArticleTypeInput): ArticleTypePreview {
    const used = input.attributes.flatMap(({ attribute_id, primary }) => {
      const attribute = db.attributes.find(({ id }) => id === attribute_id)
      return attribute ? [{ ...attribute, primary }] : []
    })
    const shows = (template: string, placeholder: string) => template.includes(`{${placeholder}}`)
    const missing = used.filter(({ primary, placeholder }) => primary && !shows(input.article_number_template, placeholder))
    const sample = (template: string) => fill(template, (placeholder) => used.find((one) => one.placeholder === placeholder) && '100') ?? ''
    return {
      problems: missing.length > 0 ? { article_number_template: [`Es fehlen: ${missing.map(({ name }) => name).join(', ')}`] } : {},
      missing_primary: missing.map(({ id, name, placeholder }) => ({ attribute_id: id, name, placeholder })),
      placeholders: [...used, { placeholder: 'material', name: 'Werkstoff' }].map(({ placeholder, name }) => ({
        placeholder,
        name,
        used_in_number: shows(input.article_number_template, placeholder),
        used_in_name: shows(input.article_name_template, placeholder),
      })),
      examples: [
        { article_id: null, article_number: sample(input.article_number_template), article_name: sample(input.article_name_template) },
      ],
    }
  }

  function articlePreview(input: ArticleInput): ArticlePreview {
    const type = db.articleTypes.find(({ id }) => id === input.article_type_id)
    const text = (template = '') =>
      fill(template, (placeholder) => {
        const attribute = db.attributes.find((one) => one.placeholder === placeholder)
        const value = input.values.find((one) => one.attribute_id === attribute?.id)
        const option = attribute?.options.find(({ id }) => id === value?.option_id)
        return option?.value ?? value?.number ?? value?.text ?? undefined
      })
    const weights = db.attributes.flatMap(({ id, weight_per_base_unit }) => {
      const number = input.values.find((one) => one.attribute_id === id)?.number
      return weight_per_base_unit && number ? [String(Number(weight_per_base_unit) * Number(number))] : []
    })
    return {
      article_number: text(type?.article_number_template),
      article_name: text(type?.article_name_template),
      weight_per_base_unit: weights[0] ?? null,
      material_required: `${type?.article_number_template}${type?.article_name_template}`.includes('{material}'),
      problems: {},
    }
  }

  const articlesOf = (filter: string, refers: (article: Article, id: number) => boolean): Reference => ({
    by: 'articles',
    filter,
    rows: (id) => db.articles.filter((article) => refers(article, id)).map(({ id, article_number: name }) => ({ id, name })),
  })

  /** What the type's articles would be called; two of one number are refused. */
  function typeEffect(id: number, input: ArticleTypeInput): ArticleEffect {
    const own = db.articles.filter(({ article_type }) => article_type.id === id)
    const changes = own.map((article) => {
      const called = (template: string) =>
        fill(template, (placeholder) => {
          const attribute = db.attributes.find((one) => one.placeholder === placeholder)
          const value = article.values.find(({ attribute_id }) => attribute_id === attribute?.id)
          return attribute?.options.find(({ id }) => id === value?.option_id)?.value ?? value?.number ?? value?.text ?? undefined
        })
      return {
        article_id: article.id,
        article_number: article.article_number,
        article_name: article.article_name,
        base_unit_of_measure: article.article_type.base_unit_of_measure,
        weight_per_base_unit: article.weight_per_base_unit,
        new_article_number: called(input.article_number_template),
        new_article_name: article.article_name_overridden ? article.article_name : called(input.article_name_template),
        new_weight_per_base_unit: article.weight_per_base_unit,
        problem: null as string | null,
      }
    })
    for (const change of changes) {
      const { new_article_number: number } = change
      if (changes.some((one) => one !== change && one.new_article_number === number))
        change.problem = `Die Nummer ${number} hätten mehrere Artikel`
    }
    const refused = changes.filter(({ problem }) => problem)
    const changed = changes.filter(
      (one) => !one.problem && [one.article_number, one.article_name].join() !== [one.new_article_number, one.new_article_name].join(),
    )
    const counts = {
      total: own.length,
      refused: refused.length,
      changed: changed.length,
      unchanged: own.length - refused.length - changed.length,
    }
    return { ...counts, changes: [...refused, ...changed] }
  }

  const categoryOf = (unit: Unit) => db.units.find((one) => one.unit === unit)?.category

  /** Every article is a bar of 12.1 m. */
  function quantities(amount: number, unit: Unit, weight: number) {
    const sizes: Partial<Record<Unit, number>> = { piece: 12.1, m: 1, mm: 0.001, kg: 1 / weight, t: 1000 / weight }
    const size = sizes[unit]
    if (size === undefined) {
      return problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben.', { unit: [`In ${unit} wird der Artikel nicht gezählt`] })
    }
    const others = (['piece', 'm', 'kg'] as const).filter((one) => categoryOf(one) !== categoryOf(unit))
    return HttpResponse.json<QuantityEquivalents>({
      equivalents: others.map((one) => ({ amount: ((amount * size) / (sizes[one] ?? 1)).toFixed(6), unit: one })),
      relations: [
        { of: 'piece', amount: '12.1', unit: 'm' },
        { of: 'm', amount: String(weight), unit: 'kg' },
      ],
    })
  }

  return [
    http.get(`${ORIGIN}/api/config`, () =>
      HttpResponse.json(
        {
          shop_url: 'https://shop.example',
          demo: true,
          upload_max_mb: 50,
          demo_accounts: db.users.map(({ email, name }) => ({ email, description: name, password: PASSWORD })),
          flags: db.flags,
        },
        { headers: { 'set-cookie': 'XSRF-TOKEN=mock; Path=/; SameSite=Lax' } },
      ),
    ),
    http.post(`${ORIGIN}/api/sessions`, async ({ request }) => {
      const { email, password } = (await request.json()) as { email: string; password: string }
      const user = db.users.find((one) => one.email === email)
      if (!user || password !== PASSWORD) return problem(401, 'invalid_credentials', 'Ihre Zugangsdaten sind ungültig.')
      db.ended.delete(`token-${email}`)
      return HttpResponse.json({ session: { token: `token-${email}` } }, { status: 201 })
    }),
    http.post(`${ORIGIN}/api/password-reset`, () => new HttpResponse(null, { status: 202, headers: { 'content-length': '0' } })),
    http.get(`${ORIGIN}/api/demo/mails`, () => HttpResponse.json({ data: [] })),
    http.get(
      `${ORIGIN}/api/sessions/current`,
      guarded(null, () => HttpResponse.json({ session: { expires_at: '2027-01-01T00:00:00Z', idle_expires_at: '2027-01-01T00:00:00Z' } })),
    ),
    http.delete(
      `${ORIGIN}/api/sessions/current`,
      guarded(null, ({ request }) => {
        db.ended.add(tokenOf(request))
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    http.get(
      `${ORIGIN}/api/users/me`,
      guarded(null, ({ user }) => HttpResponse.json(user)),
    ),
    http.get(
      `${ORIGIN}/api/users/me/data`,
      guarded(null, () => file('Personenbezogene%20Daten%201.json', '{}')),
    ),
    http.patch(
      `${ORIGIN}/api/users/me`,
      guarded(null, async ({ request, user }) => {
        const { version, ...change } = (await request.json()) as AccountPatch
        if (version !== undefined && version !== user.version) return problem(409, 'stale', 'Der Datensatz wurde inzwischen geändert.')
        return HttpResponse.json<CurrentUser>(Object.assign(user, change, { version: user.version + 1 }))
      }),
    ),
    http.put(
      `${ORIGIN}/api/users/me/password`,
      guarded(null, async ({ request }) => {
        const { current_password } = (await request.json()) as PasswordInput
        if (current_password !== PASSWORD) {
          return problem(422, 'invalid', '', { current_password: ['Das aktuelle Passwort ist nicht richtig'] })
        }
        db.sessions = db.sessions.filter(({ current }) => current)
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    http.post(
      `${ORIGIN}/api/users/me/password/strength`,
      guarded(null, async ({ request }) => {
        const { password } = (await request.json()) as PasswordDraft
        const enough = password.length > 15
        return HttpResponse.json<PasswordStrength>({
          score: enough ? 4 : 1,
          enough,
          warning: enough ? null : 'Das ähnelt einem häufig verwendeten Passwort.',
          suggestions: enough ? [] : ['Nehmen Sie ein oder zwei Wörter hinzu.'],
        })
      }),
    ),
    http.get(
      `${ORIGIN}/api/sessions`,
      guarded(null, () => HttpResponse.json({ data: db.sessions })),
    ),
    http.delete(
      `${ORIGIN}/api/sessions/others`,
      guarded(null, () => {
        db.sessions = db.sessions.filter(({ current }) => current)
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    http.delete(
      `${ORIGIN}/api/sessions/:id`,
      guarded(null, ({ params }) => {
        db.sessions = db.sessions.filter(({ id }) => id !== Number(params.id))
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    http.post(
      `${ORIGIN}/api/admin/tenants/:id/effect`,
      guarded('tenant.update', async ({ request, params }) => {
        const { permissions } = (await request.json()) as { permissions: Permission[] }
        const row = db.tenants.find((one) => one.id === Number(params.id))
        const grown = permissions.filter((permission) => !row?.permissions.includes(permission))
        return HttpResponse.json<CeilingEffect>({
          user_count: 12,
          gaining_count: 3,
          permissions: grown.map((name, at) => ({ name, user_count: at === 0 ? 3 : 0 })),
        })
      }),
    ),
    ...crud({
      table: 'tenants',
      right: 'tenant',
      sort: 'company',
      textFields: ['company', 'short_code'],
      unique: 'company',
      completed: () => ({ tenant_groups: [], user_count: 0 }),
    }),
    ...crud({
      table: 'tenantGroups',
      right: 'tenant-group',
      sort: 'name',
      textFields: ['name', 'description'],
      completed(body) {
        const { tenant_ids } = body as unknown as TenantGroupInput
        const tenants = db.tenants.filter(({ id }) => tenant_ids.includes(id)).map(({ id, company }) => ({ id, company }))
        return { tenants, tenant_count: tenants.length }
      },
    }),
    http.get(
      `${ORIGIN}/api/admin/units`,
      guarded(null, () => HttpResponse.json({ data: db.units })),
    ),
    http.get(
      `${ORIGIN}/api/admin/imports`,
      guarded('import.list', ({ url }) => page(db.imports, url, '-updated_at', ['name'])),
    ),
    http.post(
      `${ORIGIN}/api/admin/imports`,
      guarded('import.create', async ({ request, url }) => {
        const tenant = db.tenants.find(({ id }) => id === Number(url.searchParams.get('tenant_id')))
        if (!tenant) return problem(422, 'tenant_required', 'Bitte wählen Sie einen Mandanten.')
        const form = await request.formData()
        const file = form.get('file') as File
        const now = new Date().toISOString()
        const row: Import = {
          ...(db.imports[5] as Import),
          id: db.imports.length + 1,
          name: form.get('name') as string | null,
          type: form.get('type') as Import['type'],
          dry_run: form.get('dry_run') === 'true',
          upload_file: file.name,
          tenant: { id: tenant.id, company: tenant.company },
          created_at: now,
          updated_at: now,
        }
        db.imports.push(row)
        return HttpResponse.json(row, { status: 201 })
      }),
    ),
    ...savedViews(),
    http.get(
      `${ORIGIN}/api/admin/imports/:id`,
      guarded('import.view', ({ params }) => {
        const row = db.imports.find(({ id }) => id === Number(params.id))
        return row ? HttpResponse.json(row) : problem(404, 'not_found', 'Der Eintrag wurde nicht gefunden.')
      }),
    ),
    http.post(
      `${ORIGIN}/api/admin/imports/:id/apply`,
      guarded('import.create', ({ params, url }) => {
        const tried = db.imports.find(({ id }) => id === Number(params.id))
        if (!tried?.dry_run) return problem(409, 'no_dry_run', 'Das war kein Probelauf.')
        if (Number(url.searchParams.get('tenant_id')) !== tried.tenant.id) return problem(422, 'tenant_required', 'Mandant fehlt.')
        const row: Import = { ...(db.imports[5] as Import), ...tried, id: db.imports.length + 1, dry_run: false, status: 'Queued' }
        db.imports.push(row)
        return HttpResponse.json(row, { status: 201 })
      }),
    ),
    http.delete(
      `${ORIGIN}/api/admin/imports/:id`,
      guarded('import.delete', ({ params }) => {
        const row = db.imports.find(({ id }) => id === Number(params.id))
        if (row?.status !== 'Queued') return problem(409, 'not_queued', 'Der Import hat schon begonnen.')
        row.status = 'Cancelled'
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    http.get(
      `${ORIGIN}/api/admin/imports/:id/errors`,
      guarded('import.view', ({ url }) =>
        page(
          db.refusedRows.map((row) => ({ ...row, id: row.line, updated_at: '' })),
          url,
          'line',
          [],
        ),
      ),
    ),
    http.get(
      `${ORIGIN}/api/admin/imports/:id/rows`,
      guarded('import.view', ({ url }) => page([], url, 'line', [])),
    ),
    http.get(
      `${ORIGIN}/api/admin/imports/:id/:file`,
      guarded('import.view', () => file('artikel-fehler.csv', 'Artikelnummer;Fehler\r\n')),
    ),
    http.put(
      `${ORIGIN}/api/admin/attributes/order`,
      guarded('attribute.update', async ({ request }) => {
        const { ids } = (await request.json()) as { ids: number[] }
        for (const row of db.attributes) row.position = ids.indexOf(row.id) + 1
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    http.post(
      `${ORIGIN}/api/admin/article-types/preview`,
      guarded('article_type.view', async ({ request }) => HttpResponse.json(typePreview((await request.json()) as ArticleTypeInput))),
    ),
    http.post(
      `${ORIGIN}/api/admin/articles/:id/quantities`,
      guarded('article.view', async ({ request, params }) => {
        const { amount, unit } = (await request.json()) as QuantityInput
        const article = db.articles.find(({ id }) => id === Number(params.id))
        return article ? quantities(Number(amount), unit, Number(article.weight_per_base_unit)) : problem(404, 'not_found', '')
      }),
    ),
    http.post(
      `${ORIGIN}/api/admin/articles/preview`,
      guarded('article.view', async ({ request }) => HttpResponse.json(articlePreview((await request.json()) as ArticleInput))),
    ),
    ...crud({
      table: 'materials',
      right: 'material',
      sort: 'name',
      textFields: ['name', 'display_name', 'article_number_name', 'material_number'],
      usedBy: [articlesOf('material_id', ({ material }, id) => material?.id === id)],
    }),
    ...crud({
      table: 'attributes',
      right: 'attribute',
      sort: 'position',
      textFields: ['name'],
      usedBy: [
        {
          by: 'article_types',
          filter: 'attribute_id',
          rows: (id) => db.articleTypes.filter(({ attributes }) => attributes.some((one) => one.attribute_id === id)),
        },
      ],
    }),
    ...crud({ table: 'articleTypeGroups', right: 'article-type-group', sort: 'name', textFields: ['name', 'description'] }),
    http.post(
      `${ORIGIN}/api/admin/processings/preview`,
      guarded('processing.view', async ({ request }) => {
        const { article_number_addition_template: template } = (await request.json()) as ProcessingPreviewInput
        const addition = fill(template, (placeholder) => (placeholder === 'schnittlaenge' ? '2500' : undefined))
        return HttpResponse.json({
          problems: addition === null ? { article_number_addition_template: ['Den Platzhalter gibt es nicht'] } : {},
          placeholders: ['schnittlaenge'],
          example: addition && `HEB-200-S235JR${addition}`,
        } satisfies ProcessingPreview)
      }),
    ),
    ...categories(),
    ...crud({ table: 'processings', right: 'processing', sort: 'name', textFields: ['name', 'display_name'] }),
    ...crud({
      table: 'roles',
      right: 'roles',
      sort: 'name',
      textFields: ['name'],
      completed: () => ({ tenant: null, user_count: 0, writable: true }),
    }),
    http.post(
      `${ORIGIN}/api/admin/tokens`,
      guarded('token.create', async ({ request, user }) => {
        const { name, abilities, expires_at } = (await request.json()) as Required<TokenInput>
        if (db.tokens.some((token) => token.name === name))
          return problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben.', { name: ['Bereits vergeben'] })
        const known = db.tokens[0] as PersonalAccessToken
        const owner = { id: user.id, name: user.name }
        const token = {
          ...known,
          id: db.tokens.length + 1,
          name,
          abilities,
          expires_at: expires_at ?? known.expires_at,
          user: owner,
          own: true,
        }
        db.tokens.push(token)
        return HttpResponse.json<IssuedToken>({ token, plain_text: `pat_Ab3x${'x'.repeat(41)}001Z` }, { status: 201 })
      }),
    ),
    http.post(
      `${ORIGIN}/api/admin/tokens/:id/rotation`,
      guarded('token.create', async ({ request, params }) => {
        const { expires_at, overlap_hours, version } = (await request.json()) as TokenRotation
        const old = db.tokens.find(({ id }) => id === Number(params.id))
        if (!old) return problem(404, 'not_found', 'Der Eintrag wurde nicht gefunden.')
        if (version !== old.version) return problem(409, 'stale', 'Der Eintrag wurde inzwischen geändert.')
        const token = { ...old, id: db.tokens.length + 1, version: 1, expires_at: expires_at ?? old.expires_at }
        const until = new Date(Date.now() + (overlap_hours ?? 24) * 60 * 60_000).toISOString()
        Object.assign(old, { replaced_at: new Date().toISOString(), expires_at: until, version: old.version + 1 })
        db.tokens.push(token)
        return HttpResponse.json<IssuedToken>({ token, plain_text: `pat_Ab3x${'y'.repeat(41)}002Z` }, { status: 201 })
      }),
    ),
    ...crud({ table: 'tokens', right: 'token', sort: 'name', textFields: ['name'] }),
    ...crud({ table: 'tradeDimensions', right: 'trade_dimension', sort: 'name', textFields: ['name'] }),
    http.post(
      `${ORIGIN}/api/admin/article-types/:id/effect`,
      guarded('article_type.update', async ({ request, params }) =>
        HttpResponse.json(typeEffect(Number(params.id), (await request.json()) as ArticleTypeInput)),
      ),
    ),
    http.post(
      `${ORIGIN}/api/admin/article-types/:id/effect-file`,
      guarded(
        'article_type.update',
        () => new HttpResponse('Artikelnummer (Bisher);Artikelnummer (Künftig)\r\n', { headers: { 'content-type': 'text/csv' } }),
      ),
    ),
    // no article follows these here
    ...(['attribute', 'material'] as const).map((right) =>
      http.post(
        `${ORIGIN}/api/admin/${right}s/:id/effect`,
        guarded(`${right}.update`, () => HttpResponse.json({ total: 0, unchanged: 0, changed: 0, refused: 0, changes: [] })),
      ),
    ),
    // what it lets pass is saved by the next one
    http.put(`${ORIGIN}/api/admin/article-types/:id`, async ({ request, params }) => {
      const input = (await request.clone().json()) as ArticleTypeInput
      const { refused, changed, changes } = typeEffect(Number(params.id), input)
      if (refused > 0) {
        return problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben.', { article_number_template: [`${refused} Artikel kollidieren`] })
      }
      if (changed !== (input.change_articles ?? 0)) return problem(409, 'articles_change', `Damit ändern sich ${changed} Artikel.`)
      for (const { article_id, new_article_number, new_article_name } of changes) {
        const article = db.articles.find(({ id }) => id === article_id)
        Object.assign(article ?? {}, { article_number: new_article_number, article_name: new_article_name })
      }
      return undefined
    }),
    ...crud({
      table: 'articleTypes',
      right: 'article_type',
      sort: 'name',
      textFields: ['name'],
      usedBy: [articlesOf('article_type_id', ({ article_type }, id) => article_type.id === id)],
      completed: (body) => ({
        trade_dimension: db.tradeDimensions.find(({ id }) => id === body.trade_dimension_id) ?? null,
        group: db.articleTypeGroups.find(({ id }) => id === body.article_type_group_id) ?? null,
        attributes: (body as unknown as ArticleTypeInput).attributes.map((one, at) => ({
          ...db.attributes.find(({ id }) => id === one.attribute_id),
          ...one,
          position: at + 1,
        })),
      }),
    }),
    ...crud({
      table: 'articles',
      right: 'article',
      sort: 'article_number',
      textFields: ['article_number', 'article_name'],
      unique: 'article_number',
      completed(body) {
        const input = body as unknown as ArticleInput
        const preview = articlePreview(input)
        return {
          article_number: input.article_number ?? preview.article_number,
          article_number_overridden: input.article_number !== null,
          article_name: input.article_name ?? preview.article_name,
          article_name_overridden: input.article_name !== null,
          weight_per_base_unit: input.weight_per_base_unit ?? preview.weight_per_base_unit,
          weight_per_base_unit_overridden: input.weight_per_base_unit !== null,
          article_type: db.articleTypes.find(({ id }) => id === input.article_type_id),
          material: db.materials.find(({ id }) => id === input.material_id) ?? null,
        }
      },
    }),
  ]
}
