import { act, render, screen } from '@testing-library/react'
import { createMemoryRouter, Outlet } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { expect, it, vi } from 'vitest'
import '~/i18n/area'
import { queryClient } from '~/api/query'
import { LeaveBlocker, useLeaveGuard } from '~/kit/form/use-leave-guard'
import { ConfirmProvider } from '~/kit/ui/confirm'
import { session } from '~/session/session'
import { Providers } from './providers'

function Guarded({ dirty }: { dirty: boolean }) {
  useLeaveGuard(dirty)
  return null
}

const Frame = () => (
  <ConfirmProvider>
    <LeaveBlocker />
    <Outlet />
  </ConfirmProvider>
)

const Page = () => (
  <>
    <Guarded dirty />
    <Guarded dirty={false} />
    <h1>Form</h1>
  </>
)

it('asks about unsaved input of any form on the page, not only of the last one', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const children = [
    { index: true, Component: Page },
    { path: 'other', element: <h1>Other</h1> },
  ]
  session.signIn('token')
  const router = createMemoryRouter([{ path: '/', Component: Frame, children }])
  render(
    <Providers client={queryClient}>
      <RouterProvider router={router} />
    </Providers>,
  )
  await screen.findByRole('heading', { name: 'Form' })
  await act(() => router.navigate('/other'))
  expect(await screen.findByRole('alertdialog')).toBeInTheDocument()
  expect(screen.queryByRole('heading', { name: 'Other' })).not.toBeInTheDocument()
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})
