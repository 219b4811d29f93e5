import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { queryClient } from '~/api/query'
import { renderApp } from '~/test/render'
import { requests, server } from '~/test/server'

const part = (name: string) => screen.findByRole('region', { name })
const none = () => HttpResponse.json({ data: [], meta: { current_page: 1, last_page: 1, per_page: 1, total: 0 } })

it('leads back to what was opened last, and forgets what is gone', async () => {
  const { router, user, path } = renderApp('/materials/1')
  await screen.findByRole('dialog')
  const name = await screen.findByRole('textbox', { name: /Name/ })
  const label = (name as HTMLInputElement).value
  await router.navigate('/home?tenantId=2')
  await user.click(within(await part('Zuletzt geöffnet')).getByRole('link', { name: label }))
  expect(path()).toBe('/materials/1')

  server.use(http.get('*/api/admin/materials/1', () => HttpResponse.json({ code: 'not_found', message: 'weg' }, { status: 404 })))
  await router.navigate('/home')
  queryClient.removeQueries({ queryKey: ['get', '/api/admin/materials/{id}'] })
  await user.click(within(await part('Zuletzt geöffnet')).getByRole('link', { name: label }))
  await screen.findByText('Diesen Eintrag gibt es nicht (mehr).')
  await router.navigate('/home')
  expect(within(await part('Zuletzt geöffnet')).queryByRole('link')).toBeNull()
})

it('shows imports that run or need somebody', async () => {
  renderApp('/home')
  const imports = await part('Importe')
  expect((await within(imports).findAllByRole('listitem')).length).toBeGreaterThan(0)
  const asked = requests.find((request) => request.includes('filter[status]=Failed'))
  expect(asked).toContain('filter[status]=Queued')
})

it('shows the first steps of an empty installation to who fills it, and to nobody else', async () => {
  server.use(http.get('*/api/admin/tenants', none))
  const { unmount } = renderApp('/home')
  const steps = await part('Erste Schritte')
  expect(await within(steps).findByRole('link', { name: 'Mandanten anlegen' })).toHaveAttribute('href', '/tenants/new')
  expect(await within(steps).findByRole('link', { name: 'Werkstoffe anlegen' })).toHaveAttribute('href', '/materials')
  unmount()
  renderApp('/home', 'tenantAdmin')
  await part('Zuletzt geöffnet')
  expect(screen.queryByRole('region', { name: 'Erste Schritte' })).toBeNull()
})
