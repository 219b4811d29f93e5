import type { ClusterInput, TradeDimension } from '~/api/schema'
import { bodySchema, code, decimal, duplicates, type Issue, nullableDecimal, shortCode, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'
import { compareDecimals } from '~/lib/decimal'

export type TradeDimensionBody = BodyOf<'/api/admin/trade-dimensions'>

import { findProblems, sortedRanges } from './length-ranges'

const MIN = 2
const MAX = 100
/** Length in metres, precise to the millimetre. */
const LENGTH = { before: 4, after: 3, above: 0 }

const cluster = bodySchema<ClusterInput>()({
  short_code: shortCode(),
  minimum: nullableDecimal(LENGTH),
  maximum: nullableDecimal(LENGTH),
  calculation_value: decimal(LENGTH),
})
const bound = nullableDecimal(LENGTH)

function clusterRules(clusters: readonly ClusterForm[]): Issue[] {
  if (clusters.length < MIN) return [{ path: ['clusters'], message: code('atLeast', { min: MIN }) }]
  if (clusters.length > MAX) return [{ path: ['clusters'], message: code('atMost', { max: MAX }) }]
  return []
}

/** Validates each range, and then, if all are valid, how they relate to each other. */
function rangeRules(clusters: readonly ClusterForm[]): Issue[] {
  const reversed = clusters.flatMap(({ minimum, maximum }, at): Issue[] =>
    minimum && maximum && compareDecimals(maximum, minimum) <= 0
      ? [{ path: ['clusters', at, 'maximum'], message: 'tradeDimensions:rules.rangeReversed' }]
      : [],
  )
  const isReadable = clusters.every(({ minimum, maximum }) => [minimum, maximum].every((one) => bound.safeParse(one ?? '').success))
  if (reversed.length > 0 || !isReadable) return reversed
  return findProblems(sortedRanges(clusters)).map((problem) => ({
    path: ['clusters', problem.range.at, problem.kind === 'openAbove' ? 'maximum' : 'minimum'],
    message: code(`tradeDimensions:rules.${problem.kind}`, 'below' in problem ? { range: problem.below.name } : {}),
  }))
}

export const tradeDimensionSchema = bodySchema<TradeDimensionBody>()({ name: text(), clusters: z.array(cluster) }).check(
  z.check(
    ({ value, issues }) => {
      const clusters = value.clusters as readonly ClusterForm[]
      const allIssues = [...clusterRules(clusters), ...duplicates(clusters, 'clusters', 'short_code'), ...rangeRules(clusters)]
      for (const issue of allIssues) issues.push({ code: 'custom', input: value, ...issue })
    },
    // runs even if single fields are invalid, so that all errors are shown together
    { when: () => true },
  ),
)

export const EMPTY_CLUSTER = { short_code: '', minimum: '', maximum: '', calculation_value: '' }

export const toForm = (row: TradeDimension | null) => ({
  name: row?.name ?? '',
  clusters: row
    ? row.clusters.map(({ short_code, minimum, maximum, calculation_value }) => ({
        short_code,
        minimum: minimum ?? '',
        maximum: maximum ?? '',
        calculation_value,
      }))
    : [EMPTY_CLUSTER, EMPTY_CLUSTER],
})

export type TradeDimensionForm = ReturnType<typeof toForm>
/** Row of the form, or of the body that it sends. */
export type ClusterForm = { short_code: string; minimum: string | null; maximum: string | null; calculation_value: string }
