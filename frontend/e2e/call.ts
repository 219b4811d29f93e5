import type { Page } from '@playwright/test'

/** Calls the server with the session of a page. */
export const call = <T>(page: Page, method: string, path: string, body?: object): Promise<T> =>
  page.evaluate(
    async ({ method, path, body }) => {
      const authorization = `Bearer ${localStorage.getItem('serviceToken')}`
      // a freshly opened page may not have the anti-forgery value of its session yet; an unread answer would
      // stay pending, so that the page never comes to rest
      const config = await fetch('/api/config', { headers: { authorization } })
      await config.text()
      const [, xsrf = ''] = /XSRF-TOKEN=([^;]*)/.exec(document.cookie) ?? []
      const headers = { authorization, 'content-type': 'application/json', 'x-xsrf-token': decodeURIComponent(xsrf) }
      const answer = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!answer.ok) throw new Error(await answer.text())
      return answer.json()
    },
    { method, path, body },
  )
