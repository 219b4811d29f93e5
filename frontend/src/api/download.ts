import { saveBlob } from '~/lib/download'
import { PATIENT } from './client'

/** For `client.GET`: a file may take its time, and browsers keep it on the disk while it comes. */
export const FILE = { parseAs: 'blob', headers: PATIENT } as const

/** Saves what was asked for with `FILE`, under the name that the server gives it. */
export async function download(call: Promise<{ data?: unknown; response: Response }>): Promise<void> {
  const { data, response } = await call
  saveBlob(data as Blob, fileName(response.headers.get('Content-Disposition') ?? ''))
}

export function fileName(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  return encoded ? decodeURIComponent(encoded) : ''
}
