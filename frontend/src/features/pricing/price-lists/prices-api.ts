import { change } from '~/api/change'
import { $api, client, data, LONG_TIMEOUT } from '~/api/client'
import type { PriceListChange, PriceListPrice, PriceListPriceInput } from '~/api/schema'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { articleRef } from '~/features/catalog/articles/ref'
import { materialRef } from '~/features/catalog/materials/ref'
import { exporter } from '~/kit/table/exporter'
import { filtersOnWire, type ListSpec, type ListState, toWire } from '~/kit/table/list-state'

const PATH = '/api/admin/price-lists/{id}/prices'

/** Maximum number of articles whose prices one call changes. */
export const MAX_ARTICLES_PER_CALL = 500
/** Maximum number of rows of a page. */
export const PAGE_MAX = 200

export const pricesSpec: ListSpec = {
  filters: {
    search: { kind: 'search' },
    article_id: { kind: 'ref', source: articleRef },
    article_type_id: { kind: 'ref', source: articleTypeRef },
    material_id: { kind: 'ref', source: materialRef },
    held: { kind: 'bool' },
    updated_at: { kind: 'date' },
  },
  sorts: ['article_number', 'updated_at'],
  defaultSort: 'article_number',
  search: 'search',
}

export const listPrices = {
  list: (id: number, state: ListState) =>
    $api.queryOptions('get', PATH, {
      params: { path: { id }, query: { ...toWire<object>(pricesSpec, state), include: 'figures' } as never },
    }),
  export: (id: number) => exporter(`/api/admin/price-lists/${id}/prices/export` as never, pricesSpec),
  /** Saves prices; with `keepTiers`, prices sent without tiers keep those of the list. */
  saveMany: (id: number, prices: PriceListPriceInput[], keepTiers = false) =>
    change(
      data(
        client.PUT(PATH, {
          params: { path: { id } },
          body: { prices, ...(keepTiers && { keep_bulk_prices: true }) },
          headers: LONG_TIMEOUT,
        }),
      ),
    ),
  /** Releases or refuses prices under review in the version that the user has seen. */
  decide: (
    id: number,
    rows: (Pick<PriceListPrice, 'id' | 'version'> & { proposal?: number })[],
    decision: 'release' | 'release_mended' | 'refuse',
  ) => {
    const prices = rows.map(({ id, version, proposal }) => ({ id, version, ...(proposal && { proposal }) }))
    return change(data(client.POST(`${PATH}/decide`, { params: { path: { id } }, body: { prices, decision } })))
  },
  /** Current prices of at most `PAGE_MAX` articles. */
  ofArticles: (id: number, articles: readonly number[]) =>
    $api.queryOptions('get', PATH, {
      params: { path: { id }, query: { 'page[size]': PAGE_MAX, filter: { 'filter[article_id]': articles } } as never },
    }),
  /** Changes all prices that match the filters in one call. */
  change: (id: number, state: ListState, body: PriceListChange) => change(listPrices.tryChange(id, state, body)),
  /** Sends the change, which only previews it if the body has `dry_run`. */
  tryChange: (id: number, state: ListState, body: PriceListChange) =>
    data(
      client.POST(`${PATH}/change`, {
        params: { path: { id }, query: filtersOnWire(pricesSpec, state) as never },
        body,
        headers: LONG_TIMEOUT,
      }),
    ),
}
