import { HttpResponse } from 'msw'
import type { CurrentUser, Permission, Problem } from '~/api/schema'
import type { Db } from './db'

export const ORIGIN = '*'
export const PASSWORD = 'profil-traeger-walzwerk'

let problems = 0

export const problem = (status: number, code: Problem['code'], message: string, errors: Problem['errors'] = null) =>
  HttpResponse.json<Problem>({ code, message, errors, error_codes: null, used_by: null, request_id: `mock-${++problems}` }, { status })

export const file = (name: string, content: string) =>
  new HttpResponse(content, {
    headers: { 'content-type': 'text/csv', 'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}` },
  })

type Answer = (args: { request: Request; params: Record<string, string>; url: URL; user: CurrentUser }) => Response | Promise<Response>
type Handler = (info: { request: Request; params: object }) => Response | Promise<Response>

/** What handlers share: the rows, and who may ask. */
export interface Mock {
  db: Db
  /** Answers whoever is signed in, and has the right where one is said. */
  guarded: (right: Permission | null, answer: Answer) => Handler
}

export const tokenOf = (request: Request): string => request.headers.get('authorization')?.slice('Bearer '.length) ?? ''

export function mock(db: Db): Mock {
  const userOf = (request: Request): CurrentUser | undefined => {
    const token = tokenOf(request)
    return db.ended.has(token) ? undefined : db.users.find((user) => token === `token-${user.email}`)
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
