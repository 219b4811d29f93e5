import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode, useMemo } from 'react'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import '~/i18n/area'
import { loadTexts } from '~/i18n/i18n'
import { readPrice } from '~/lib/reader'
import { choiceColumn, decimalColumn, type SheetColumn, textColumn } from './column'
import { Spreadsheet } from './spreadsheet'
import { type Sheet, useSpreadsheet } from './use-spreadsheet'

interface Row {
  id: number
  name: string
  price: string | null
  unit: string
}

const columns: SheetColumn<Row>[] = [
  textColumn<Row>({ id: 'name', header: 'Artikel', width: 160, sticky: true, value: ({ name }) => name }),
  decimalColumn<Row>({
    id: 'price',
    header: 'Preis',
    width: 100,
    value: ({ price }) => price,
    min: 0,
    places: 2,
    read: (text, lang) => readPrice(text, lang, [])?.amount ?? null,
    sum: true,
  }),
  choiceColumn<Row>({
    id: 'unit',
    header: 'Einheit',
    width: 90,
    value: ({ unit }) => unit,
    required: true,
    choices: [
      { value: 'kilogram', label: 'kg' },
      { value: 'metre', label: 'm' },
      { value: 'piece', label: 'Stk', names: ['piece'] },
    ],
  }),
]

let sheet: Sheet<Row>
let loaded: Set<number> | null = null
/** Number of rows that another person has inserted at the top. */
let before = 0
const load = vi.fn(async (first: number, last: number) => {
  for (let index = first; index <= last; index++) loaded?.add(index)
})

function Page({ count }: { count: number }) {
  const rows = useMemo(
    () => ({
      count,
      key: ({ id }: Row) => id,
      at: (index: number): Row | undefined =>
        loaded === null || loaded.has(index)
          ? { id: 1000 + index - before, name: `HEB ${index - before}`, price: `${(index - before) * 10}.5000`, unit: 'kilogram' }
          : undefined,
      load,
    }),
    [count],
  )
  sheet = useSpreadsheet(columns, rows)
  return (
    <>
      <Spreadsheet sheet={sheet} label="Preise" />
      <button type="button">danach</button>
    </>
  )
}

async function open(count = 20) {
  const user = userEvent.setup()
  const view = render(
    <StrictMode>
      <Page count={count} />
    </StrictMode>,
  )
  const show = (more: number) =>
    view.rerender(
      <StrictMode>
        <Page count={more} />
      </StrictMode>,
    )
  const cell = (row: number, column: number) => {
    const element = view.container.querySelector<HTMLElement>(`[data-row="${row}"] [data-column="${column}"]`)
    if (!element) throw new Error(`no cell ${row}/${column}`)
    return element
  }
  await user.click(cell(0, 1))
  return { user, cell, show, texts: (column: number, rows: number[]) => rows.map((row) => cell(row, column).textContent) }
}

const raws = () => [...sheet.changes].map(([key, { cells }]) => `${key}: ${[...cells].map(([id, { raw }]) => `${id}=${raw}`).join(' ')}`)

beforeAll(async () => {
  // the visible range depends on element sizes, which jsdom does not have
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(360)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800)
  HTMLElement.prototype.setPointerCapture ??= () => {}
})
beforeEach(async () => {
  loaded = null
  before = 0
  load.mockClear()
  await loadTexts('spreadsheet')
})
afterAll(() => vi.restoreAllMocks())

it('renders only visible rows, and exposes the number of all', async () => {
  await open(100_000)
  const grid = screen.getByRole('grid', { name: 'Preise' })
  expect(grid).toHaveAttribute('aria-rowcount', '100001')
  expect(within(grid).getAllByRole('row').length).toBeLessThan(40)
})

