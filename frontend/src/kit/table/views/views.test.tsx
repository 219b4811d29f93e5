import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SavedView, ViewState } from '~/api/schema'
import { renderApp } from '~/test/render'
import { db, requests } from '~/test/server'
import { preferences } from '~/theme/preferences'
import type { ListSpec } from '../list-state'
import { equalViews, sanitizeView } from './view-state'

const spec: ListSpec = {
  filters: { name: { kind: 'text' }, density: { kind: 'decimal' } },
  sorts: ['name', 'density'],
  defaultSort: 'name',
  search: 'name',
}
const state: ViewState = { filters: [], sort: 'name', size: 40, columns: ['name'], density: 'standard' }

describe('sanitizeView', () => {
  it('leaves out what the list no longer supports', () => {
    const old: ViewState = {
      filters: [
        { field: 'gone', op: 'is', values: ['x'] },
        { field: 'density', op: 'gte', values: ['heavy', '7.9'] },
        { field: 'name', op: 'gt', values: ['x'] },
      ],
      sort: '-gone',
      size: 33,
      columns: ['updated_at:180', 'density', 'gone'],
      density: 'compact',
    }
    expect(sanitizeView(spec, ['name', 'density', 'updated_at'], old)).toEqual({
      filters: [{ field: 'density', op: 'gte', values: ['7.9'] }],
      sort: 'name',
      size: 40,
      columns: ['name', 'updated_at:180', 'density'],
      density: 'compact',
    })
  })

  it('keeps a column that comes with its filter', () => {
    const value = { kind: 'value' } as ListSpec['filters'][string]
    const columns = ['name', 'attribute_7', 'gone_7']
    expect(sanitizeView({ ...spec, filters: { attribute: value } }, ['name'], { ...state, columns }).columns).toEqual([
      'name',
      'attribute_7',
    ])
  })
})

describe('equalViews', () => {
  const a = { field: 'name', op: 'is' as const, values: ['x', 'y'] }
  const b = { field: 'density', op: 'gt' as const, values: ['1'] }
  it('ignores the order of filters and values', () => {
    const one = { ...state, filters: [a, b] }
    const two = { ...state, filters: [b, { ...a, values: ['y', 'x'] }] }
    expect(equalViews(one, two)).toBe(true)
  })
  it.each<Partial<ViewState>>([
    { sort: '-name' },
    { size: 20 },
    { density: 'compact' },
    { columns: [] },
    { columns: ['name:240'] },
    { filters: [a] },
  ])('detects %o', (change) => {
    expect(equalViews(state, { ...state, ...change })).toBe(false)
  })
})

const saved = (change: Partial<SavedView> = {}): SavedView => ({
  id: 7,
  list: 'materials',
  name: 'Edelstahl',
  shared: false,
  user: 'Anna Hansen',
  own: true,
  writable: true,
  default: false,
  version: 1,
  updated_at: '',
  state: {
    filters: [{ field: 'density', op: 'gte', values: ['7.9'] }],
    sort: '-density',
    size: 20,
    columns: ['name', 'density'],
    density: 'compact',
  },
  ...change,
})

/** Texts of the column heads, without the one of the selection column, which has a checkbox. */
const heads = () => {
  const texts = screen.getAllByRole('columnheader').map((head) => head.textContent?.replace('absteigend sortiert', ''))
  return texts.filter(Boolean)
}

