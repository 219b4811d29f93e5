import { type DefaultBodyType, HttpResponse, type RequestHandler, http as untyped } from 'msw'
import type { CurrentUser, Permission, Problem, paths } from '~/api/schema'
import type { Db } from './db'

export const ORIGIN = '*'
export const PASSWORD = 'profil-traeger-walzwerk'

let problems = 0

/** Problem response; its type fits every operation. */
export const problem = (
  status: number,
  code: Problem['code'],
  message: string,
  errors: Problem['errors'] = null,
  used_by: Problem['used_by'] = null,
): HttpResponse<never> =>
  HttpResponse.json<Problem>(
    { code, message, errors, error_codes: null, used_by, request_id: `mock-${++problems}` },
    { status },
  ) as HttpResponse<never>

/** File response; its type fits every operation. */
export const file = (name: string, content: string): HttpResponse<never> =>
  new HttpResponse<never>(content as never, {
    headers: { 'content-type': 'text/csv', 'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}` },
  })

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
export type PathWith<M extends Method> = { [P in keyof paths]: paths[P] extends { [K in M]: object } ? P : never }[keyof paths]
type Content<R> = R extends { content: infer C } ? C[keyof C] : null
export type Documented<P extends keyof paths, M extends Method> = paths[P] extends { [K in M]: { responses: infer R } }
  ? Content<R[Extract<keyof R, 200 | 201 | 202 | 204>]>
  : never

type Reply<T extends DefaultBodyType> = HttpResponse<T>
type Answer<T extends DefaultBodyType> = (args: {
  request: Request
  params: Record<string, string>
  url: URL
  user: CurrentUser
}) => Reply<T> | Promise<Reply<T>>
type Handler<T extends DefaultBodyType> = (info: { request: Request; params: object }) => Reply<T> | Promise<Reply<T>>

const depth = (path: string) => path.split('/').length

// compares method and depth of the path first: msw would read the cookies of each request for each of
// hundreds of handlers
const on =
  <M extends Method>(method: M) =>
  <P extends PathWith<M>>(path: P, handler: Handler<Documented<P, M> & DefaultBodyType>): RequestHandler => {
    const mocked = untyped[method](ORIGIN + path.replace(/\{(\w+)\}/g, ':$1'), handler as never)
    const run = mocked.run.bind(mocked)
    const fits = ({ method: requestMethod, url }: Request) =>
      requestMethod === method.toUpperCase() && depth(new URL(url).pathname) === depth(path)
    mocked.run = async (args) => (fits(args.request) ? run(args) : null)
    return mocked
  }

/** Handler builders for operations of the contract, with answers typed by it. */
export const http = { get: on('get'), post: on('post'), put: on('put'), patch: on('patch'), delete: on('delete') }

/** Context of handlers: the rows, and the check of permissions. */
export interface Mock {
  db: Db
  /** Wraps a handler: the user must be signed in, and have the permission if one is given. */
  guarded: <T extends DefaultBodyType>(right: Permission | null, answer: Answer<T>) => Handler<T>
}

export const tokenOf = (request: Request): string => request.headers.get('authorization')?.slice('Bearer '.length) ?? ''

export function mock(db: Db): Mock {
  const userOf = (request: Request): CurrentUser | undefined => {
    const token = tokenOf(request)
    return db.revokedTokens.has(token) ? undefined : db.users.find((user) => token === `token-${user.email}`)
  }
  return {
    db,
    guarded:
      (right, answer) =>
      ({ request, params }) => {
        const user = userOf(request)
        if (!user) return problem(401, 'unauthenticated', 'Bitte melden Sie sich an.')
        if (right && !user.permissions.some(({ name }) => name === right))
          return problem(403, 'forbidden', 'Dafür fehlt Ihnen die Berechtigung.')
        return answer({ request, params: params as Record<string, string>, url: new URL(request.url), user })
      },
  }
}
