import createClient, { type Middleware } from 'openapi-fetch'
import type { OpenapiQueryClient } from 'openapi-react-query'
import { context } from './context'
import { ApiError } from './errors'
import { queryString } from './query-string'
import { doubt, heard, isAway } from './reach'
import type { paths } from './schema'

const TIMEOUT = 10_000
/** For what is done to many records, and for files. */
export const PATIENT = { 'x-timeout': String(5 * 60_000) } as const
/** For questions that another system answers: it may take 10 s, and its tokens come first. */
export const ASKS_ANOTHER_SYSTEM = { 'x-timeout': '30000' } as const
const SAFE = new Set(['GET', 'HEAD'])

export function xsrfToken(): string | null {
  const value = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1]
  return value ? decodeURIComponent(value) : null
}

/** The server sets the cookie with any answer: the one that goes with the session that asks. */
export const fetchXsrf = (signal: AbortSignal) => globalThis.fetch(`${location.origin}/api/config`, { signal, headers: identity() })

function withXsrf(request: Request): Request {
  const value = xsrfToken()
  if (value) request.headers.set('X-XSRF-TOKEN', value)
  return request
}

/** Unsafe calls carry the anti-forgery value; when it has changed, the server sends a fresh one and we ask once more. */
async function send(request: Request): Promise<Response> {
  if (SAFE.has(request.method)) return globalThis.fetch(request)
  if (!xsrfToken()) await fetchXsrf(request.signal)
  const spare = request.clone()
  const response = await globalThis.fetch(withXsrf(request))
  if (response.status !== 403) return response
  const error = await ApiError.from(response)
  return error.code === 'csrf_mismatch' ? globalThis.fetch(withXsrf(spare)) : response
}

/** Who asks, and in which language. */
export function identity(): Record<string, string> {
  const token = context.token()
  return { Accept: 'application/json', 'Accept-Language': context.language(), ...(token && { Authorization: `Bearer ${token}` }) }
}

/** Calls of the admin area carry the chosen tenant. */
export function withTenant(address: string): URL {
  const url = new URL(address, location.origin)
  const tenant = context.tenant()
  if (tenant !== null && url.pathname.startsWith('/api/admin/') && !url.searchParams.has('tenant_id')) {
    url.searchParams.set('tenant_id', String(tenant))
  }
  return url
}

/** A request's address is chosen before it is made: of a copy to another address Chromium streams the body, which HTTP/1.1 cannot. */
class TenantRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === 'string' ? withTenant(input) : input, init)
  }
}

const headers: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(identity())) request.headers.set(name, value)
  },
}

const timeout: Middleware = {
  onRequest({ request }) {
    const ms = Number(request.headers.get('x-timeout')) || TIMEOUT
    request.headers.delete('x-timeout')
    return new TenantRequest(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(ms)]) })
  },
}

const errors: Middleware = {
  async onResponse({ request, response }) {
    if (isAway(response.status)) doubt()
    else heard()
    if (response.ok) return
    const token = request.headers.get('Authorization')?.slice('Bearer '.length)
    const signingIn = request.method === 'POST' && new URL(request.url).pathname === '/api/sessions'
    if (response.status === 401 && token && !signingIn) context.refused(token)
    throw await ApiError.from(response)
  },
  onError({ error }) {
    const failure = ApiError.transport(error)
    if (failure.kind === 'network' || failure.kind === 'timeout') doubt()
    return failure
  },
}

export const client = createClient<paths>({ baseUrl: location.origin, fetch: send, Request: TenantRequest, querySerializer: queryString })
client.use(headers, timeout, errors)

type Ask = (method: string, path: string, init: object) => Promise<{ data?: unknown }>

/** The library's types and its one function that is used; the others would bring infinite queries and mutations to the sign-in page. */
export const $api = {
  queryOptions: (method: string, path: string, init?: object, options?: object) => ({
    queryKey: init === undefined ? [method, path] : [method, path, init],
    queryFn: async ({ signal }: { signal: AbortSignal }) => (await (client.request as Ask)(method, path, { signal, ...init })).data ?? null,
    ...options,
  }),
} as unknown as Pick<OpenapiQueryClient<paths>, 'queryOptions'>

/** The request that an answer belongs to. */
interface Origin {
  /** By which the server takes back what it has written. */
  request: string
  path: string
  /** True if it has created a record. */
  created: boolean
}

const origins = new WeakMap<object, Origin>()

export const originOf = (answer: unknown): Origin | undefined =>
  typeof answer === 'object' && answer !== null ? origins.get(answer) : undefined

/** The answer's body, an empty object where there is none; failures were thrown by the middleware. */
export async function data<T>(call: Promise<{ data?: T; response?: Response }>): Promise<T> {
  const { data: body, response } = await call
  const answer = body === undefined ? {} : body
  const request = response?.headers.get('x-request-id')
  if (response && request && typeof answer === 'object' && answer !== null) {
    origins.set(answer, { request, path: new URL(response.url, location.origin).pathname, created: response.status === 201 })
  }
  return answer as T
}
