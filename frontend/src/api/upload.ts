import { change } from './change'
import { fetchXsrf, identity, withTenant, xsrfToken } from './client'
import { context } from './context'
import { ApiError, isApiError } from './errors'
import { isUnavailable, reportFailure, reportSuccess } from './reach'

const TIMEOUT = 5 * 60_000

export interface UploadOptions {
  /** Receives the share that has been sent, from 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
  method?: 'POST' | 'PUT'
}

/**
 * Sends a form with a file and invalidates queries. Uses XMLHttpRequest, because fetch does not report the
 * progress of an upload.
 */
export const upload = <T>(path: string, form: FormData, options: UploadOptions): Promise<T> => change(sendForm<T>(path, form, options))

/** Sends a form with a file without invalidating queries, for requests that store nothing. */
export async function sendForm<T>(path: string, form: FormData, options: UploadOptions): Promise<T> {
  if (!xsrfToken()) {
    await fetchXsrf(options.signal).catch((error) => {
      throw ApiError.transport(error)
    })
  }
  try {
    return await sendOnce<T>(path, form, options)
  } catch (error) {
    // the error response has set a fresh anti-forgery cookie
    if (isApiError(error, 'csrf_mismatch')) return sendOnce<T>(path, form, options)
    throw error
  }
}

function sendOnce<T>(path: string, form: FormData, { onProgress, signal, method = 'POST' }: UploadOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    const token = context.token()
    const request = new XMLHttpRequest()
    request.open(method, withTenant(path))
    for (const [name, value] of Object.entries({ ...identity(), 'X-XSRF-TOKEN': xsrfToken() ?? '' })) request.setRequestHeader(name, value)
    request.timeout = TIMEOUT
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    const failUnreached = (kind: 'network' | 'timeout') => () => {
      reportFailure()
      reject(new ApiError({ kind }))
    }
    request.onerror = failUnreached('network')
    request.ontimeout = failUnreached('timeout')
    request.onload = () => {
      if (isUnavailable(request.status)) reportFailure()
      else reportSuccess()
      if (request.status >= 200 && request.status < 300) {
        try {
          return resolve(JSON.parse(request.responseText) as T)
        } catch {
          // the answer of a proxy
          return reject(new ApiError({ kind: 'network' }))
        }
      }
      if (request.status === 401 && token) context.refused(token)
      const retryAfter = request.getResponseHeader('retry-after')
      const response = new Response(request.responseText, {
        status: request.status,
        ...(retryAfter && { headers: { 'retry-after': retryAfter } }),
      })
      void ApiError.from(response).then(reject)
    }
    const abort = () => {
      request.abort()
      reject(new ApiError({ kind: 'aborted' }))
    }
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) return abort()
    request.send(form)
  })
}
