import type { Matching } from '~/api/schema'
import { bodySchema, type Issue, nullableRef, nullableText, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

type MatchingBody = BodyOf<'/api/admin/matchings'>

const body = bodySchema<MatchingBody>()({
  article_id: nullableRef(),
  article_number: z.null(),
  external_article_number: nullableText(),
  warehouse_id: nullableRef(),
  warehouse_short_code: z.null(),
  external_warehouse_identifier: nullableText(),
  external_tenant_identifier: nullableText(),
})

const PAIRS = [
  ['article_id', 'external_article_number'],
  ['warehouse_id', 'external_warehouse_identifier'],
] as const

/**
 * Requires a record and its external identifier together; without a record, the matching is for the tenant
 * itself.
 */
function pairRules(form: MatchingBody): Issue[] {
  const filled = PAIRS.flat().filter((name) => form[name] !== null)
  if (filled.length === 0 && form.external_tenant_identifier !== null) return []
  if (filled.length === 0) return [{ path: ['external_article_number'], message: 'matchings:rules.empty' }]
  return PAIRS.flatMap((pair) => {
    const missing = pair.filter((name) => !filled.includes(name))
    return missing.length === 1 ? missing.map((name) => ({ path: [name], message: 'required' })) : []
  })
}

export const matchingSchema = body.check(
  z.check(({ value, issues }) => {
    for (const issue of pairRules(value)) issues.push({ code: 'custom', input: value, ...issue })
  }),
)

export const toForm = (row: Matching | null) => ({
  article_id: row?.article?.id ?? null,
  article_number: null,
  external_article_number: row?.external_article_number ?? '',
  warehouse_id: row?.warehouse?.id ?? null,
  warehouse_short_code: null,
  external_warehouse_identifier: row?.external_warehouse_identifier ?? '',
  external_tenant_identifier: row?.external_tenant_identifier ?? '',
})
