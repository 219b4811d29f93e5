import { useQuery } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { Suspense } from 'react'
import { createMemoryRouter, Outlet } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { $api, client } from '~/api/client'
import { queryClient } from '~/api/query'
import { checkNow, isOffline } from '~/api/reach'
import { lazyRoute } from '~/kit/records/lazy-route'
import { chunkMissing, lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { PageNotice } from '~/kit/ui/page-notice'
import { requests, resetServer, server } from '~/test/server'
import { stretchTimeouts } from '~/test/timers'
import { Providers } from './providers'

const failToLoad = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
const down = () => server.use(http.all('*', () => HttpResponse.error()))
const AWAY = /Der Server ist zurzeit nicht erreichbar/
const reload = vi.fn()

beforeEach(() => {
  vi.stubGlobal('location', { ...location, origin: location.origin, pathname: '/', search: '', reload })
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(async () => {
  resetServer()
  checkNow()
  await waitFor(() => expect(isOffline.get()).toBe(false))
  chunkMissing.set(false)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  reload.mockClear()
})

const renderWithProviders = (children: React.ReactNode) => render(<Providers client={queryClient}>{children}</Providers>)

const Around = () => (
  <>
    <p>Liste</p>
    <PageNotice />
    <Outlet />
  </>
)

function routed(load: Parameters<typeof lazyRoute>[0]) {
  const router = createMemoryRouter([{ path: '/', Component: Around, children: [{ path: 'one', ...lazyRoute(load) }] }], {
    initialEntries: ['/'],
  })
  renderWithProviders(<RouterProvider router={router} />)
  return act(() => router.navigate('/one'))
}

describe('a page whose code cannot be loaded', () => {
  it('offers to reload, within the surrounding layout', async () => {
    await routed(failToLoad)
    expect(await screen.findByRole('heading', { name: 'Diese Seite konnte nicht geladen werden' })).toBeInTheDocument()
    expect(screen.getByText('Liste')).toBeInTheDocument()
    screen.getByRole('button', { name: 'Neu laden' }).click()
    expect(reload).toHaveBeenCalledOnce()
  })

  it('shows that the server is down, and loads when it is back', async () => {
    down()
    await routed(failToLoad)
    expect(await screen.findByText(/Sobald er wieder antwortet/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Neu laden' })).not.toBeInTheDocument()
    resetServer()
    screen.getAllByRole('button', { name: 'Erneut versuchen' })[0]?.click()
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  })

  it('is distinguished from one that fails to render', async () => {
    await routed(async () => ({
      default: () => {
        throw new Error('no such row')
      },
    }))
    expect(await screen.findByRole('heading', { name: 'Diese Seite konnte nicht angezeigt werden' })).toBeInTheDocument()
  })
})

it('a missing chunk leaves its place empty, and the page shows a notice', async () => {
  const Part = lazyWithTexts(failToLoad)
  renderWithProviders(
    <>
      <PageNotice />
      <input defaultValue="getippt" />
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </>,
  )
  expect(await screen.findByText(/Ein Teil dieser Seite/)).toBeInTheDocument()
  expect(screen.getByDisplayValue('getippt')).toBeInTheDocument()
})

it('a chunk whose preload failed is loaded again when it is needed', async () => {
  const load = vi
    .fn()
    .mockRejectedValueOnce(new TypeError())
    .mockResolvedValue({ default: () => <p>da</p> })
  const Part = lazyWithTexts(load)
  Part.preload()
  await waitFor(() => expect(load).toHaveBeenCalledOnce())
  await Promise.resolve()
  renderWithProviders(
    <Suspense fallback={null}>
      <Part />
    </Suspense>,
  )
  expect(await screen.findByText('da')).toBeInTheDocument()
  expect(chunkMissing.get()).toBe(false)
})

function Rows() {
  const { data, error } = useQuery({ ...$api.queryOptions('get', '/api/config'), retry: false })
  return <p>{error ? 'nichts' : data?.shop_url}</p>
}

describe('a server that does not answer', () => {
  it('is polled in the background, and failed queries are repeated when it is back', async () => {
    down()
    renderWithProviders(
      <>
        <PageNotice />
        <Rows />
      </>,
    )
    expect(await screen.findByText(AWAY)).toBeInTheDocument()
    expect(screen.getByText('nichts')).toBeInTheDocument()
    resetServer()
    expect(await screen.findByText('https://shop.example')).toBeInTheDocument()
    expect(screen.queryByText(AWAY)).not.toBeInTheDocument()
  })

  it('is detected as back by any answer, without waiting for the backoff', async () => {
    stretchTimeouts(1000, 600_000)
    down()
    renderWithProviders(
      <>
        <PageNotice />
        <Rows />
      </>,
    )
    expect(await screen.findByText(AWAY)).toBeInTheDocument()
    resetServer()
    await client.GET('/api/config')
    await waitFor(() => expect(screen.queryByText(AWAY)).not.toBeInTheDocument())
  })

  it('is not assumed when a single call fails', async () => {
    server.use(http.get('*/api/config', () => HttpResponse.json({ code: 'x', message: 'Wartung' }, { status: 503 })))
    renderWithProviders(
      <>
        <PageNotice />
        <Rows />
      </>,
    )
    expect(await screen.findByText('nichts')).toBeInTheDocument()
    await waitFor(() => expect(requests).toContain('GET /readyz'))
    expect(screen.queryByText(AWAY)).not.toBeInTheDocument()
  })
})

describe('a new version', () => {
  const entry = (src: string) => `<html><head><script type="module" src="${src}"></script></head></html>`
  const answer = (src: string) => server.use(http.get(`${location.origin}/`, () => HttpResponse.html(entry(src))))
  const script = document.createElement('script')
  beforeEach(() => {
    Object.assign(script, { type: 'module' }).setAttribute('src', '/assets/index-1.js')
    document.head.append(script)
  })
  afterEach(() => script.remove())

  it.each([
    ['/assets/index-2.js', 1],
    ['/assets/index-1.js', 0],
  ])('%s', async (src, banners) => {
    answer(src)
    renderWithProviders(<PageNotice />)
    await act(() => queryClient.refetchQueries({ queryKey: ['edition'] }))
    await waitFor(() => expect(queryClient.getQueryData(['edition'])).toBe(banners === 1))
    await waitFor(() => expect(screen.queryAllByText(/Eine neue Version von Stalhof ist da/)).toHaveLength(banners))
  })
})
