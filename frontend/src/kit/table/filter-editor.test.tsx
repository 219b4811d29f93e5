import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { i18n } from '~/i18n/i18n'
import { renderApp } from '~/test/render'
import { requests } from '~/test/server'

const editor = async () => within(await screen.findByRole('dialog', { name: 'Filter' }))

it('refuses a number with more digits than the server accepts', async () => {
  const { user, search } = renderApp('/materials')
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  const form = await editor()
  await user.selectOptions(await form.findByLabelText('Feld'), 'density')
  const value = form.getByLabelText('Wert')
  const apply = async (text: string) => {
    await user.clear(value)
    await user.type(value, `${text}{Enter}`)
  }
  for (const text of ['1000000000000', '0,0000001']) {
    await apply(text)
    expect(value).toHaveAccessibleDescription('Höchstens 12 Stellen vor und 6 nach dem Komma')
  }
  await apply('schwer')
  expect(value).toHaveAccessibleDescription('Bitte geben Sie einen gültigen Wert an')
  expect(requests.filter((request) => request.includes('filter[density'))).toEqual([])
  await apply('999999999999,999999')
  await waitFor(() => expect(search()).toBe('?f.density=999999999999.999999'))
})

it.each([
  ['searchbox', 'Suchen nach'],
  ['textbox', 'Wert'],
] as const)('treats pasted cells of a table as words: %s', async (role, name) => {
  const { user, search } = renderApp('/attributes')
  if (role === 'textbox') {
    await user.click(await screen.findByRole('button', { name: 'Filter' }))
    await user.selectOptions(await (await editor()).findByLabelText('Feld'), 'name')
  }
  await user.click(await screen.findByRole(role, { name: new RegExp(name) }))
  await user.paste('HEB\t200\t')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(search()).toBe('?f.name=HEB+200'))
})

it('applies only the value that it shows', async () => {
  const { user, search } = renderApp('/attributes?f.type=categorial&f.type=metric')
  await user.click(await screen.findByRole('button', { name: /^Art ist/ }))
  const form = await editor()
  await user.selectOptions(await form.findByLabelText('Bedingung'), 'ist nicht')
  expect(form.getByRole('combobox', { name: /^Wert/ })).toHaveTextContent(/^Auswahl$/)
  await user.click(form.getByRole('button', { name: 'Anwenden' }))
  await waitFor(() => expect(search()).toBe('?f.type.ne=categorial'))
})

it.each([
  ['de', 'Name enthält „S2“'],
  ['en', 'Name contains “S2”'],
])('quotes texts in the style of the language: %s', async (language, text) => {
  await i18n.changeLanguage(language)
  try {
    renderApp('/materials?f.name=S2')
    await waitFor(() => expect(document.body).toHaveTextContent(text))
  } finally {
    await i18n.changeLanguage('de')
  }
})

it.each([
  ['de', 'Bedingung', 'ist genau', 'eq', 'filter[name_equals]=S235JR', 'Name ist genau „S235JR“'],
  ['de', 'Bedingung', 'beginnt mit', 'sw', 'filter[name_starts_with]=S235JR', 'Name beginnt mit „S235JR“'],
  ['en', 'Condition', 'is exactly', 'eq', 'filter[name_equals]=S235JR', 'Name is exactly “S235JR”'],
  ['en', 'Condition', 'starts with', 'sw', 'filter[name_starts_with]=S235JR', 'Name starts with “S235JR”'],
])('offers comparisons of texts: %s %s %s', async (language, condition, choice, op, wire, expectedText) => {
  await i18n.changeLanguage(language)
  try {
    const { user, search } = renderApp('/materials')
    await user.click(await screen.findByRole('button', { name: 'Filter' }))
    const form = await editor()
    await user.selectOptions(await form.findByLabelText(language === 'de' ? 'Feld' : 'Field'), 'name')
    await user.selectOptions(form.getByLabelText(condition), choice)
    await user.type(form.getByLabelText(language === 'de' ? 'Wert' : 'Value'), 'S235JR{Enter}')
    await waitFor(() => expect(search()).toBe(`?f.name.${op}=S235JR`))
    await waitFor(() => expect(document.body).toHaveTextContent(expectedText))
    await waitFor(() => expect(requests.some((request) => request.includes(wire))).toBe(true))
  } finally {
    await i18n.changeLanguage('de')
  }
})

describe('a range', () => {
  it('has two ends, is one chip, and is edited as one', async () => {
    const { user, search } = renderApp('/materials')
    await user.click(await screen.findByRole('button', { name: 'Filter' }))
    const form = await editor()
    await user.selectOptions(await form.findByLabelText('Feld'), 'density')
    await user.selectOptions(form.getByLabelText('Bedingung'), 'von … bis')
    await user.type(form.getByLabelText('Von'), '7,9')
    const until = form.getByLabelText('Bis')
    await user.type(until, '7,8{Enter}')
    expect(until).toHaveAccessibleDescription(/endet, bevor er anfängt/)
    await user.clear(until)
    await user.type(until, 'viel{Enter}')
    expect(until).toHaveAccessibleDescription('Bitte geben Sie einen gültigen Wert an')
    await user.clear(until)
    await user.type(until, '8{Enter}')
    await waitFor(() => expect(search()).toBe('?f.density.gte=7.9&f.density.lte=8'))
    const chip = await screen.findByRole('button', { name: /^Dichte.* von 7,9.* bis 8/ })
    await user.click(chip)
    const again = await editor()
    expect(await again.findByLabelText('Bis')).toHaveValue('8')
    await user.clear(again.getByLabelText('Von'))
    await user.click(again.getByRole('button', { name: 'Anwenden' }))
    await waitFor(() => expect(search()).toBe('?f.density.lte=8'))
  })

  it('is removed as one', async () => {
    const { user, search } = renderApp('/materials?f.density.lte=8&f.name=S&f.density.gte=7.9')
    ;(await screen.findByRole('button', { name: /^Dichte.* von/ })).focus()
    await user.keyboard('{Delete}')
    await waitFor(() => expect(search()).toBe('?f.name=S'))
  })
})

it('filters rows without a value, and those with one', async () => {
  const { user, search } = renderApp('/materials')
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  const form = await editor()
  await user.selectOptions(await form.findByLabelText('Feld'), 'name')
  expect(form.queryByRole('option', { name: 'ist leer' })).toBeNull()
  await user.selectOptions(form.getByLabelText('Feld'), 'density')
  await user.selectOptions(form.getByLabelText('Bedingung'), 'ist leer')
  expect(form.queryByLabelText('Wert')).toBeNull()
  await user.click(form.getByRole('button', { name: 'Anwenden' }))
  await waitFor(() => expect(search()).toBe('?f.density.empty=true'))
  expect(requests.some((request) => request.includes('filter[density_empty]=true'))).toBe(true)
  await user.click(await screen.findByRole('button', { name: /^Dichte.* ist leer$/ }))
  const again = await editor()
  await user.selectOptions(await again.findByLabelText('Bedingung'), 'ist nicht leer')
  await user.click(again.getByRole('button', { name: 'Anwenden' }))
  await waitFor(() => expect(search()).toBe('?f.density.empty=false'))
  expect(await screen.findByRole('button', { name: /^Dichte.* ist nicht leer$/ })).toBeVisible()
})
