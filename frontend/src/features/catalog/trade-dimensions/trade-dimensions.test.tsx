import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it, vi } from 'vitest'
import { renderApp } from '~/test/render'
import { db, server } from '~/test/server'

const row = (number: number) => within(screen.getByRole('group', { name: `Bereich ${number}` }))
const field = (number: number, label: string) => row(number).getByLabelText(new RegExp(`^${label}`))
const slider = (name: string) => screen.findByRole('slider', { name: `Grenze zwischen ${name}` })
const answer = () => screen.getByRole('status')

it('lists the short codes of the ranges', async () => {
  renderApp('/tradeDimensions')
  expect(await screen.findByText('L06 · L08 · L10')).toBeInTheDocument()
})

it('moves a boundary by keyboard, and with it both neighbours', async () => {
  const { user } = renderApp('/tradeDimensions/1')
  const boundary = await slider('L06 und L08')
  expect(boundary).toHaveAttribute('aria-valuetext', '6,11\u00a0m')
  const [end, start] = [field(1, 'Bis'), field(2, 'Von')] as HTMLInputElement[]
  boundary.focus()
  await user.keyboard('{ArrowRight}')
  expect(boundary).toHaveAttribute('aria-valuetext', '6,21\u00a0m')
  expect(boundary).toHaveAttribute('aria-valuenow', '6.21')
  expect(end).toHaveValue('6,21')
  expect(start).toHaveValue('6,21')
  for (const [key, value] of [
    ['{Shift>}{ArrowLeft}{/Shift}', '5,21'],
    ['{PageUp}', '6,21'],
    ['{ArrowDown}', '6,11'],
    ['{End}', '8,01'],
    ['{ArrowRight}', '8,01'],
    ['{Home}', '0,1'],
    ['{PageDown}', '0,1'],
  ] as const) {
    await user.keyboard(key)
    expect([key, end?.value, start?.value]).toEqual([key, value, value])
  }
  expect(screen.queryByText(/Lücke/)).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(db.tradeDimensions[0]?.version).toBe(2))
  expect(db.tradeDimensions[0]?.clusters.map((one) => [one.minimum, one.maximum])).toEqual([
    [null, '0.1'],
    ['0.1', '8.11'],
    ['8.11', null],
  ])
})

it('allows minutes for a save that is checked against many articles', async () => {
  const { user, path } = renderApp('/tradeDimensions/1')
  await slider('L06 und L08')
  const patience = vi.spyOn(AbortSignal, 'timeout')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/tradeDimensions'))
  expect(patience.mock.calls[0]).toEqual([5 * 60_000])
  patience.mockRestore()
})

it('shows a gap during input, also at the field, and closes it', async () => {
  const { user, container } = renderApp('/tradeDimensions/1')
  await slider('L06 und L08')
  await user.clear(field(2, 'Von'))
  await user.type(field(2, 'Von'), '6,5')
  expect(screen.getByText('Lücke zwischen L06 und L08: 6,11 m bis 6,5 m')).toBeInTheDocument()
  expect(document.querySelector('[data-problem=rangeGap]')).toBeInTheDocument()
  expect(screen.queryByRole('slider', { name: 'Grenze zwischen L06 und L08' })).not.toBeInTheDocument()
  await user.tab()
  await waitFor(() => expect(field(2, 'Von')).toHaveAccessibleDescription('Lücke nach Bereich „L06“'))
  await user.click(screen.getByRole('button', { name: 'L08 an L06 anschließen' }))
  expect(field(2, 'Von')).toHaveValue('6,11')
  await waitFor(() => expect(field(2, 'Von')).toHaveAccessibleDescription(''))
  expect(container.querySelector('[data-problem]')).toBeNull()
})

it('marks an overlap and refuses to save it, with the input unchanged', async () => {
  const { user } = renderApp('/tradeDimensions/1')
  await slider('L06 und L08')
  await user.clear(field(2, 'Von'))
  await user.type(field(2, 'Von'), '5')
  expect(screen.getByText('L06 und L08 überschneiden sich: 5 m bis 6,11 m')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(field(2, 'Von')).toHaveAccessibleDescription('Überschneidet sich mit Bereich „L06“'))
  expect(field(2, 'Von')).toHaveValue('5')
  expect(db.tradeDimensions[0]?.version).toBe(1)
  // a correction in the other of the two fields clears the message
  await user.clear(field(1, 'Bis'))
  await user.type(field(1, 'Bis'), '5')
  await waitFor(() => expect(field(2, 'Von')).toHaveAccessibleDescription(''))
})

it('adds a range that starts at the end of the last one', async () => {
  const { user } = renderApp('/tradeDimensions/2')
  await slider('A und B')
  await user.click(screen.getByRole('button', { name: 'Hinzufügen' }))
  expect(field(3, 'Kurzzeichen')).toHaveFocus()
  expect(field(3, 'Von')).toHaveValue('12')
  expect(await slider('B und 3')).toHaveAttribute('aria-valuetext', '12\u00a0m')
  // the end is open now: it is closed with the width of the range below
  await user.click(screen.getByRole('button', { name: 'Hinzufügen' }))
  expect(field(3, 'Bis')).toHaveValue('18')
  expect(field(4, 'Von')).toHaveValue('18')
})

