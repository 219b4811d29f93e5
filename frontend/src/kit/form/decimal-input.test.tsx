import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { i18n } from '~/i18n/i18n'
import { DecimalInput } from './decimal-input'

function Field({ initial, unit }: { initial: string; unit?: ReactNode }) {
  const [value, setValue] = useState(initial)
  return (
    <>
      <DecimalInput value={value} onChange={setValue} onBlur={() => {}} unit={unit} />
      <output>{value}</output>
    </>
  )
}

const input = () => screen.getByRole('textbox')
const value = () => screen.getByRole('status').textContent

afterEach(() => i18n.changeLanguage('de'))

it.each([
  ['de', '1234.5', '€', '1.234,50'],
  ['de', '1234.5', '€/t', '1.234,50'],
  ['de', '1234.5678', '€', '1.234,5678'],
  ['de', '12000', 'mm', '12.000'],
  ['de', '-1234.5', undefined, '-1.234,5'],
  ['en', '1234.5', '€', '1,234.50'],
  ['de', 'viel', '€', 'viel'],
])('shows %s %s %s as %s while it is not edited', async (lang, initial, unit, expected) => {
  await i18n.changeLanguage(lang)
  render(<Field initial={initial} unit={unit} />)
  expect(input()).toHaveValue(expected)
})

it.each([
  ['12345.6', 6, '{Backspace}', '1234,6', 4, '1234.6'],
  ['12345.6', 2, '9', '129345,6', 3, '129345.6'],
  ['12345.6', 3, '{Backspace}', '12345,6', 2, '12345.6'],
  // not 1.2345
  ['1234', 5, '5', '12345', 5, '12345'],
  // a decimal point, whatever the language
  ['1234', 5, '.5', '1234.5', 6, '1234.5'],
])('keeps the caret in %s at %i when %s is typed, and drops the groups', async (initial, at, keys, text, caret, read) => {
  const user = userEvent.setup()
  render(<Field initial={initial} />)
  await user.click(input())
  const element = input() as HTMLInputElement
  element.setSelectionRange(at, at)
  await user.keyboard(keys)
  expect([element.value, element.selectionStart, value()]).toEqual([text, caret, read])
})

it('leaves a pasted text unchanged, and groups it on blur', async () => {
  const user = userEvent.setup()
  render(<Field initial="1234.5" unit="€" />)
  await user.tripleClick(input())
  await user.paste('1.5')
  expect(value()).toBe('1.5')
  await user.tab()
  expect(input()).toHaveValue('1,50')
  await user.clear(input())
  await user.paste('9.876,5')
  expect(value()).toBe('9876.5')
  await user.tab()
  expect(input()).toHaveValue('9.876,50')
})
