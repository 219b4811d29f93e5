import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { db, requests, server } from '~/test/server'

const posts = () => requests.filter((request) => request.startsWith('POST /api/admin/materials/'))
const box = (name: string) => screen.findByRole('checkbox', { name: `${name} auswählen` })
const bar = () => screen.findByRole('region', { name: 'Auswahl' })
const names = () => db.materials.map((material) => material.name).sort()

it('selects rows, ranges and the whole page, and clears the selection with a new filter', async () => {
  const { user } = renderApp('/materials')
  await user.click(await box('11SMn30'))
  expect(await bar()).toHaveTextContent('1 ausgewählt')
  await user.keyboard('{Shift>}')
  await user.click(await box('C45'))
  await user.keyboard('{/Shift}')
  const rows = screen.getAllByRole('checkbox', { name: /auswählen$/ }).slice(1)
  const last = rows.indexOf(await box('C45'))
  expect(rows.map((row) => (row as HTMLInputElement).checked)).toEqual(rows.map((_, at) => at <= last))
  expect(await bar()).toHaveTextContent(`${last + 1} ausgewählt`)
  await user.click(screen.getByRole('checkbox', { name: 'Alle Einträge der Seite auswählen' }))
  expect(await bar()).toHaveTextContent(`${db.materials.length} ausgewählt`)
  await user.type(screen.getByRole('searchbox', { name: /Suchen nach/ }), '42Cr')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Auswahl' })).not.toBeInTheDocument())
  expect(await box('42CrMo4')).not.toBeChecked()
})

it('selects by keyboard alone, and clears the selection with Escape', async () => {
  const { user } = renderApp('/materials')
  await box('11SMn30')
  await user.keyboard('jx')
  expect(await box('11SMn30')).toBeChecked()
  await user.keyboard('jj{Shift>} {/Shift}')
  expect(await bar()).toHaveTextContent('3 ausgewählt')
  await user.keyboard(' ')
  expect(await bar()).toHaveTextContent('2 ausgewählt')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('region', { name: 'Auswahl' })).not.toBeInTheDocument()
})

it('deletes the selection once its number is retyped; records in use stay selected, with the reason', async () => {
  const used = db.articles[0]?.material?.name ?? ''
  const free = db.materials.find(({ id }) => !db.articles.some(({ material }) => material?.id === id))?.name ?? ''
  const before = names()
  const { user } = renderApp('/materials')
  await user.click(await box(used))
  await user.click(await box(free))
  await user.click(within(await bar()).getByRole('button', { name: 'Löschen …' }))
  const question = await screen.findByRole('alertdialog', { name: '2 Einträge löschen?' })
  expect(question).toHaveAccessibleDescription(new RegExp(`${used} und ${free}`))
  expect(within(question).getByRole('button', { name: 'Löschen' })).toBeDisabled()
  await user.type(within(question).getByRole('textbox'), '2{Enter}')
  const outcome = await screen.findByRole('dialog', { name: '1 Eintrag wurde nicht gelöscht' })
  expect(outcome).toHaveAccessibleDescription('1 Eintrag wurde gelöscht. Abgelehnte Einträge bleiben ausgewählt.')
  expect(within(outcome).getByRole('heading', { level: 3 })).toHaveTextContent('Wird verwendet.')
  expect(within(outcome).getByRole('link', { name: used })).toHaveAttribute('href', expect.stringMatching(/^\/materials\/\d+$/))
  expect(names()).toEqual(before.filter((name) => name !== free))
  await user.click(within(outcome).getByRole('button', { name: 'Schließen' }))
  expect(await bar()).toHaveTextContent('1 ausgewählt')
  expect(await box(used)).toBeChecked()
})

it('changes a field of all filtered rows on all pages, with the validation of the form', async () => {
  const { user } = renderApp('/materials?f.name=S')
  await box('S235JR')
  await user.click(await screen.findByRole('checkbox', { name: 'Alle Einträge der Seite auswählen' }))
  const matched = db.materials.filter(({ name }) => name.includes('S') || name.includes('s')).length
  await user.click(within(await bar()).getByRole('button', { name: 'Ändern …' }))
  const dialog = await screen.findByRole('dialog', { name: `${matched} Einträge ändern` })
  await user.selectOptions(await within(dialog).findByLabelText('Feld'), 'density')
  const value = within(dialog).getByRole('textbox', { name: /Dichte/ })
  await user.type(value, '-1{Enter}')
  expect(value).toHaveAccessibleDescription(/größer als 0/)
  expect(posts()).toEqual([])
  await user.clear(value)
  await user.type(value, '7,77{Enter}')
  expect(await screen.findByText(`${matched} Einträge wurden geändert.`)).toBeInTheDocument()
  expect(db.materials.filter(({ density }) => density === '7.77')).toHaveLength(matched)
  expect(screen.queryByRole('region', { name: 'Auswahl' })).not.toBeInTheDocument()
})

it('reports that the list has changed, and stays open', async () => {
  const { user } = renderApp('/materials')
  await user.click(await box('C45'))
  db.materials = db.materials.filter(({ name }) => name !== 'C45')
  await user.click(within(await bar()).getByRole('button', { name: 'Löschen …' }))
  const question = await screen.findByRole('alertdialog')
  await user.type(within(question).getByRole('textbox'), '1{Enter}')
  expect(await within(question).findByRole('alert')).toHaveTextContent('Inzwischen sind es 0 Einträge')
})

it('is not offered to users who may only view', async () => {
  renderApp('/materials', 'staff')
  await screen.findByRole('link', { name: 'C45' })
  expect(screen.queryByRole('checkbox')).not.toBeInTheDocument()
})

it('shows the effect on articles before the change is made', async () => {
  const effect = {
    total: 1,
    unchanged: 0,
    changed: 1,
    refused: 0,
    changes: [
      {
        article_id: 1,
        article_number: 'HEB-200',
        article_name: 'HEB 200',
        base_unit_of_measure: 'm',
        weight_per_base_unit: '61.3',
        new_article_number: 'HEB-200',
        new_article_name: 'HEB 200',
        new_weight_per_base_unit: '60',
        problem: null,
      },
    ],
  }
  server.use(http.post('*/api/admin/articles/bulk-effect', () => HttpResponse.json(effect)))
  const changes = () => requests.filter((request) => request.startsWith('POST /api/admin/articles/bulk-change'))
  const { user } = renderApp('/articles')
  const [first] = await screen.findAllByRole('checkbox', { name: /auswählen$/ })
  await user.click(first as HTMLElement)
  await user.click(within(await bar()).getByRole('button', { name: 'Ändern …' }))
  const dialog = await screen.findByRole('dialog', { name: /ändern$/ })
  await user.selectOptions(await within(dialog).findByLabelText('Feld'), 'weight_per_base_unit')
  await user.type(within(dialog).getByRole('textbox', { name: /Gewicht/ }), '60{Enter}')
  const confirmation = await screen.findByRole('dialog', { name: /^Gewicht von .* Artikeln? ändern\?$/ })
  expect(changes()).toEqual([])
  await user.click(within(confirmation).getByRole('button', { name: '1 Artikel ändern' }))
  await waitFor(() => expect(changes()).toHaveLength(1))
})
