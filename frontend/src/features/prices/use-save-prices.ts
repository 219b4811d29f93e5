import { queryClient } from '~/api/query'
import type { Price } from '~/api/schema'
import { useOfferAll } from '~/kit/feedback/use-undo'
import type { PagedRows } from '~/kit/spreadsheet/use-paged-rows'
import { useSaveRows } from '~/kit/spreadsheet/use-save-rows'
import type { Sheet } from '~/kit/spreadsheet/use-spreadsheet'
import { MANY_MAX, prices } from './api'
import { bodyOf, columnOf, lackingPrices } from './sheet'

const byId = (rows: readonly Price[]) => new Map(rows.map((row) => [row.id, row]))

export function useSavePrices(sheet: Sheet<Price>, { replace }: PagedRows<Price>) {
  const offer = useOfferAll()
  return useSaveRows({
    ns: 'prices',
    sheet,
    most: MANY_MAX,
    list: 'prices',
    async send(part) {
      const answer = await prices.saveMany(part.map((change) => bodyOf(change, sheet.byId)))
      return { answer, rows: byId(answer.data), held: answer.data.filter(({ held }) => held).length }
    },
    columnOf: (path) => columnOf(path, sheet.byId),
    lacking: lackingPrices,
    async current(stale) {
      const rows = await Promise.all(stale.map(({ id }) => queryClient.fetchQuery({ ...prices.one(id), staleTime: 0 }).catch(() => null)))
      return byId(rows.filter((row) => row !== null))
    },
    show: replace,
    done: (answers, said, as) =>
      offer(
        said,
        answers.map(({ answer }) => answer),
        as,
      ),
  })
}
