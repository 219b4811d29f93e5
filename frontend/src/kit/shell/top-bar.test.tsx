import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'

const bar = async () => within(await screen.findByRole('banner'))

it('shows the own tenant, or the chosen one', async () => {
  const own = renderApp('/home', 'tenantAdmin')
  expect((await bar()).getByText(/Nordstahl/)).toBeVisible()
  expect((await bar()).queryByRole('combobox')).toBeNull()
  own.unmount()
  renderApp('/home')
  expect(await (await bar()).findByRole('combobox', { name: 'Mandant wählen:' })).toBeVisible()
  expect((await bar()).queryByText(/Nordstahl/)).toBeNull()
})
