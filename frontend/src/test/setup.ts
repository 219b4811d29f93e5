import createCache from '@emotion/cache'
import '@testing-library/jest-dom/vitest'
import { cleanup, configure, prettyDOM } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { queryClient } from '~/api/query'
import { awaitedImports } from '~/features/exchange/shared/running'
import { i18n, initI18n, languageChange } from '~/i18n/i18n'
import { notify } from '~/kit/ui/snackbar'
import { connectSession } from '~/session/connect'
import { session } from '~/session/session'
import { resetServer, server } from './server'
import './fast-dom'
import './form-data'

configure({
  // a screen's code is loaded in its first test, and the machine may be busy
  asyncUtilTimeout: 45_000,
  // `waitFor` retries often, so the DOM is printed only when the error message is read
  getElementError(message, container) {
    let text: string | undefined
    const error = Object.defineProperty(new Error(), 'message', {
      configurable: true,
      get() {
        text ??= `${message}\n\n${prettyDOM(container as HTMLElement)}`
        return text
      },
    })
    error.name = 'TestingLibraryElementError'
    return error
  },
})

// inserting styles would take half of the time, and jsdom does not render
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
URL.createObjectURL = () => 'blob:x'
URL.revokeObjectURL = () => {}

beforeAll(async () => {
  server.listen({ onUnhandledFrame: 'error' })
  if (i18n.isInitialized) return void (await i18n.changeLanguage('de'))
  connectSession()
  await initI18n('de')
})
beforeEach(async () => {
  // a change to English may still be running from the last test
  await languageChange
  localStorage.clear()
  resetServer()
  if (i18n.language !== 'de') await i18n.changeLanguage('de')
})
afterEach(() => {
  cleanup()
  session.signOut()
  localStorage.clear()
  session.start()
  notify.close()
  // also the news queued behind it
  notify.close()
  queryClient.clear()
  awaitedImports.clear()
})
afterAll(() => server.close())
