import { negated, sumDecimals } from '~/lib/sum'

/** How much more the one is than the other; what is not there counts nothing. */
export const differenceOf = (after: string | null, before: string | null): string => sumDecimals([after ?? '0', negated(before ?? '0')])
