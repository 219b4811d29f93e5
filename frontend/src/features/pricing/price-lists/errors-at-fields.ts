import { ApiError } from '~/api/errors'

/**
 * Maps the errors of a rejected request to the fields of a form that has other names for them than the API.
 */
export function errorsAtFields(
  error: unknown,
  fieldOf: (path: string) => string,
  messageOf: (path: string) => string | null = () => null,
): unknown {
  if (!(error instanceof ApiError)) return error
  const { kind, status, code, message, usedBy, requestId, retryAfter } = error
  const fields = Object.entries(error.fields).map(([path, messages]) => [fieldOf(path), messageOf(path) ? [messageOf(path)] : messages])
  return new ApiError({ kind, status, code, message, usedBy, requestId, retryAfter, fields: Object.fromEntries(fields) })
}
