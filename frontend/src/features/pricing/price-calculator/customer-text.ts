import type { CustomerRow } from '~/features/pricing/shared/why-price/use-customer-rows'

/** Line of an offer in words. */
export interface CustomerLine {
  title: string
  rows: readonly CustomerRow[]
  /** Reasons why there is no price; empty if there is one. */
  errors: readonly string[]
}

/** Formats the customer's view as plain text for a mail. */
export function customerText(heads: readonly string[], lines: readonly CustomerLine[], total: string): string {
  const parts = lines.map(({ title, rows, errors }) => {
    const lines = rows.map(
      ({ label, amount, description }) => `   ${[label, amount].filter(Boolean).join(': ')}${description && ` (${description})`}`,
    )
    return [title, ...lines, ...errors.map((error) => `   ${error}`)].join('\n')
  })
  // non-breaking spaces do not work in a mail
  return [heads.join('\n'), ...parts, total].join('\n\n').replaceAll('\u00a0', ' ')
}