describe('keys', () => {
  it('move the focus to rows that were not rendered before', async () => {
    const { user, cell } = await open(100_000)
    await user.keyboard('{ArrowDown}{ArrowRight}')
    expect(cell(1, 2)).toHaveFocus()
    await user.keyboard('{Control>}{End}{/Control}')
    expect(cell(99_999, 2)).toHaveFocus()
    expect(cell(99_999, 2).closest('tr')).toHaveAttribute('aria-rowindex', '100001')
    await user.keyboard('{Control>}{Home}{/Control}')
    expect(cell(0, 0)).toHaveFocus()
  })

  it('widen and narrow a column, announce it, and reset its width', async () => {
    const { user, cell } = await open()
    vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(100)
    const width = () => cell(0, 1).style.getPropertyValue('--width')
    await user.keyboard('{Alt>}{Shift>}{ArrowRight}{/Shift}{/Alt}')
    expect(width()).toBe('116px')
    expect(screen.getByText('Spalte „Preis“: 116 Pixel breit.')).toBeVisible()
    expect(cell(0, 1)).toHaveFocus()
    await user.keyboard('{Alt>}{Shift>}{ArrowLeft}{/Shift}{/Alt}')
    expect(width()).toBe('84px')
    await user.keyboard('{Alt>}{Shift>}{Home}{/Shift}{/Alt}')
    expect(width()).toBe('100px')
    // without Shift these keys belong to the browser
    await user.keyboard('{Alt>}{ArrowRight}{/Alt}')
    expect(cell(0, 1)).toHaveFocus()
    expect(width()).toBe('100px')
  })

  it('type over a cell, and commit and move down on Enter', async () => {
    const { user, cell } = await open()
    await user.keyboard('1234,5{Enter}')
    expect(cell(1, 1)).toHaveFocus()
    expect(cell(0, 1)).toHaveTextContent('1.234,50')
    expect(sheet.changes.get(1000)?.cells.get('price')?.value).toBe('1234.5')
    expect(cell(0, 1)).toHaveAccessibleDescription('Geändert, gespeichert ist 0,50')
    expect(screen.getByText('1 Zelle geändert')).toBeVisible()
  })

  it('edit the content with F2, and cancel with Escape', async () => {
    const { user, cell } = await open()
    await user.keyboard('{F2}')
    expect(screen.getByRole('textbox', { name: 'Preis, Zeile 1' })).toHaveValue('0,50')
    await user.keyboard('1{Escape}')
    expect(raws()).toEqual([])
    expect(cell(0, 1)).toHaveFocus()
    await user.keyboard('{F2}1{Tab}')
    expect(raws()).toEqual(['1000: price=0,501'])
    expect(cell(0, 2)).toHaveFocus()
  })

  it('leave an input with an arrow only if editing began by typing', async () => {
    const { user, cell } = await open()
    await user.keyboard('7{ArrowRight}')
    expect(cell(0, 2)).toHaveFocus()
    await user.keyboard('{ArrowLeft}{F2}{ArrowLeft}')
    expect(screen.getByRole('textbox')).toHaveFocus()
  })

  it('choose a unit', async () => {
    const { user, cell } = await open()
    await user.keyboard('{ArrowRight}{Enter}')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Einheit, Zeile 1' }), 'm')
    await user.keyboard('{Enter}')
    expect(cell(0, 2)).toHaveTextContent('m')
    expect(sheet.changes.get(1000)?.cells.get('unit')?.value).toBe('metre')
  })

  it('type a unit over another one, and report an unknown one', async () => {
    const { user, cell } = await open()
    await user.click(cell(0, 2))
    await user.keyboard('piece{Enter}')
    expect(sheet.changes.get(1000)?.cells.get('unit')?.value).toBe('piece')
    await user.keyboard('mm{Enter}')
    expect(sheet.changes.get(1001)?.cells.get('unit')).toMatchObject({ value: null, raw: 'mm', error: { message: 'invalid' } })
    expect(cell(1, 2)).toBeInvalid()
  })

  it('do not write into read-only cells', async () => {
    const { user, cell } = await open()
    await user.keyboard('{Home}x')
    expect(cell(0, 0)).toHaveAttribute('aria-readonly', 'true')
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.getByText('Diese Zelle lässt sich nicht ändern.')).toBeVisible()
  })

  it('select a block, whose numbers are added up exactly', async () => {
    const { user, cell } = await open()
    await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
    expect([0, 1, 2, 3].map((row) => cell(row, 1).getAttribute('aria-selected'))).toEqual(['true', 'true', 'true', 'false'])
    expect(cell(0, 1)).toHaveFocus()
    expect(await screen.findByText('3 Zellen · Summe 31,5')).toBeVisible()
  })

  it('fill down, clear, undo and redo', async () => {
    const { user, texts } = await open()
    await user.keyboard('9{Enter}{ArrowUp}{Shift>}{ArrowDown}{ArrowDown}{/Shift}{Control>}d{/Control}')
    expect(texts(1, [0, 1, 2, 3])).toEqual(['9,00', '9,00', '9,00', '30,50'].map((text) => expect.stringContaining(text)))
    await user.keyboard('{Delete}')
    expect(raws()).toEqual(['1000: price=', '1001: price=', '1002: price='])
    await user.keyboard('{Control>}zz{/Control}')
    expect(raws()).toEqual(['1000: price=9'])
    await user.keyboard('{Control>}y{/Control}')
    expect(raws()).toEqual(['1000: price=9', '1001: price=9,00', '1002: price=9,00'])
  })
})

