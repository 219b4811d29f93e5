import type { Refusal, RowKey } from './changes'

/**
 * Assigns the errors of a bulk save to cells: `prices.3.external_price.price` belongs to the fourth row that
 * was sent. Errors without a column concern the row as a whole.
 */
export function refusalsOf(
  fields: Readonly<Record<string, readonly string[]>>,
  list: string,
  sent: readonly RowKey[],
  columnOf: (path: string) => string | null,
): Refusal[] {
  return Object.entries(fields).flatMap(([field, messages]) => {
    const [, index, path = ''] = new RegExp(`^${list}\\.(\\d+)(?:\\.(.+))?$`).exec(field) ?? []
    const key = index === undefined ? undefined : sent[Number(index)]
    return key === undefined ? [] : [{ key, column: columnOf(path), message: messages.join(' ') }]
  })
}
