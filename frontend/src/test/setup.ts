import createCache from '@emotion/cache'
import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { queryClient } from '~/api/query'
import { initI18n } from '~/i18n/i18n'
import { notify } from '~/kit/feedback/snackbar'
import { connectSession } from '~/session/connect'
import { session } from '~/session/session'
import { resetServer, server } from './server'

// a screen's code is loaded with its first test
configure({ asyncUtilTimeout: 15_000 })

// styles take half of the time here, and nothing is to be seen
Object.getPrototypeOf(createCache({ key: 'none' }).sheet).insert = () => {}

// jsdom has no layout and no media queries; the widest screen is the default
window.matchMedia = (query: string) =>
  ({
    matches: /min-width/.test(query),
    media: query,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
  }) as unknown as MediaQueryList
Element.prototype.scrollIntoView = () => {}
window.scrollTo = () => {}

beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'error' })
  connectSession()
  await initI18n('de')
})
beforeEach(() => {
  localStorage.clear()
  resetServer()
})
afterEach(() => {
  cleanup()
  session.signOut()
  notify.close()
  queryClient.clear()
})
afterAll(() => server.close())
