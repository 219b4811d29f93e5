import type { AuditedChange, Money } from '~/api/schema'

/**
 * Joins the changes of a price's amount, quantity and unit into one. Prices of older entries, which recorded
 * only some of the three, stay as they are.
 */
export function joinPrices(changes: readonly AuditedChange[]): AuditedChange[] {
  const byField = new Map(changes.map((change) => [change.field, change]))
  const partsOf = (field: string) => {
    const [amount, quantity, unit] = [byField.get(field), byField.get(`${field}_quantity`), byField.get(`${field}_unit`)]
    return amount && quantity && unit ? { amount, quantity, unit } : null
  }
  return changes.flatMap((change) => {
    const isPart = ['_quantity', '_unit'].some((end) => change.field.endsWith(end) && partsOf(change.field.slice(0, -end.length)) !== null)
    if (isPart) return []
    const parts = partsOf(change.field)
    return [parts ? { ...change, from: moneyOf(parts, 'from'), to: moneyOf(parts, 'to') } : change]
  })
}

type Parts = Readonly<Record<'amount' | 'quantity' | 'unit', AuditedChange>>

function moneyOf({ amount, quantity, unit }: Parts, side: 'from' | 'to'): Money | null {
  const [price, price_quantity, per] = [amount[side], quantity[side], unit[side]] as unknown[]
  return price === null ? null : ({ price, price_quantity: price_quantity ?? '1', unit: per } as Money)
}
