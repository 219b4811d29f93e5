import type { ProcessingPrice } from '~/api/schema'
import { bodySchema, decimal, nullableRef, ref, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type ProcessingPriceBody = BodyOf<'/api/admin/processing-prices'>

export const processingPriceSchema = bodySchema<ProcessingPriceBody>()({
  processing_id: ref(),
  article_type_id: nullableRef(),
  price: z.object({
    price: decimal({ min: 0, before: 8, after: 4, invalid: 'amount' }),
    price_quantity: decimal({ above: 0, before: 9 }),
    // a processing is counted by the number of times it is done
    unit: z.literal('piece'),
  }),
})

export const toForm = (row: ProcessingPrice | null) => ({
  processing_id: row?.processing.id ?? null,
  article_type_id: row?.article_type?.id ?? null,
  price: {
    price: row?.price.price ?? '',
    price_quantity: row?.price.price_quantity ?? '1',
    unit: 'piece' as const,
  },
})
