import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import type { Import } from '~/api/schema'
import { renderApp } from '~/test/render'
import { db, requests, server } from '~/test/server'

const one = (id: number): Import => {
  const row = db.imports.find((candidate) => candidate.id === id)
  if (!row) throw new Error(`no import ${id}`)
  return row
}

const undos = () => requests.filter((request) => request.startsWith('POST') && request.endsWith('/undo'))

describe('the undo of an import', () => {
  it('is tried first, and applied once its effect is known', async () => {
    const { user, path } = renderApp('/imports/2')
    await user.click(await screen.findByRole('button', { name: 'Import rückgängig machen …' }))
    const dialog = await screen.findByRole('dialog', { name: '„Artikelliste KW 43“ rückgängig machen?' })
    const count = async (group: string) => (await within(dialog).findByText(group)).nextSibling
    expect(await count('Wird rückgängig gemacht')).toHaveTextContent('397')
    expect(await count('Bleibt, weil seitdem geändert')).toHaveTextContent('2')
    expect(await count('Nicht möglich')).toHaveTextContent('1')
    expect(one(24)).toMatchObject({ dry_run: true, undoes: 2 })
    expect(within(dialog).getByRole('link', { name: 'Nicht möglich: Einträge ansehen' })).toHaveAttribute(
      'href',
      '/imports/24?rows=refused',
    )
    await user.click(within(dialog).getByRole('button', { name: 'Rückgängig machen' }))
    await waitFor(() => expect(path()).toBe('/imports/25'))
    expect(one(25)).toMatchObject({ dry_run: false, undoes: 2 })
    expect(undos()).toHaveLength(2)
    expect(await screen.findByText('Dieser Import macht den Import Nr. 2 rückgängig.')).toBeInTheDocument()
    const detail = screen.getByRole('dialog')
    expect(within(detail).getByText('Macht rückgängig')).toBeInTheDocument()
    expect(within(detail).getByText('Wieder wie vorher').nextSibling).toHaveTextContent('100')
    await user.click(within(detail).getByRole('link', { name: 'Import Nr. 2 ansehen' }))
    expect(await screen.findByText(/mit dem Import Nr. 25 rückgängig gemacht/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Import rückgängig machen …' })).not.toBeInTheDocument()
  })

  it('is not offered without the permission to delete, nor if nothing was changed', async () => {
    const { unmount } = renderApp('/imports/4')
    await screen.findByRole('button', { name: 'Hochgeladene Datei' })
    expect(screen.queryByRole('button', { name: 'Import rückgängig machen …' })).not.toBeInTheDocument()
    unmount()
    renderApp('/imports/2', 'tenantAdmin')
    await screen.findByRole('button', { name: 'Hochgeladene Datei' })
    expect(screen.queryByRole('button', { name: 'Import rückgängig machen …' })).not.toBeInTheDocument()
  })

  it('shows the result for each record, with the reason if it stays', async () => {
    Object.assign(one(2), { undoes: 1, undoable: true, files_kept: false })
    const outcomes: (string | null)[] = []
    server.use(
      http.get('*/api/admin/imports/:id/rows', ({ request }) => {
        outcomes.push(new URL(request.url).searchParams.get('filter[outcome]'))
        const row = { record: 'article', record_id: 7, changes: [], warnings: [] }
        const reason = { column: 'Bezeichnung', code: 'edited_since', message: 'Seit dem Import geändert' }
        const data = [
          { ...row, line: 2, record_name: 'A1', outcome: 'removed' },
          { ...row, line: 3, record_name: 'A2', outcome: 'kept', warnings: [reason] },
        ]
        return HttpResponse.json({ data, meta: { total: 2, current_page: 1, last_page: 1, per_page: 20 } })
      }),
    )
    const { user, search } = renderApp('/imports/2')
    const section = await screen.findByRole('region', { name: 'Einträge' })
    expect(await within(section).findByText('Bezeichnung: Seit dem Import geändert')).toBeInTheDocument()
    expect(within(section).getByRole('link', { name: 'A2' })).toHaveAttribute('href', '/articles/7')
    expect(within(section).queryByRole('link', { name: 'A1' })).not.toBeInTheDocument()
    await user.click(within(section).getByRole('button', { name: 'Seitdem geändert' }))
    await waitFor(() => expect(search()).toBe('?rows=kept'))
    await waitFor(() => expect(outcomes).toEqual([null, 'kept']))
  })

  it('shows the reason if it cannot be tried', async () => {
    server.use(
      http.post('*/api/admin/imports/:id/undo', () =>
        HttpResponse.json({ code: 'already_undone', message: 'Das ist bereits rückgängig gemacht.', request_id: 'r' }, { status: 409 }),
      ),
    )
    const { user } = renderApp('/imports/2')
    await user.click(await screen.findByRole('button', { name: 'Import rückgängig machen …' }))
    const dialog = await screen.findByRole('dialog', { name: /rückgängig machen/ })
    expect(await within(dialog).findByText('Das ist bereits rückgängig gemacht.')).toBeInTheDocument()
    expect(within(dialog).queryByRole('button', { name: 'Rückgängig machen' })).not.toBeInTheDocument()
  })
})
