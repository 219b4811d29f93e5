import { negated, sumDecimals } from '~/lib/sum'

/** Difference of two amounts; a missing one counts as zero. */
export const differenceOf = (after: string | null, before: string | null): string => sumDecimals([after ?? '0', negated(before ?? '0')])
