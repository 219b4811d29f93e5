import { useTranslation } from 'react-i18next'
import type { Itinerary, ItineraryAlternative, OrderBy } from '~/api/schema'
import { daysBetween, durationText, lastMinute, minutesBetween, shortMomentText } from '~/features/logistics/shared/itinerary/moments'
import { useFormat } from '~/i18n/use-format'

/** Texts about orders that arrive at another time. */
export function useOrderTexts({ ordered_at, time_zone: zone }: Pick<Itinerary, 'ordered_at' | 'time_zone'>, now: number) {
  const { t } = useTranslation('deliveryDate')
  const { lang } = useFormat()
  const moment = (at: string) => shortMomentText(at, zone, lang, Date.parse(ordered_at ?? ''))
  /**
   * Formats the latest time of an order: `vor Mi 11:30`, or `bis` if an order in that very minute is in
   * time.
   */
  const orderBy = ({ at, is_inclusive }: OrderBy) => t(is_inclusive ? 'by' : 'before', { when: moment(at) })
  /** Difference of two times, in days if the dates differ. */
  const distance = (from: string, to: string) => {
    const days = daysBetween(from, to, zone)
    return days > 0 ? t('days', { count: days }) : durationText(minutesBetween(from, to), lang)
  }
  return {
    moment,
    orderBy,
    distance,
    /**
     * Suggestion such as "Bis Mi 11:30 bestellen, um einen Tag zu gewinnen", or the gain that an earlier
     * order would have had.
     */
    gainText({ earlier, arrives_at }: Pick<Itinerary, 'earlier' | 'arrives_at'>): string | null {
      if (!earlier || arrives_at === null) return null
      const gainedTime = distance(earlier.arrives_at, arrives_at)
      const isPast = lastMinute(earlier.order_by) < now
      const { at, is_inclusive } = earlier.order_by
      const key = isPast ? 'winPast' : 'win'
      return t(is_inclusive ? `${key}By` : `${key}Before`, { when: moment(at), won: gainedTime })
    },
    alternative: ({ arrives_at, order_by }: ItineraryAlternative) => ({ arrives: moment(arrives_at), orderBy: orderBy(order_by) }),
  }
}
