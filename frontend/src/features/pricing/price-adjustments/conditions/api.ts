import { $api, client, data } from '~/api/client'
import type { ConditionsInput } from '~/api/schema'

const CONDITIONS = '/api/admin/price-adjustments/conditions'

/** Converts conditions between tree and text, or returns the faults of a text. */
export const conditionsOptions = (body: ConditionsInput) => $api.queryOptions('post', CONDITIONS, { body })
export const readConditions = (body: ConditionsInput) => data(client.POST(CONDITIONS, { body }))
