import { saveBlob } from '~/lib/download'
import { LONG_TIMEOUT } from './client'

/** Options of `client.GET` for a file: a long timeout, and a blob, which browsers keep on disk. */
export const FILE = { parseAs: 'blob', headers: LONG_TIMEOUT } as const

/** Saves the answer to a call with `FILE`, under the file name that the server sends. */
export async function download(call: Promise<{ data?: unknown; response: Response }>): Promise<void> {
  const { data, response } = await call
  saveBlob(data as Blob, fileName(response.headers.get('Content-Disposition') ?? ''))
}

export function fileName(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  return encoded ? decodeURIComponent(encoded) : ''
}
