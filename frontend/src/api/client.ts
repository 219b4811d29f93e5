import createClient, { type Middleware } from 'openapi-fetch'
import type { OpenapiQueryClient } from 'openapi-react-query'
import { context } from './context'
import { ApiError } from './errors'
import { queryString } from './query-string'
import { isUnavailable, reportFailure, reportSuccess } from './reach'
import type { paths } from './schema'

const TIMEOUT = 10_000
/** Header for a timeout of 5 minutes: bulk operations and files. */
export const LONG_TIMEOUT = { 'x-timeout': String(5 * 60_000) } as const
/**
 * Header for a timeout of 30 s: calls that the server passes on to another system, which may take 10 s after
 * fetching a token.
 */
export const ASKS_ANOTHER_SYSTEM = { 'x-timeout': '30000' } as const
const SAFE = new Set(['GET', 'HEAD'])

export function xsrfToken(): string | null {
  const value = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1]
  return value ? decodeURIComponent(value) : null
}

/** Requests a fresh anti-forgery cookie for the current session; the server sets it on any answer. */
export const fetchXsrf = (signal: AbortSignal) => globalThis.fetch(`${location.origin}/api/config`, { signal, headers: identity() })

function withXsrf(request: Request): Request {
  const value = xsrfToken()
  if (value) request.headers.set('X-XSRF-TOKEN', value)
  return request
}

/**
 * Sends a request; unsafe ones with the anti-forgery token. If the server rejects the token, it sends a
 * fresh one, and the call is repeated once.
 */
async function send(request: Request): Promise<Response> {
  if (SAFE.has(request.method)) return globalThis.fetch(request)
  if (!xsrfToken()) await fetchXsrf(request.signal)
  const retryCopy = request.clone()
  const response = await globalThis.fetch(withXsrf(request))
  if (response.status !== 403) return response
  const error = await ApiError.from(response)
  return error.code === 'csrf_mismatch' ? globalThis.fetch(withXsrf(retryCopy)) : response
}

/** Headers with the session's token and the language. */
export function identity(): Record<string, string> {
  const token = context.token()
  return { Accept: 'application/json', 'Accept-Language': context.language(), ...(token && { Authorization: `Bearer ${token}` }) }
}

/** Adds the chosen tenant to addresses of the admin area. */
export function withTenant(address: string): URL {
  const url = new URL(address, location.origin)
  const tenant = context.tenant()
  if (tenant !== null && url.pathname.startsWith('/api/admin/') && !url.searchParams.has('tenant_id')) {
    url.searchParams.set('tenant_id', String(tenant))
  }
  return url
}

/**
 * Request whose address is final before it is constructed: for a copy with a changed address Chromium
 * streams the body, which HTTP/1.1 does not support.
 */
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
    if (isUnavailable(response.status)) reportFailure()
    else reportSuccess()
    if (response.ok) return
    const token = request.headers.get('Authorization')?.slice('Bearer '.length)
    const signingIn = request.method === 'POST' && new URL(request.url).pathname === '/api/sessions'
    if (response.status === 401 && token && !signingIn) context.refused(token)
    throw await ApiError.from(response)
  },
  onError({ error }) {
    const failure = ApiError.transport(error)
    if (failure.kind === 'network' || failure.kind === 'timeout') reportFailure()
    return failure
  },
}

export const client = createClient<paths>({ baseUrl: location.origin, fetch: send, Request: TenantRequest, querySerializer: queryString })
client.use(headers, timeout, errors)

type SendRequest = (method: string, path: string, init: object) => Promise<{ data?: unknown }>

/**
 * Types of the library with the only function in use; the others would add infinite queries and mutations to
 * the sign-in page.
 */
export const $api = {
  queryOptions: (method: string, path: string, init?: object, options?: object) => ({
    queryKey: init === undefined ? [method, path] : [method, path, init],
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      (await (client.request as SendRequest)(method, path, { signal, ...init })).data ?? null,
    ...options,
  }),
} as unknown as Pick<OpenapiQueryClient<paths>, 'queryOptions'>

/** Request to which an answer belongs. */
interface Origin {
  /** Id by which the server can undo the request. */
  request: string
  path: string
  /** True if the request has created a record. */
  created: boolean
}

const origins = new WeakMap<object, Origin>()

export const originOf = (answer: unknown): Origin | undefined =>
  typeof answer === 'object' && answer !== null ? origins.get(answer) : undefined

/**
 * Returns the answer's body, or an empty object if there is none; the middleware has already thrown errors.
 */
export async function data<T>(call: Promise<{ data?: T; response?: Response }>): Promise<T> {
  const { data: body, response } = await call
  const answer = body === undefined ? {} : body
  const request = response?.headers.get('x-request-id')
  if (response && request && typeof answer === 'object' && answer !== null) {
    origins.set(answer, { request, path: new URL(response.url, location.origin).pathname, created: response.status === 201 })
  }
  return answer as T
}
