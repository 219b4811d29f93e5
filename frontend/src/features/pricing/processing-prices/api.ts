import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { processingRef } from '~/features/catalog/processings/ref'
import { crud } from '~/kit/records/crud'

export const processingPrices = crud('/api/admin/processing-prices', {
  filters: {
    search: { kind: 'search' },
    processing_id: { kind: 'ref', source: processingRef },
    article_type_id: { kind: 'ref', source: articleTypeRef, optional: true },
    updated_at: { kind: 'date' },
  },
  sorts: ['processing', 'article_type', 'updated_at'],
  defaultSort: 'processing',
  search: 'search',
})
