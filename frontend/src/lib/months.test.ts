import { expect, it } from 'vitest'
import { addMonths, monthOf, monthText } from './months'

it('counts months across the ends of years', () => {
  expect(monthOf('2026-12-31')).toBe('2026-12')
  for (const [month, count, expected] of [
    ['2026-12', 1, '2027-01'],
    ['2026-01', -1, '2025-12'],
    ['2026-11', 14, '2028-01'],
    ['2026-11', -23, '2024-12'],
    ['2026-06', 0, '2026-06'],
  ] as const)
    expect(addMonths(month, count), `${month} ${count}`).toBe(expected)
})

it('names months in both languages', () => {
  expect(monthText('2026-12', 'de')).toBe('Dez. 2026')
  expect(monthText('2026-12', 'en')).toBe('Dec 2026')
})
