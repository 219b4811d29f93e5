import type { CustomerRow } from '~/features/pricing/shared/why-price/use-customer-rows'

/** A line of an offer, in words. */
export interface CustomerLine {
  title: string
  rows: readonly CustomerRow[]
  /** Why there is no price; empty where there is one. */
  errors: readonly string[]
}

/** Writes what a customer is shown as plain text, for a mail. */
export function customerText(heads: readonly string[], lines: readonly CustomerLine[], total: string): string {
  const parts = lines.map(({ title, rows, errors }) => {
    const told = rows.map(({ what, amount, about }) => `   ${[what, amount].filter(Boolean).join(': ')}${about && ` (${about})`}`)
    return [title, ...told, ...errors.map((error) => `   ${error}`)].join('\n')
  })
  // spaces that hold numbers and units together are none in a mail
  return [heads.join('\n'), ...parts, total].join('\n\n').replaceAll('\u00a0', ' ')
}