it('can also be undone and redone by buttons', async () => {
  const { user, cell } = await open()
  const undo = screen.getByRole('button', { name: 'Rückgängig machen (Strg+Z)' })
  expect(undo).toBeDisabled()
  await user.keyboard('9{Enter}')
  await user.click(undo)
  expect(raws()).toEqual([])
  expect(cell(0, 1)).toHaveAttribute('tabindex', '0')
  await user.click(screen.getByRole('button', { name: 'Wiederholen (Strg+Y)' }))
  expect(raws()).toEqual(['1000: price=9'])
})

describe('Tab', () => {
  it('moves from cell to cell and leaves the sheet after the last one', async () => {
    const { user, cell } = await open(2)
    await user.keyboard('{Tab}{Tab}')
    expect(cell(1, 0)).toHaveFocus()
    await user.keyboard('{Tab}{Tab}{Tab}')
    expect(document.activeElement?.closest('table')).toBeNull()
  })

  it('leaves the sheet from any cell after Escape, until another key', async () => {
    const { user, cell } = await open()
    await user.keyboard('{Escape}{ArrowDown}{Tab}')
    expect(cell(1, 2)).toHaveFocus()
    await user.keyboard('{Escape}{Tab}')
    expect(document.activeElement?.closest('table')).toBeNull()
  })
})

describe('the clipboard', () => {
  it('pastes a block from a German spreadsheet as one step, and reports what was left out', async () => {
    const { user, texts } = await open(4)
    await user.keyboard('{ArrowDown}{ArrowDown}')
    await user.paste('1.234,50 €\tm\r\nauf Anfrage\tkg\r\n7\tm\r\n')
    const announcement =
      '4 Zellen ausgefüllt. 1 Wert ist ungültig und blieb stehen, wie er ist. 1 Zeile fand keinen Platz und wurde ausgelassen.'
    expect(await screen.findByText(announcement)).toBeVisible()
    expect(texts(1, [2, 3])).toEqual([expect.stringContaining('1.234,50'), expect.stringContaining('auf Anfrage')])
    await user.keyboard('{Control>}z{/Control}')
    expect(raws()).toEqual([])
  })

  it('copies a block in the format of spreadsheets', async () => {
    const { user, cell } = await open()
    await user.keyboard('{Home}{Shift>}{ArrowDown}{End}{/Shift}')
    const clipboardData = { setData: vi.fn() }
    fireEvent.copy(cell(0, 0), { clipboardData })
    expect(clipboardData.setData).toHaveBeenCalledWith('text/plain', 'HEB 0\t0,50\tkg\nHEB 1\t10,50\tkg')
    expect(screen.getByText('6 Zellen kopiert.')).toBeVisible()
    fireEvent.cut(cell(0, 0), { clipboardData })
    await waitFor(() => expect(raws()).toEqual(['1000: price= unit=', '1001: price= unit=']))
  })

  it('loads the target rows of a paste', async () => {
    loaded = new Set(Array.from({ length: 30 }, (_, index) => index))
    const { user } = await open(1000)
    await user.paste(Array.from({ length: 200 }, (_, at) => `${at + 1}`).join('\n'))
    expect(load).toHaveBeenCalledWith(0, 199)
    await waitFor(() => expect(sheet.changes.size).toBe(200))
    expect(sheet.changes.get(1199)?.cells.get('price')?.value).toBe('200')
  })

  it('changes nothing if rows cannot be loaded', async () => {
    loaded = new Set([0, 1, 2])
    load.mockRejectedValueOnce(new Error('away'))
    const { user } = await open(1000)
    await user.paste('1\n2\n3\n4')
    expect(await screen.findByText('Die Zeilen konnten nicht geladen werden, es wurde nichts geändert.')).toBeVisible()
    expect(raws()).toEqual([])
  })
})

