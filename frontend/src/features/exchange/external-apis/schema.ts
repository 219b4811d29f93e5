import type { Control, FieldPath, UseFormReturn } from 'react-hook-form'
import {
  type AvailabilityEndpoint,
  type ExternalApi,
  type ExternalApiEndpointName,
  type ExternalListEndpoint,
  externalApiAuthenticationValues,
  externalApiKindValues,
  externalApiMethodValues,
  type FtpSchedule,
  unitValues,
} from '~/api/schema'
import { type ScheduleForm, scheduleForm, scheduleSchema } from '~/features/exchange/shared/schedule'
import { bodySchema, choice, code, nullableEnum, nullableText, nullableWhole, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type ExternalApiBody = BodyOf<'/api/admin/external-apis'>

const URL_MAX = 2_000
const SECRET_MAX = 1_024
const CERTIFICATES_MAX = 65_536
const BODY_MAX = 16_384
const POINTER_MAX = 255
const PATH_MAX = 1_000

/** Pointer to the entry itself, as the form shows the empty pointer. */
export const ITSELF = '.'

const HTTPS = { test: /^https:\/\//i, code: 'externalApis:rules.https' }
const POINTER = { test: /^(\.|(\/([^~/]|~[01])*)+)$/, code: 'externalApis:rules.pointer' }
const LIST_POINTER = { test: /^(\/([^~/]|~[01])*)+$/, code: 'externalApis:rules.pointer' }
const JSON_TEXT = {
  test: {
    test: (value: string) => {
      try {
        JSON.parse(value)
        return true
      } catch {
        return false
      }
    },
  },
  code: 'externalApis:rules.json',
}

const url = () => nullableText({ max: URL_MAX, rule: HTTPS })

/** Schema of a pointer relative to an entry; an empty text is null, the entry itself the empty pointer. */
const pointer = () =>
  z.pipe(
    nullableText({ max: POINTER_MAX, rule: POINTER }),
    z.transform((value: string | null) => (value === ITSELF ? '' : value)),
  )

/** Schema of an integer within bounds. */
const whole = (min: number, max: number) =>
  z.pipe(
    z.pipe(
      nullableWhole(),
      z.nullable(z.number()).check(
        z.refine((value) => value !== null, 'required'),
        z.refine((value) => value === null || value >= min, code('notLess', { min })),
        z.refine((value) => value === null || value <= max, code('externalApis:rules.atMost', { max })),
      ),
    ),
    z.transform((value) => value as number),
  )

/** Schema of a secret; empty leaves the stored one unchanged. White space is significant. */
const secret = z.pipe(
  z.string().check(z.maxLength(SECRET_MAX, code('maxChars', { max: SECRET_MAX }))),
  z.transform((value): string | null => value || null),
)

const EMPTY_AVAILABILITY = {
  enabled: false,
  method: 'GET' as AvailabilityEndpoint['method'],
  path: '',
  body: '',
  lines_max: '1',
  list: '',
  article_number: '',
  warehouse: '',
  quantity: '',
  unit: '',
  unit_if_missing: '' as NonNullable<AvailabilityEndpoint['unit_if_missing']> | '',
  next_page: '',
}
export type AvailabilityForm = typeof EMPTY_AVAILABILITY

const EMPTY_LIST = { enabled: false, path: '', list: '', number: '', name: '', gtin: '', next_page: '' }
export type ListForm = typeof EMPTY_LIST

type ReportMissing = (name: string) => void

/** Schema of an endpoint: null while it is disabled, in which case its fields are not validated. */
const endpoint = <Form extends { enabled: boolean }, Read, Body>(
  fields: z.ZodMiniType<Read, Form>,
  checkRead: (read: Read, missing: ReportMissing) => void,
  toBody: (read: Read) => Body,
) =>
  z.pipe(
    z.custom<Form>(),
    z.transform((form, context): Body | null => {
      if (!form.enabled) return null
      const { data, error } = fields.safeParse(form)
      for (const issue of error?.issues ?? []) {
        context.issues.push({ code: 'custom', input: form, path: [...issue.path], message: issue.message })
      }
      if (!data) return null
      checkRead(data, (name) => context.issues.push({ code: 'custom', input: form, path: [name], message: 'required' }))
      return toBody(data)
    }),
  )

const availability = endpoint(
  z
    .object({
      enabled: z.boolean(),
      method: choice(externalApiMethodValues),
      path: text(PATH_MAX),
      body: z.string(),
      lines_max: whole(1, 200),
      list: nullableText({ max: POINTER_MAX, rule: LIST_POINTER }),
      article_number: pointer(),
      warehouse: pointer(),
      quantity: pointer(),
      unit: pointer(),
      unit_if_missing: nullableEnum(unitValues),
      next_page: nullableText({ max: POINTER_MAX, rule: LIST_POINTER }),
    })
    .check(
      z.check(({ value, issues }) => {
        if (value.method !== 'POST') return
        const bodyIssues = nullableText({ max: BODY_MAX, rule: JSON_TEXT }).safeParse(value.body).error?.issues ?? []
        for (const { message } of bodyIssues) issues.push({ code: 'custom', input: value, path: ['body'], message })
      }),
    ) as z.ZodMiniType<AvailabilityRead, AvailabilityForm>,
  (read, missing) => {
    if (read.quantity === null) missing('quantity')
    if (read.lines_max > 1 && read.article_number === null) missing('article_number')
  },
  ({ enabled: _, ...read }): AvailabilityEndpoint => ({
    ...read,
    quantity: read.quantity ?? '',
    body: read.method === 'POST' ? read.body.trim() || null : null,
  }),
)

type AvailabilityRead = Omit<Required<AvailabilityEndpoint>, 'quantity' | 'body'> & {
  enabled: boolean
  quantity: string | null
  body: string
}

const list = endpoint(
  z.object({
    enabled: z.boolean(),
    path: text(PATH_MAX),
    list: nullableText({ max: POINTER_MAX, rule: LIST_POINTER }),
    number: pointer(),
    name: pointer(),
    gtin: pointer(),
    next_page: nullableText({ max: POINTER_MAX, rule: LIST_POINTER }),
  }) as z.ZodMiniType<ListRead, ListForm>,
  (read, missing) => {
    if (read.number === null) missing('number')
  },
  ({ enabled: _, ...read }): ExternalListEndpoint => ({ ...read, number: read.number ?? '' }),
)

type ListRead = Omit<Required<ExternalListEndpoint>, 'number'> & { enabled: boolean; number: string | null }

/** Schema of a schedule: null while it is disabled. */
const schedule = z.pipe(
  z.custom<ScheduleForm & { enabled: boolean }>(),
  z.transform((form, context): FtpSchedule | null => {
    if (!form.enabled) return null
    const { data, error } = scheduleSchema.safeParse(form)
    for (const { path, message } of error?.issues ?? []) context.issues.push({ code: 'custom', input: form, path: [...path], message })
    if (data === null) context.issues.push({ code: 'custom', input: form, path: ['time'], message: 'required' })
    return data ?? null
  }),
)

const settings = bodySchema<ExternalApiBody>()({
  kind: choice(externalApiKindValues),
  base_url: text(URL_MAX).check(z.refine((value) => value === '' || HTTPS.test.test(value), HTTPS.code)),
  authentication: choice(externalApiAuthenticationValues),
  username: nullableText(),
  header_name: nullableText({ max: 100 }),
  token_url: url(),
  scope: nullableText({ max: 1_000 }),
  secret,
  ca_certificate: nullableText({ max: CERTIFICATES_MAX }),
  timeout_ms: whole(500, 10_000),
  cache_seconds: whole(0, 86_400),
  active: z.boolean(),
  availability,
  meta_data: z.object({ articles: list, warehouses: list, tenants: list }),
  schedule,
})

/** Fields that each kind of authentication needs. */
export const NEEDED_BY = {
  none: [],
  basic: ['username'],
  bearer: [],
  header: ['header_name'],
  oauth2: ['username', 'token_url'],
} as const satisfies Record<ExternalApi['authentication'], readonly ('username' | 'header_name' | 'token_url')[]>

/** Schema with rules between fields; fields that do not belong to the chosen authentication are left out. */
export const externalApiSchema = z.pipe(
  settings.check(
    z.check(({ value, issues }) => {
      for (const name of NEEDED_BY[value.authentication]) {
        if (value[name] == null) issues.push({ code: 'custom', input: value, path: [name], message: 'required' })
      }
    }),
  ),
  z.transform((body): ExternalApiBody => {
    const { authentication } = body
    const needsField = (name: 'username' | 'header_name' | 'token_url') => NEEDED_BY[authentication].some((field) => field === name)
    return {
      ...body,
      username: needsField('username') ? (body.username ?? null) : null,
      header_name: needsField('header_name') ? (body.header_name ?? null) : null,
      token_url: needsField('token_url') ? (body.token_url ?? null) : null,
      scope: authentication === 'oauth2' ? (body.scope ?? null) : null,
      secret: authentication === 'none' ? null : (body.secret ?? null),
      // without lists there is nothing to fetch by schedule
      schedule: Object.values(body.meta_data).some((value) => value !== null) ? (body.schedule ?? null) : null,
    }
  }),
)

const pointerText = (value: string | null | undefined) => (value === '' ? ITSELF : (value ?? ''))

const availabilityForm = (saved: AvailabilityEndpoint | null | undefined): AvailabilityForm =>
  saved
    ? {
        enabled: true,
        method: saved.method,
        path: saved.path,
        body: saved.body ?? '',
        lines_max: String(saved.lines_max),
        list: saved.list ?? '',
        article_number: pointerText(saved.article_number),
        warehouse: pointerText(saved.warehouse),
        quantity: pointerText(saved.quantity),
        unit: pointerText(saved.unit),
        unit_if_missing: saved.unit_if_missing ?? '',
        next_page: saved.next_page ?? '',
      }
    : EMPTY_AVAILABILITY

const listForm = (saved: ExternalListEndpoint | null | undefined): ListForm =>
  saved
    ? {
        enabled: true,
        path: saved.path,
        list: saved.list ?? '',
        number: pointerText(saved.number),
        name: pointerText(saved.name),
        gtin: pointerText(saved.gtin),
        next_page: saved.next_page ?? '',
      }
    : EMPTY_LIST

export const toForm = (row: ExternalApi | null) => ({
  kind: row?.kind ?? ('generic_json' as const),
  base_url: row?.base_url ?? '',
  authentication: row?.authentication ?? ('bearer' as const),
  username: row?.username ?? '',
  header_name: row?.header_name ?? '',
  token_url: row?.token_url ?? '',
  scope: row?.scope ?? '',
  secret: '',
  ca_certificate: row?.ca_certificate ?? '',
  timeout_ms: String(row?.timeout_ms ?? 3_000),
  cache_seconds: String(row?.cache_seconds ?? 60),
  active: row?.active ?? true,
  availability: availabilityForm(row?.availability),
  meta_data: {
    articles: listForm(row?.meta_data.articles),
    warehouses: listForm(row?.meta_data.warehouses),
    tenants: listForm(row?.meta_data.tenants),
  },
  schedule: { enabled: row !== null && row.schedule !== null, ...scheduleForm(row?.schedule) },
})

export type ExternalApiForm = ReturnType<typeof toForm>

export type ExternalApiControl = Control<ExternalApiForm, unknown, ExternalApiBody>

/** Props with the form and the saved record that it changes. */
export interface ExternalApiFormProps {
  form: UseFormReturn<ExternalApiForm, unknown, ExternalApiBody>
  row: ExternalApi | null
}

/** Path of an endpoint in the form. */
export const endpointPath = (endpoint: ExternalApiEndpointName) =>
  endpoint === 'availability' ? endpoint : (`meta_data.${endpoint}` as const)

/** Fields that a test of an endpoint needs. */
export const endpointTestFields = (endpoint: ExternalApiEndpointName): FieldPath<ExternalApiForm>[] => [
  'base_url',
  'authentication',
  'username',
  'header_name',
  'token_url',
  'scope',
  'secret',
  'ca_certificate',
  'timeout_ms',
  `${endpointPath(endpoint)}.path`,
  ...(endpoint === 'availability' ? (['availability.body', 'availability.lines_max'] as const) : []),
]

/**
 * Settings for a test: the connection and one endpoint. The mapping of its response may still be incomplete,
 * since users map by selecting values of the response. Null if a setting is invalid.
 */
export function endpointTestSettings(form: ExternalApiForm, endpoint: ExternalApiEndpointName): ExternalApiBody | null {
  const empty = toForm(null)
  const { availability, meta_data } = form
  const read = <F extends ListForm>(list: F) => ({ ...list, enabled: true, number: list.number || ITSELF })
  const tested = {
    ...form,
    cache_seconds: empty.cache_seconds,
    schedule: empty.schedule,
    availability:
      endpoint === 'availability'
        ? {
            ...availability,
            enabled: true,
            quantity: availability.quantity || ITSELF,
            article_number: availability.article_number || (availability.lines_max.trim() === '1' ? '' : ITSELF),
          }
        : empty.availability,
    meta_data: endpoint === 'availability' ? empty.meta_data : { ...empty.meta_data, [endpoint]: read(meta_data[endpoint]) },
  }
  return externalApiSchema.safeParse(tested).data ?? null
}

const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : address)

/**
 * True if saving removes the stored secret, because it would be sent to another address and was not entered
 * again.
 */
export function clearsApiSecret(
  row: ExternalApi | null,
  form: Pick<ExternalApiForm, 'base_url' | 'authentication' | 'username' | 'header_name' | 'token_url' | 'secret'>,
): boolean {
  if (!row?.secret_set || form.secret !== '') return false
  const neededFields: readonly string[] = NEEDED_BY[row.authentication]
  return (
    form.authentication !== row.authentication ||
    originOf(form.base_url.trim()) !== originOf(row.base_url) ||
    (['username', 'header_name', 'token_url'] as const).some(
      (name) => neededFields.includes(name) && form[name].trim() !== (row[name] ?? ''),
    )
  )
}
