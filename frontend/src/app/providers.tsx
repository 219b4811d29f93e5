import { CacheProvider } from '@emotion/react'
import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { I18nextProvider } from 'react-i18next'
import { i18n } from '~/i18n/i18n'
import { useStyles } from '~/theme/direction'
import { palettes } from '~/theme/palettes'
import { usePreferences } from '~/theme/preferences'
import { appTheme, MODE_KEY } from '~/theme/theme'

export function Providers({ client, children }: { client: QueryClient; children: ReactNode }) {
  const { palette, preset, font, direction: preferredDirection } = usePreferences()
  const { cache, direction } = useStyles(preferredDirection)
  const theme = useMemo(() => appTheme({ palette, preset, font, direction }), [palette, preset, font, direction])
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--canvas-light', palettes[palette].light.canvas)
    style.setProperty('--canvas-dark', palettes[palette].dark.canvas)
  }, [palette])
  return (
    <CacheProvider value={cache}>
      <I18nextProvider i18n={i18n}>
        <QueryClientProvider client={client}>
          {/*
           * never disableTransitionOnChange: it writes a style element without the nonce, which the content
           * security policy refuses
           */}
          <ThemeProvider theme={theme} defaultMode="system" modeStorageKey={MODE_KEY}>
            <CssBaseline />
            {children}
          </ThemeProvider>
        </QueryClientProvider>
      </I18nextProvider>
    </CacheProvider>
  )
}
