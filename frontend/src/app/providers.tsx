import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { i18n } from '~/i18n/i18n'
import { appTheme, MODE_KEY } from '~/theme/theme'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content
const cache = createCache({ key: 'css', prepend: true, ...(nonce && { nonce }) })
const theme = appTheme()

export function Providers({ client, children }: { client: QueryClient; children: ReactNode }) {
  return (
    <CacheProvider value={cache}>
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={client}>
          {/* never disableTransitionOnChange: it writes a style element without the nonce, which the policy refuses */}
          <ThemeProvider theme={theme} defaultMode="system" modeStorageKey={MODE_KEY}>
            <CssBaseline />
            {children}
          </ThemeProvider>
        </QueryClientProvider>
      </I18nextProvider>
    </CacheProvider>
  )
}
