import { sumDecimals } from '~/kit/spreadsheet/sum'

const minus = (amount: string) => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`)

/** How much more the one is than the other; what is not there counts nothing. */
export const differenceOf = (after: string | null, before: string | null): string => sumDecimals([after ?? '0', minus(before ?? '0')])
