import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { server } from '~/test/server'
import { sendForm } from './upload'

const PATH = '/api/admin/imports'
const send = () => sendForm(PATH, new FormData(), { onProgress: () => {}, signal: new AbortController().signal })

it('ends with an error if the answer of a proxy is no JSON', async () => {
  server.use(http.post(`*${PATH}`, () => HttpResponse.html('<p>OK</p>')))
  await expect(send()).rejects.toMatchObject({ kind: 'network' })
})

it('reports a lost connection as such before the upload begins', async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: as the browser does when the cookie has expired
  document.cookie = 'XSRF-TOKEN=; max-age=0'
  server.use(http.get('*/api/config', () => HttpResponse.error()))
  await expect(send()).rejects.toMatchObject({ kind: 'network' })
})
