import { change } from '~/api/change'
import { client, data } from '~/api/client'
import type { HeldPriceDecision } from '~/api/schema'
import { importRef } from '~/features/exchange/imports/ref'
import { stockRef } from '~/features/logistics/stocks/ref'
import { crud } from '~/kit/records/crud'

const LIST = '/api/admin/held-prices'

export const heldPrices = {
  ...crud(LIST, {
    filters: {
      stock_id: { kind: 'ref', source: stockRef },
      import_id: { kind: 'ref', source: importRef },
      updated_at: { kind: 'date' },
    },
    sorts: ['updated_at'],
    defaultSort: '-updated_at',
    search: null,
    bulk: () => import('./bulk'),
  }),
  decide: (id: number, value: HeldPriceDecision) =>
    change(
      data(client.POST(`${LIST}/bulk-change`, { body: { selection: { ids: [id], count: 1 }, change: { field: 'decision', value } } })),
    ),
}
