import { queryClient } from '~/api/query'
import type { Price } from '~/api/schema'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { useLabels } from '~/i18n/labels'
import type { PagedRows } from '~/kit/sheet/use-paged-rows'
import { useSaveRows } from '~/kit/sheet/use-save-rows'
import type { Sheet } from '~/kit/sheet/use-spreadsheet'
import { useOfferUndoAll } from '~/kit/ui/use-undo'
import { MAX_STOCKS_PER_CALL, type PriceOfStock, prices } from './api'
import { missingStockPrices, PRICE_SIDES, stockPriceColumn, stockPriceInput } from './sheet'

const byId = (rows: readonly Price[]) => new Map(rows.map((row) => [row.id, row]))

export function useSaveStockPrices(sheet: Sheet<Price>, { replace }: PagedRows<Price>) {
  const offer = useOfferUndoAll()
  const money = useMoneyText()
  const { field } = useLabels('prices')
  /** Formats both prices; missing ones are left out. */
  const text = (prices: Pick<Price, 'external_price' | 'internal_price'>) =>
    PRICE_SIDES.flatMap((side) => (prices[side] ? [`${field(side)} ${money(prices[side])}`] : [])).join(', ')
  const rows = useSaveRows({
    ns: 'prices',
    sheet,
    batchSize: MAX_STOCKS_PER_CALL,
    list: 'prices',
    async send(part) {
      const answer = await prices.saveMany(part.map((change) => stockPriceInput(change, sheet.byId)))
      return { answer, rows: byId(answer.data), underReview: answer.data.filter(({ held }) => held).length }
    },
    columnOf: (path) => stockPriceColumn(path, sheet.byId),
    missingValues: missingStockPrices,
    async current(stale) {
      const rows = await Promise.all(stale.map(({ id }) => queryClient.fetchQuery({ ...prices.one(id), staleTime: 0 }).catch(() => null)))
      return byId(rows.filter((row) => row !== null))
    },
    proposalsOf({ id, article, warehouse, held: heldPrice }) {
      if (!heldPrice || heldPrice.others.length === 0) return null
      return {
        id,
        title: `${article.article_number} · ${warehouse.short_code}`,
        mine: text(heldPrice),
        others: heldPrice.others.map((other) => ({ by: other.by?.name ?? null, value: text(other) })),
        refuseMine: () => prices.refuse([heldPrice.id]),
        refuseOthers: () => prices.refuse(heldPrice.others.map((other) => other.id)),
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
  const changed = (): PriceOfStock[] => [...sheet.changes.values()].map((change) => stockPriceInput(change, sheet.byId))
  return { ...rows, changed }
}
