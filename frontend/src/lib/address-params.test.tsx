import { act, render, screen } from '@testing-library/react'
import { useEffect } from 'react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, it } from 'vitest'
import { useAddressParams } from './address-params'

type Change = ReturnType<typeof useAddressParams>[1]

/** Function from the last render of the page. */
let drawn: Change = () => {}

function Page() {
  const [params, changeParams] = useAddressParams()
  useEffect(() => {
    drawn = changeParams
  }, [changeParams])
  return <p>{params.toString()}</p>
}

function renderAt(address: string) {
  const router = createMemoryRouter([{ path: '/stocks', element: <Page /> }], { initialEntries: [address] })
  render(<RouterProvider router={router} />)
  return router
}

it('keeps parameters that another writer has just set, before the next render', async () => {
  const router = renderAt('/stocks?tenantId=2')
  expect(await screen.findByText('tenantId=2')).toBeInTheDocument()
  const change = drawn
  act(() => {
    change((params) => params.set('to', '7'), { replace: true })
    change((params) => params.set('page', '3'))
  })
  expect(await screen.findByText('tenantId=2&to=7&page=3')).toBeInTheDocument()
  expect(router.state.location.pathname).toBe('/stocks')
})

it('keeps the fragment of the address, and does not navigate without a change', async () => {
  const router = renderAt('/stocks?to=7#rows')
  expect(await screen.findByText('to=7')).toBeInTheDocument()
  const { key } = router.state.location
  act(() => drawn((params) => params.set('to', '7')))
  expect(router.state.location).toMatchObject({ key, hash: '#rows' })
  act(() => drawn((params) => params.delete('to')))
  expect(router.state.location).toMatchObject({ search: '', hash: '#rows' })
})
