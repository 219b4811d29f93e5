import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, Link } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, it } from 'vitest'
import { deferredAnswer } from '~/test/server'
import { FilterBar } from './filter-bar'
import type { ListSpec } from './list-state'
import { useListState } from './use-list-state'

const SPEC: ListSpec = { filters: { name: { type: 'text', ops: ['is'] } as never }, sorts: [], defaultSort: null, search: 'name' }

function List() {
  return (
    <>
      <FilterBar list={useListState('materials', SPEC)} />
      <Link to="/record">Datensatz</Link>
    </>
  )
}

it('does not cancel a navigation by writing a search into the address', async () => {
  const { opened, open } = deferredAnswer()
  const record = { path: '/record', loader: () => opened.then(() => null), element: <h1>Datensatz</h1> }
  const router = createMemoryRouter([{ path: '/', element: <List />, hydrateFallbackElement: null }, record])
  render(<RouterProvider router={router} />)
  const search = await screen.findByRole('searchbox')
  fireEvent.change(search, { target: { value: 'C45' } })
  fireEvent.click(screen.getByRole('link', { name: 'Datensatz' }))
  await waitFor(() => expect(router.state.navigation.state).toBe('loading'))
  await new Promise((rest) => setTimeout(rest, 600))
  expect(router.state.navigation.state).toBe('loading')
  open()
  expect(await screen.findByRole('heading', { name: 'Datensatz' })).toBeInTheDocument()
})
