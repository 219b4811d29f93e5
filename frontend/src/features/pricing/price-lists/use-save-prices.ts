import { queryClient } from '~/api/query'
import type { PriceListPrice, PriceListPriceInput } from '~/api/schema'
import { useTiersText } from '~/features/pricing/shared/use-tiers-text'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { useLabels } from '~/i18n/labels'
import type { PagedRows } from '~/kit/sheet/use-paged-rows'
import { useSaveRows } from '~/kit/sheet/use-save-rows'
import type { Sheet } from '~/kit/sheet/use-spreadsheet'
import { useOfferUndoAll } from '~/kit/ui/use-undo'
import { listPrices, MAX_ARTICLES_PER_CALL, PAGE_MAX } from './prices-api'
import { listPriceColumn, listPriceInput, missingListPrices } from './sheet'

const byId = (rows: readonly PriceListPrice[]) => new Map(rows.map((row) => [row.id, row]))

export function useSaveListPrices(list: number, sheet: Sheet<PriceListPrice>, { replace }: PagedRows<PriceListPrice>) {
  const offer = useOfferUndoAll()
  const money = useMoneyText()
  const tiers = useTiersText()
  const { text } = useLabels('priceLists')
  const priceText = ({ price, bulk_prices }: Pick<PriceListPrice, 'price' | 'bulk_prices'>) =>
    [price ? money(price) : '', tiers(bulk_prices, price)].filter(Boolean).join(' · ')
  const rows = useSaveRows({
    ns: 'priceLists',
    sheet,
    batchSize: MAX_ARTICLES_PER_CALL,
    list: 'prices',
    async send(part) {
      const answer = await listPrices.saveMany(
        list,
        part.map((change) => listPriceInput(change, sheet.byId)),
      )
      return { answer, rows: byId(answer.data), underReview: answer.data.filter(({ held }) => held).length }
    },
    columnOf: (path) => listPriceColumn(path, sheet.byId),
    missingValues: missingListPrices,
    async current(stale) {
      const articles = stale.map(({ article }) => article.id)
      const parts = Array.from({ length: Math.ceil(articles.length / PAGE_MAX) }, (_, at) =>
        articles.slice(at * PAGE_MAX, (at + 1) * PAGE_MAX),
      )
      const pages = await Promise.all(parts.map((part) => queryClient.fetchQuery({ ...listPrices.ofArticles(list, part), staleTime: 0 })))
      const rowByArticle = new Map(pages.flatMap(({ data }) => data).map((row) => [row.article.id, row]))
      // a row that another user has removed is added again with the entered values
      const removedRow = (row: PriceListPrice) => ({ ...row, version: 0, price: null, bulk_prices: [], held: null })
      return new Map(stale.map((row) => [row.id, rowByArticle.get(row.article.id) ?? removedRow(row)]))
    },
    note: ({ held: heldPrice }) =>
      heldPrice ? text('sheet.otherWaits', { name: heldPrice.by?.name ?? text('held.unknown'), price: priceText(heldPrice) }) : null,
    proposalsOf(row) {
      const { id, article, held: heldPrice } = row
      if (!heldPrice || heldPrice.others.length === 0) return null
      return {
        id,
        title: article.article_number,
        mine: priceText(heldPrice),
        others: heldPrice.others.map((other) => ({ by: other.by?.name ?? null, value: priceText(other) })),
        refuseMine: () => listPrices.decide(list, [row], 'refuse'),
        // starting with the last one, so that the numbers of those before it do not change
        async refuseOthers() {
          let now: Pick<PriceListPrice, 'id' | 'version'> = row
          for (const { proposal } of [...heldPrice.others].reverse()) {
            const answer = await listPrices.decide(list, [{ ...now, proposal }], 'refuse')
            now = answer.data[0] ?? now
          }
        },
      }
    },
    show: replace,
    done: (answers, message, severity) =>
      offer(
        message,
        answers.map(({ answer }) => answer),
        severity,
      ),
  })
  /** Returns the changes as they would be sent. */
  const changed = (): PriceListPriceInput[] => [...sheet.changes.values()].map((change) => listPriceInput(change, sheet.byId))
  return { ...rows, changed }
}
