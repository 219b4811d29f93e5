import type { Page } from '@playwright/test'

/** What the session of a page gets of the server. */
export const call = <T>(page: Page, method: string, path: string, body?: object): Promise<T> =>
  page.evaluate(
    async ({ method, path, body }) => {
      const [, xsrf = ''] = /XSRF-TOKEN=([^;]*)/.exec(document.cookie) ?? []
      const headers = {
        authorization: `Bearer ${localStorage.getItem('serviceToken')}`,
        'content-type': 'application/json',
        'x-xsrf-token': decodeURIComponent(xsrf),
      }
      const answer = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!answer.ok) throw new Error(await answer.text())
      return answer.json()
    },
    { method, path, body },
  )
