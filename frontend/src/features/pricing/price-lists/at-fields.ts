import { ApiError } from '~/api/errors'

/** A refusal whose errors stand at the fields of a form that calls them otherwise than the contract does. */
export function atFields(error: unknown, fieldOf: (path: string) => string, worded: (path: string) => string | null = () => null): unknown {
  if (!(error instanceof ApiError)) return error
  const { kind, status, code, message, usedBy, requestId, retryAfter } = error
  const fields = Object.entries(error.fields).map(([path, messages]) => [fieldOf(path), worded(path) ? [worded(path)] : messages])
  return new ApiError({ kind, status, code, message, usedBy, requestId, retryAfter, fields: Object.fromEntries(fields) })
}