describe('the menu', () => {
  it('saves a view, applies it again, and marks it as changed', async () => {
    const { user, search } = renderApp('/materials?sort=-density&f.density.gte=7.9')
    await user.click(await screen.findByRole('button', { name: 'Ansichten' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Als neue Ansicht speichern …' }))
    const dialog = await screen.findByRole('dialog')
    await user.type(within(dialog).getByLabelText('Name der Ansicht'), 'Edelstahl{Enter}')
    expect(await screen.findByRole('button', { name: 'Ansicht Edelstahl' })).toBeInTheDocument()
    expect(search()).toBe('?sort=-density&view=1&f.density.gte=7.9')
    expect(db.views[0]?.state).toMatchObject({ sort: '-density', size: 40, density: 'standard' })

    await user.click(within(screen.getByRole('columnheader', { name: /Dichte/ })).getByRole('button'))
    await user.click(await screen.findByRole('button', { name: 'Ansicht Edelstahl, geändert' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Änderungen verwerfen' }))
    expect(await screen.findByRole('button', { name: 'Ansicht Edelstahl' })).toBeInTheDocument()
    expect(search()).toContain('sort=-density')
  })

  it('shows filters, sort, page size, columns and density of a view', async () => {
    db.views = [saved()]
    const { user, search } = renderApp('/materials')
    await user.click(await screen.findByRole('button', { name: 'Ansichten' }))
    await user.click(await screen.findByRole('menuitemradio', { name: 'Edelstahl' }))
    await waitFor(() => expect(search()).toBe('?size=20&sort=-density&view=7&f.density.gte=7.9'))
    await waitFor(() => expect(heads()).toEqual(['Name', 'Dichte (kg/dm³)', 'Aktionen']))
    expect(preferences.get().density).toBe('compact')
    await user.click(screen.getByRole('button', { name: 'Ansicht Edelstahl' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Ansicht verlassen' }))
    await waitFor(() => expect(search()).toBe('?size=20'))
  })

  it('starts with the default view of the user, unless the address has parameters', async () => {
    db.views = [saved({ default: true })]
    const { search, unmount } = renderApp('/materials')
    await waitFor(() => expect(search()).toContain('view=7'))
    await screen.findByRole('table')
    // only the rows that are shown were requested
    const lists = () => requests.filter((request) => request.startsWith('GET /api/admin/materials?'))
    await waitFor(() => expect(lists()).toEqual([expect.stringContaining('sort=-density&filter[density_greater_equals]=7.9')]))
    unmount()
    const linked = renderApp('/materials?f.name=S')
    await screen.findByRole('button', { name: 'Ansichten' })
    expect(linked.search()).toBe('?f.name=S')
  })

  it('shows at the name that it is taken', async () => {
    db.views = [saved()]
    const { user } = renderApp('/materials?sort=-name')
    await user.click(await screen.findByRole('button', { name: 'Ansichten' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Als neue Ansicht speichern …' }))
    const name = await screen.findByLabelText('Name der Ansicht')
    await user.type(name, 'Edelstahl{Enter}')
    await waitFor(() => expect(name).toHaveAccessibleDescription('Diesen Namen gibt es schon.'))
    expect(name).toHaveValue('Edelstahl')
  })

  it('offers only permitted actions for shared views of other users', async () => {
    db.views = [saved({ shared: true, own: false, writable: false, user: 'Bernd Lübeck' })]
    const { user } = renderApp('/materials?view=7', 'staff')
    await user.click(await screen.findByRole('button', { name: /Ansicht Edelstahl/ }))
    expect(await screen.findByRole('menuitemradio', { name: /von Bernd Lübeck/ })).toBeChecked()
    for (const name of ['Ansicht löschen …', 'Ansicht umbenennen …', 'Nicht mehr für alle freigeben', /Änderungen in/]) {
      expect(screen.queryByRole('menuitem', { name })).not.toBeInTheDocument()
    }
    await user.click(screen.getByRole('menuitem', { name: 'Als meine Startansicht' }))
    await waitFor(() => expect(requests).toContain('PUT /api/admin/views/default'))
    expect(db.views[0]?.default).toBe(true)
  })

  it('shares and deletes', async () => {
    db.views = [saved()]
    const { user } = renderApp('/materials?view=7')
    await user.click(await screen.findByRole('button', { name: /Ansicht Edelstahl/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Für alle freigeben' }))
    await waitFor(() => expect(db.views[0]?.shared).toBe(true))
    await user.click(await screen.findByRole('button', { name: /Ansicht Edelstahl/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Ansicht löschen …' }))
    const question = await screen.findByRole('alertdialog')
    expect(question).toHaveTextContent('für alle gelöscht, die sie sehen')
    await user.click(within(question).getByRole('button', { name: 'Löschen' }))
    expect(await screen.findByRole('button', { name: 'Ansichten' })).toBeInTheDocument()
    expect(db.views).toEqual([])
  })
})
