import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { queryClient } from './api/query'
import { Providers } from './app/providers'
import { createRouter, loadArea } from './app/router'
import { initI18n } from './i18n/i18n'
import { configOptions } from './session/config'
import { connectSession } from './session/connect'
import { prefetchMe } from './session/me'
import { session } from './session/session'
import { loadDirection } from './theme/direction'
import { preferences } from './theme/preferences'

async function start() {
  connectSession()
  void queryClient.prefetchQuery(configOptions())
  // loads in parallel with the texts
  if (session.get().phase === 'in') {
    void loadArea()
    prefetchMe()
  }
  await Promise.all([initI18n(), loadDirection(preferences.get().direction)])
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html lacks #root')
  const router = createRouter()
  createRoot(root).render(
    <StrictMode>
      <Providers client={queryClient}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  )
}

void start()
