import { useQuery } from '@tanstack/react-query'
import type { Stock } from '~/api/schema'
import { useExplainedDate } from '~/features/logistics/delivery-date/ref'
import { earliestDates } from '~/features/shared/destination/dates'
import { EarliestDate } from '~/features/shared/destination/earliest-date'
import { useDestination } from '~/features/shared/destination/use-destination'
import { orderOf } from './order-of'

/** Delivery date of a stock at the chosen destination, if it is ordered now. */
export default function StockDate({ row, isExact = false }: { row: Stock; isExact?: boolean }) {
  const [destination] = useDestination()
  const explain = useExplainedDate()
  const { data } = useQuery({ ...earliestDates.stock(row.id, destination ?? 0), enabled: destination !== null })
  if (destination === null || !data?.earliest) return null
  const to = explain?.({ ...orderOf(row), to_node_id: destination }) ?? null
  return <EarliestDate earliest={data.earliest} to={to} isExact={isExact} />
}
