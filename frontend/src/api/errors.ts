import type { Problem, Usage } from './schema'

export type ApiErrorKind = 'http' | 'network' | 'timeout' | 'aborted'

/** Error of all API calls, which throw no other. `fields` maps paths ("options.0.value") to the server's texts. */
export class ApiError extends Error {
  readonly kind: ApiErrorKind
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string[]>
  /** Ids of the records that already have a value, by the value's path. */
  readonly takenBy: Record<string, number>
  /** Error codes of the server by path. */
  readonly codes: Record<string, string[]>
  /** References that prevented a deletion. */
  readonly usedBy: Usage[]
  readonly requestId: string | null
  readonly retryAfter: number | null

  constructor(
    init: Partial<
      Pick<ApiError, 'kind' | 'status' | 'code' | 'message' | 'fields' | 'codes' | 'takenBy' | 'usedBy' | 'requestId' | 'retryAfter'>
    >,
  ) {
    super(init.message ?? '')
    this.name = 'ApiError'
    this.kind = init.kind ?? 'http'
    this.status = init.status ?? 0
    this.code = init.code ?? ''
    this.fields = init.fields ?? {}
    this.takenBy = init.takenBy ?? {}
    this.codes = init.codes ?? {}
    this.usedBy = init.usedBy ?? []
    this.requestId = init.requestId ?? null
    this.retryAfter = init.retryAfter ?? null
  }

  static async from(response: Response): Promise<ApiError> {
    // a proxy's HTML page or an empty body must still become an error with a status
    const body = (await response
      .clone()
      .json()
      .catch(() => ({}))) as Partial<Problem>
    const retryAfter = Number(response.headers.get('retry-after'))
    return new ApiError({
      status: response.status,
      code: body.code ?? '',
      message: body.message ?? '',
      fields: body.errors ?? {},
      takenBy: body.taken_by ?? {},
      codes: body.error_codes ?? {},
      usedBy: body.used_by ?? [],
      requestId: body.request_id ?? null,
      retryAfter: retryAfter > 0 ? retryAfter : null,
    })
  }

  static transport(error: unknown): ApiError {
    if (error instanceof ApiError) return error
    const name = error instanceof Error || error instanceof DOMException ? error.name : ''
    const kind = name === 'TimeoutError' ? 'timeout' : name === 'AbortError' ? 'aborted' : 'network'
    return new ApiError({ kind })
  }
}

export function isApiError(error: unknown, code?: string): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code)
}