describe('errors', () => {
  it('are shown at their cells, and F8 moves to the next one', async () => {
    const { user, cell } = await open()
    await user.keyboard('x{Enter}')
    expect(cell(0, 1)).toBeInvalid()
    expect(cell(0, 1)).toHaveAccessibleDescription(expect.stringContaining('Bitte geben Sie eine Zahl ein, zum Beispiel 12,5'))
    await user.keyboard('{ArrowDown}{ArrowDown}-5{Enter}{F8}')
    expect(cell(0, 1)).toHaveFocus()
    await user.click(screen.getByRole('button', { name: '2 Fehler: zum nächsten' }))
    expect(cell(3, 1)).toHaveFocus()
    expect(screen.getByText('Der Wert muss mindestens 0 sein')).toBeVisible()
  })

  it('come from the server for cells and rows, and are cleared by new input', async () => {
    const { user, cell } = await open()
    await user.keyboard('5{Enter}6{Enter}')
    act(() =>
      sheet.refuse([
        { key: 1000, column: 'price', message: 'Unter dem Einkaufspreis' },
        { key: 1001, column: null, message: 'Inzwischen geändert' },
      ]),
    )
    expect(cell(0, 1)).toHaveAccessibleDescription(expect.stringContaining('Unter dem Einkaufspreis'))
    expect(cell(1, 0)).toHaveAccessibleDescription('Inzwischen geändert')
    await user.keyboard('{Control>}{Home}{/Control}{ArrowRight}7{Enter}')
    expect(cell(0, 1)).toBeValid()
    act(() => sheet.saved(sheet.changes, new Map()))
    expect(raws()).toEqual([])
  })
})

describe('numbers', () => {
  it('keep the decimal point after a single zero, typed and pasted', async () => {
    const { user } = await open()
    await user.keyboard('0.925{Enter}')
    await user.paste('0.925 €')
    expect([...sheet.changes.values()].map(({ cells }) => cells.get('price')?.value)).toEqual(['0.925', '0.925'])
  })

  it('show how an ambiguous text was read', async () => {
    const { user, cell } = await open()
    await user.keyboard('1.234{Enter}')
    expect(screen.getByText('1 Wert ist mehrdeutig: „1.234“ wurde als 1.234,00 verstanden.')).toBeVisible()
    expect(cell(0, 1)).toHaveAccessibleDescription(expect.stringContaining('Verstanden als 1.234,00'))
    await user.paste('2.500 €\n7,85\n3.000')
    expect(screen.getByText(/2 Werte sind mehrdeutig: „2\.500 €“ wurde als 2\.500,00 verstanden\./)).toBeVisible()
    await user.click(cell(1, 1))
    expect(screen.getByText('Verstanden als 2.500,00')).toBeVisible()
    await user.click(cell(2, 1))
    expect(screen.queryByText(/^Verstanden als [\d.,]+$/)).not.toBeInTheDocument()
  })
})

it('commits the typed value when another cell is clicked', async () => {
  const { user, cell } = await open()
  await user.keyboard('77')
  await user.click(cell(4, 1))
  expect(raws()).toEqual(['1000: price=77'])
  expect(cell(4, 1)).toHaveFocus()
})

it('writes into the row in which editing began, even if it has moved', async () => {
  const { user, cell, show } = await open(20)
  await user.keyboard('{ArrowDown}{ArrowDown}77')
  before = 1
  show(21)
  await user.keyboard('{Enter}')
  expect(raws()).toEqual(['1002: price=77'])
  expect(cell(3, 1)).toHaveTextContent('77,00')
})

it('keeps the selection within the sheet when the number of rows shrinks', async () => {
  const { user, cell, show } = await open(20)
  await user.keyboard('{Control>}{End}{/Control}')
  show(3)
  expect(cell(2, 2)).toHaveAttribute('tabindex', '0')
})

it('shows its keyboard shortcuts', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Tastenkürzel' }))
  expect(await screen.findByRole('dialog', { name: 'Tastenkürzel der Tabelle' })).toHaveTextContent('Strg + DNach unten ausfüllen')
})

it('edits on double click', async () => {
  const { user, cell } = await open()
  await user.dblClick(cell(3, 1))
  expect(screen.getByRole('textbox', { name: 'Preis, Zeile 4' })).toHaveFocus()
})

it('selects on the first tap and edits on the second', async () => {
  const { user, cell } = await open()
  await user.pointer([{ keys: '[TouchA]', target: cell(2, 1) }])
  expect(cell(2, 1)).toHaveFocus()
  expect(screen.queryByRole('textbox')).toBeNull()
  await user.pointer([{ keys: '[TouchA]', target: cell(2, 1) }])
  expect(screen.getByRole('textbox', { name: 'Preis, Zeile 3' })).toHaveFocus()
})
