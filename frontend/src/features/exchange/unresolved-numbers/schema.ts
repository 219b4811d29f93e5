import type { MatchInput, UnresolvedNumber } from '~/api/schema'
import { bodySchema, nullableRef, ref, z } from '~/kit/form/schema'

export type MatchForm = Required<MatchInput>

/**
 * Schema of a match: an article for an article number, a warehouse for a warehouse number; a tenant number
 * is matched to the tenant itself.
 */
export const matchSchema = (kind: UnresolvedNumber['kind']) =>
  bodySchema<MatchForm>()({
    article_id: kind === 'article' ? ref() : nullableRef(),
    article_number: z.null(),
    warehouse_id: kind === 'warehouse' ? ref() : nullableRef(),
    warehouse_short_code: z.null(),
    tenant_id: kind === 'tenant' ? ref() : nullableRef(),
  })

export const emptyMatch: MatchForm = {
  article_id: null,
  article_number: null,
  warehouse_id: null,
  warehouse_short_code: null,
  tenant_id: null,
}
