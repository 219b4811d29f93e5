import { queryClient } from '~/api/query'
import type { PriceListPrice, PriceListPriceInput } from '~/api/schema'
import { useOfferAll } from '~/kit/feedback/use-undo'
import type { PagedRows } from '~/kit/spreadsheet/use-paged-rows'
import { useSaveRows } from '~/kit/spreadsheet/use-save-rows'
import type { Sheet } from '~/kit/spreadsheet/use-spreadsheet'
import { listPrices, MANY_MAX, PAGE_MAX } from './prices-api'
import { bodyOf, columnOf, lackingPrices } from './sheet'

const byId = (rows: readonly PriceListPrice[]) => new Map(rows.map((row) => [row.id, row]))

export function useSavePrices(list: number, sheet: Sheet<PriceListPrice>, { replace }: PagedRows<PriceListPrice>) {
  const offer = useOfferAll()
  const rows = useSaveRows({
    ns: 'priceLists',
    sheet,
    most: MANY_MAX,
    list: 'prices',
    async send(part) {
      const answer = await listPrices.saveMany(
        list,
        part.map((change) => bodyOf(change, sheet.byId)),
      )
      return { answer, rows: byId(answer.data), held: answer.data.filter(({ held }) => held).length }
    },
    columnOf: (path) => columnOf(path, sheet.byId),
    lacking: lackingPrices,
    async current(stale) {
      const articles = stale.map(({ article }) => article.id)
      const parts = Array.from({ length: Math.ceil(articles.length / PAGE_MAX) }, (_, at) =>
        articles.slice(at * PAGE_MAX, (at + 1) * PAGE_MAX),
      )
      const pages = await Promise.all(parts.map((part) => queryClient.fetchQuery({ ...listPrices.ofArticles(list, part), staleTime: 0 })))
      const found = new Map(pages.flatMap(({ data }) => data).map((row) => [row.article.id, row]))
      // what somebody has taken out of the list comes back with what is entered here
      const gone = (row: PriceListPrice) => ({ ...row, version: 0, price: null, bulk_prices: [], held: null })
      return new Map(stale.map((row) => [row.id, found.get(row.article.id) ?? gone(row)]))
    },
    show: replace,
    done: (answers, said, as) =>
      offer(
        said,
        answers.map(({ answer }) => answer),
        as,
      ),
  })
  /** What is changed, as it would be sent. */
  const changed = (): PriceListPriceInput[] => [...sheet.changes.values()].map((change) => bodyOf(change, sheet.byId))
  return { ...rows, changed }
}
