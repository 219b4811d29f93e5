import { expect, it } from 'vitest'
import { countValues } from './value-counts'

it('counts what was changed, added and removed by its place', () => {
  const value = (material_id: number, month: string, amount: string) => ({ material_id, month, value: amount })
  const removed = [value(1, '2026-11', '100'), value(1, '2026-12', '110'), value(2, '2026-11', '90')]
  // fields in a different order, as another writer may have them
  const come = [{ value: '105', month: '2026-11', material_id: 1 }, value(3, '2026-11', '90'), value(3, '2026-12', '95')]
  expect(countValues(removed, come)).toEqual({ changed: 1, added: 2, removed: 2 })
  expect(countValues([], come)).toEqual({ changed: 0, added: 3, removed: 0 })
})
