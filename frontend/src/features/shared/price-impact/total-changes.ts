import type { SampleCartImpact } from '~/api/schema'

/** True if the total of a sample cart changes, or only one of both states has a total. */
export const totalChanges = ({ before, after }: SampleCartImpact): boolean => before.total !== after.total