it('keeps adjacent ranges adjacent while an end is typed', async () => {
  const { user } = renderApp('/tradeDimensions/new')
  await user.type(await screen.findByLabelText(/^Name/), 'Neu')
  expect(screen.getByText(/erscheinen die Bereiche hier/)).toBeInTheDocument()
  expect(screen.getByRole('list', { name: 'Fehler in den Bereichen' })).toBeEmptyDOMElement()
  await user.type(field(1, 'Kurzzeichen'), 'S')
  await user.type(field(1, 'Bis'), '6,1')
  await user.type(field(1, 'Abrechnungslänge'), '6')
  await user.type(field(2, 'Kurzzeichen'), 'L')
  expect(field(2, 'Von')).toHaveValue('6,1')
  await user.type(field(2, 'Abrechnungslänge'), '12')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(db.tradeDimensions).toHaveLength(3))
  expect(db.tradeDimensions[2]?.clusters).toEqual([
    { short_code: 'S', minimum: null, maximum: '6.1', calculation_value: '6' },
    { short_code: 'L', minimum: '6.1', maximum: null, calculation_value: '12' },
  ])
})

it('shows the range of a length, or why it has none', async () => {
  const { user } = renderApp('/tradeDimensions/2')
  const box = await screen.findByLabelText('Länge ausprobieren')
  for (const [typed, expected] of [
    ['10,4 m', '10,4 m liegt in B, berechnet werden 12 m'],
    ['10400 mm', '10,4 m liegt in B, berechnet werden 12 m'],
    ['10,4', '10,4 m liegt in B, berechnet werden 12 m'],
    ['12', '12 m liegt in B, berechnet werden 12 m'],
    ['600 CM', '6 m liegt in B, berechnet werden 12 m'],
    ['2,9', '2,9 m ist zu kurz: A beginnt bei 3 m.'],
    ['12,001', '12,001 m ist zu lang: B endet bei 12 m.'],
    ['0', 'Die Länge muss größer als 0 sein.'],
    ['lang', 'Das ist keine Länge. Schreiben Sie zum Beispiel 10,4 m.'],
    ['5 kg', 'Das ist keine Längeneinheit; möglich sind mm, cm, m.'],
  ] as const) {
    await user.clear(box)
    await user.paste(typed)
    await waitFor(() => expect(answer()).toHaveTextContent(expected))
  }
  await user.clear(box)
  expect(answer()).toBeEmptyDOMElement()
  // the tested length is not part of the record
  await user.type(box, '4{Enter}')
  expect(document.querySelector('[data-tested]')).toBeInTheDocument()
  expect(db.tradeDimensions[1]?.version).toBe(1)
})

it('shows errors of the server at the range', async () => {
  const errors = { 'clusters.1.minimum': ['Überschneidet sich mit Bereich „L06“'] }
  server.use(
    http.put('*/api/admin/trade-dimensions/1', () =>
      HttpResponse.json({ code: 'invalid', message: '', errors, request_id: '1' }, { status: 422 }),
    ),
  )
  const { user } = renderApp('/tradeDimensions/1')
  await slider('L06 und L08')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(field(2, 'Von')).toHaveAccessibleDescription('Überschneidet sich mit Bereich „L06“'))
})

it('shows the ranges read-only to users who may not change them', async () => {
  renderApp('/tradeDimensions/1', 'staff')
  expect(await screen.findByText('L06: bis 6,11 m, berechnet 6,1 m')).toBeInTheDocument()
  expect(screen.queryByRole('slider')).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Hinzufügen' })).not.toBeInTheDocument()
  expect(field(1, 'Bis')).toBeDisabled()
})

it('resolves a conflict by one of two sets of ranges, not by parts of them', async () => {
  const { user } = renderApp('/tradeDimensions/1')
  const boundary = await slider('L06 und L08')
  boundary.focus()
  await user.keyboard('{ArrowRight}')
  const row = db.tradeDimensions[0]
  const [first, second, third] = row?.clusters ?? []
  if (!row || !first || !second || !third) throw new Error('no ladder')
  Object.assign(row, { version: 2, clusters: [first, { ...second, maximum: '9' }, { ...third, minimum: '9' }] })
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  const question = await screen.findByRole('radiogroup', { name: 'Bereiche' })
  const [mine, theirs] = within(question).getAllByRole('radio')
  expect(mine).toHaveAccessibleName(expect.stringMatching(/^Ihre Eingabe: .*L06: bis 6,21.m.*L08: von 6,21.m bis 8,11.m/))
  expect(theirs).toHaveAccessibleName(expect.stringMatching(/^Gespeicherter Stand: .*L08: von 6,11.m bis 9.m/))
  if (theirs) await user.click(theirs)
  await user.click(screen.getByRole('button', { name: 'Auswahl speichern' }))
  await waitFor(() => expect(db.tradeDimensions[0]?.version).toBe(3))
  expect(db.tradeDimensions[0]?.clusters[1]?.maximum).toBe('9')
})
