import { change } from '~/api/change'
import { $api, client, data, LONG_TIMEOUT } from '~/api/client'
import { type MatchInput, type NumberMatch, unresolvedKindValues, unresolvedStateValues } from '~/api/schema'
import { importRef } from '~/features/exchange/imports/ref'
import type { Query } from '~/kit/records/contract'
import { crud } from '~/kit/records/crud'
import { type ListState, toWire } from '~/kit/table/list-state'

const LIST = '/api/admin/unresolved-numbers'

const base = crud(LIST, {
  filters: {
    search: { kind: 'search' },
    number: { kind: 'text' },
    kind: { kind: 'enum', values: unresolvedKindValues },
    state: { kind: 'enum', values: unresolvedStateValues },
    times: { kind: 'decimal' },
    import_id: { kind: 'ref', source: importRef, optional: true },
    updated_at: { kind: 'date' },
  },
  sorts: ['number', 'times', 'updated_at'],
  defaultSort: '-times',
  search: 'search',
  bulk: () => import('./bulk'),
})

// without deletion: a number disappears once it is matched
const { spec, list, one, bulk } = base

export const unresolvedNumbers = {
  spec,
  list,
  one,
  bulk,
  /** Suggestions for the numbers of a page of the list. */
  suggestions: (state: ListState) =>
    $api.queryOptions('get', `${LIST}/suggestions`, { params: { query: toWire<Query<typeof LIST>>(spec, state) }, headers: LONG_TIMEOUT }),
  /** Matches several numbers with their suggestions. */
  matchAll: (matches: NumberMatch[]) => change(data(client.POST(`${LIST}/bulk-match`, { body: { matches }, headers: LONG_TIMEOUT }))),
  match: (id: number, body: MatchInput) => change(data(client.POST(`${LIST}/{id}/match`, { params: { path: { id } }, body }))),
  /** Imports the waiting rows of all numbers that have been matched since. */
  replay: () => change(data(client.POST(`${LIST}/replay`))),
  ignore: (id: number, value: boolean) =>
    change(data(client.POST(`${LIST}/bulk-change`, { body: { selection: { ids: [id], count: 1 }, change: { field: 'ignored', value } } }))),
}
