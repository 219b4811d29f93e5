import type { SampleCartImpact } from '~/api/schema'

/** Whether a sample cart costs something else, or has a price that it had not, or the other way round. */
export const cartMoves = ({ before, after }: SampleCartImpact): boolean => before.total !== after.total
