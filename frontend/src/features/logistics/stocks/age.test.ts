import { expect, it } from 'vitest'
import { ageOf, quantityKnownAt } from './age'

const NOW = new Date('2026-11-23T12:00:00Z')

it.each([
  ['2026-11-23T11:00:00Z', 'fresh'],
  ['2026-11-16T12:00:00Z', 'fresh'],
  ['2026-11-16T11:59:59Z', 'ageing'],
  ['2026-10-24T12:00:00Z', 'ageing'],
  ['2026-10-24T11:59:59Z', 'old'],
] as const)('%s is %s', (since, age) => expect(ageOf(since, NOW)).toBe(age))

it('dates a quantity by its change or confirmation, whichever is later', () => {
  const [earlier, later] = ['2026-11-01T08:00:00Z', '2026-11-20T08:00:00.123Z'] as const
  const counted = { availability_type: 'quantity', last_known: null } as const
  expect(quantityKnownAt({ ...counted, updated_at: earlier, confirmed_at: later })).toBe(later)
  expect(quantityKnownAt({ ...counted, updated_at: later, confirmed_at: earlier })).toBe(later)
  expect(quantityKnownAt({ ...counted, updated_at: earlier, confirmed_at: null })).toBe(earlier)
})

it("dates a quantity of the tenant's own system by its last answer", () => {
  const stock = { availability_type: 'external-api', updated_at: '2026-11-20T08:00:00Z', confirmed_at: null } as const
  const as_of = '2026-11-01T08:00:00Z'
  expect(quantityKnownAt({ ...stock, last_known: { quantity: '1', as_of } })).toBe(as_of)
  expect(quantityKnownAt({ ...stock, last_known: null })).toBeNull()
})
