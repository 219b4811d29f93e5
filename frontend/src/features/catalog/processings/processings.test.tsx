import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { itKeepsRules } from '~/test/rules'
import { db, mockAnswer } from '~/test/server'
import { processingSchema, toForm } from './schema'

describe('the rules of the server', () => {
  // checked by the server's preview, which parses templates
  const remaining = [
    'cut_length_missing',
    'unknown_placeholder',
    'placeholder_format',
    'unbalanced_brace',
    'unknown_unit',
    'wrong_unit_category',
  ]
  itKeepsRules('processing.json', processingSchema, (input) => ({ ...toForm(null), ...input }), remaining)
})

it('is a menu entry if the flag is on', async () => {
  renderApp('/home')
  expect(await screen.findByRole('link', { name: 'Anarbeitungen' })).toBeInTheDocument()
})

it('is not offered if the flag is off', async () => {
  db.flags.processings = false
  renderApp('/processings')
  expect(await screen.findByRole('heading', { name: 'Path not found' })).toBeInTheDocument()
  expect(screen.queryByRole('link', { name: 'Anarbeitungen' })).not.toBeInTheDocument()
})

it('previews the number of a cut piece during input of the template', async () => {
  const [placeholders, field] = [['schnittlaenge'], 'article_number_addition_template']
  mockAnswer('/api/admin/processings/preview', { problems: { [field]: ['Den Platzhalter gibt es nicht'] }, placeholders, example: null })
  const { user, path } = renderApp('/processings/new')
  await user.type(await screen.findByLabelText('Name *'), 'Gehrungsschnitt')
  const template = screen.getByLabelText('Zusatz zur Artikelnummer *')
  await user.type(template, '-G{{laenge}')
  await waitFor(() => expect(template).toHaveAccessibleDescription('Den Platzhalter gibt es nicht'))
  mockAnswer('/api/admin/processings/preview', { problems: {}, placeholders, example: 'HEB-200-S235JR-G2500' })
  await user.clear(template)
  await user.type(template, '-G')
  await user.click(screen.getByRole('button', { name: 'Schnittlänge einfügen, fehlt noch' }))
  expect(template).toHaveValue('-G{schnittlaenge}')
  await waitFor(() => expect(screen.getByLabelText('So lautet die Artikelnummer')).toHaveValue('HEB-200-S235JR-G2500'))
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/processings'))
  expect(db.processings.at(-1)).toMatchObject({ name: 'Gehrungsschnitt', type: 'sawing', display_name: null })
})
