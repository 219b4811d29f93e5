import { importRef } from '~/features/exchange/imports/ref'
import { stockRef } from '~/features/logistics/stocks/ref'
import { crud } from '~/kit/records/crud'

export const HELD_PRICES_PATH = '/api/admin/held-prices'

/** Operations that the API offers for prices under review as for any list. */
export const base = crud(HELD_PRICES_PATH, {
  filters: {
    stock_id: { kind: 'ref', source: stockRef },
    import_id: { kind: 'ref', source: importRef, optional: true },
    updated_at: { kind: 'date' },
  },
  sorts: ['updated_at'],
  defaultSort: '-updated_at',
  search: null,
  bulk: () => import('./bulk'),
})
