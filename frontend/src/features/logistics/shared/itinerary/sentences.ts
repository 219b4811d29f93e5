import type { TFunction } from 'i18next'
import type { Itinerary, ItineraryStage, SkippedDeparture, SkipReason } from '~/api/schema'
import { type Holiday, type ReadinessReason, type Region, type Weekday, weekdayValues } from '~/api/schema'
import type { Tone } from '~/kit/plot/tones'
import { weekdayNames } from '~/lib/dates'
import type { Lang } from '~/lib/lang'
import { dayIn, momentIn } from '~/lib/zone'
import { dayText, durationText, minutesBetween, momentText } from './moments'
import { TONES } from './stages'

/** Sentence about a part of an itinerary. */
export interface Sentence {
  /** Start of the part. */
  at: string
  /** Colour of its bar; null if it takes no time. */
  tone: Tone | null
  text: string
}

/** Texts and settings for sentences. Times near the order are shown with their weekday only. */
export interface Words {
  relativeTo: number
  t: TFunction<['itinerary', 'warehouses']>
  lang: Lang
  zone: string
}

/** Sentences for the order, each stage, each departure that was missed, and the arrival. */
export function sentencesOf(itinerary: Itinerary, words: Words): Sentence[] {
  const { t, lang, zone, relativeTo } = words
  const { ordered_at, in_stock_at, arrives_at, readiness, stages, to_node } = itinerary
  if (ordered_at === null || arrives_at === null) return []
  const moment = (at: string) => momentText(at, zone, lang, relativeTo)
  const sentences: Sentence[] = [{ at: ordered_at, tone: null, text: t('ordered', { when: moment(ordered_at) }) }]
  const isLater = in_stock_at !== null && in_stock_at !== ordered_at
  if (isLater) {
    const duration = durationText(minutesBetween(ordered_at, in_stock_at), lang)
    sentences.push({ at: ordered_at, tone: 'waiting', text: t('leadTime', { duration, when: moment(in_stock_at) }) })
  }
  for (const { what, from, to, because } of readiness?.steps ?? []) {
    const tone = what === 'preparation' ? 'busy' : what === 'waiting' ? 'waiting' : 'idle'
    sentences.push({ at: from, tone, text: readinessSentence(because, { from, to, isLater }, words) })
  }
  for (const stage of stages) {
    for (const departure of stage.skipped) {
      sentences.push({ at: stage.begins_at, tone: null, text: skippedSentence(departure, words) })
    }
    sentences.push({ at: stage.begins_at, tone: TONES[stage.activity], text: stageSentence(stage, words) })
  }
  sentences.push({ at: arrives_at, tone: null, text: t('arrived', { node: to_node.name, when: moment(arrives_at) }) })
  return sentences
}

/** Texts that do not depend on the day of the order. */
type PlainWords = Pick<Words, 't' | 'lang'>

const holidayText = ({ t }: PlainWords, holiday: Holiday) => t(`warehouses:enums.holiday.${holiday}`)
const regionText = ({ t }: PlainWords, region: Region) => t(`warehouses:enums.region.${region}`)
const weekdayText = ({ lang }: PlainWords, weekday: Weekday) => weekdayNames(lang, 'long')[weekdayValues.indexOf(weekday)] ?? weekday

function readinessSentence(
  { code, cut_off, holiday, name, weekday }: ReadinessReason,
  { from, to, isLater }: { from: string; to: string; isLater: boolean },
  words: Words,
): string {
  const { t, lang, zone, relativeTo } = words
  const dayParams = { day: dayText(dayIn(zone, Date.parse(from)), lang, relativeTo) }
  const duration = durationText(minutesBetween(from, to), lang)
  const until = momentText(to, zone, lang, relativeTo)
  switch (code) {
    case 'after_cut_off': {
      const lateBy = Date.parse(from) - momentIn(zone, dayIn(zone, Date.parse(from)), cut_off ?? '00:00')
      const key = lateBy <= 0 ? 'warehouse.atCutOff' : 'warehouse.afterCutOff'
      return t(isLater ? `${key}Goods` : key, { cutOff: cut_off, late: durationText(Math.ceil(lateBy / 60_000), lang) })
    }
    case 'cut_off':
      return t('warehouse.cutOff', { cutOff: cut_off, duration })
    case 'no_cut_off':
    case 'preparation_takes':
      return t('warehouse.preparation', { duration, when: until })
    case 'public_holiday':
      return t('warehouse.holiday', { ...dayParams, holiday: holiday && holidayText(words, holiday) })
    case 'closed':
      return name ? t('warehouse.closed', { ...dayParams, name }) : t('warehouse.closedUnnamed', dayParams)
    case 'not_in_working_week':
      return t('warehouse.rest', { ...dayParams, weekday: weekday && weekdayText(words, weekday) })
  }
}

/** Reason for a day off, as it follows a colon. */
export function dayOffText({ code, holiday, region, name, weekday }: SkipReason, words: PlainWords): string {
  const { t } = words
  if (code === 'public_holiday' && holiday) {
    return region
      ? t('reason.holidayIn', { holiday: holidayText(words, holiday), region: regionText(words, region) })
      : holidayText(words, holiday)
  }
  if (code === 'not_in_working_week' && weekday) return t('reason.rest', { weekday: weekdayText(words, weekday) })
  return name || t('reason.closed')
}

function skippedSentence({ date, time, reason }: SkippedDeparture, words: Words): string {
  const { t, lang, relativeTo } = words
  const when = `${dayText(date, lang, relativeTo)}, ${time}`
  if (reason.code === 'missed') return t('skipped.missed', { when, late: durationText(reason.minutes ?? 0, lang) })
  if (reason.code === 'dropped') return t('skipped.dropped', { when })
  return t('skipped.dayOff', { when, reason: dayOffText(reason, words) })
}

function stageSentence({ activity, begins_at, ends_at, leg, departure, order_time, reason }: ItineraryStage, words: Words): string {
  const { t, lang, zone, relativeTo } = words
  const [from, to] = [leg.sending_node.name, leg.receiving_node.name]
  const duration = durationText(minutesBetween(begins_at, ends_at), lang)
  const when = momentText(ends_at, zone, lang, relativeTo)
  switch (activity) {
    case 'waiting_for_departure':
      return t('stage.waitingForDeparture', {
        from,
        duration,
        when: departure && `${dayText(departure.date, lang, relativeTo)}, ${departure.time}`,
      })
    case 'waiting_after_order_time':
      return t('stage.waitingAfterOrderTime', { from, duration, orderTime: order_time, when })
    case 'preparation':
      return t('stage.preparation', { from, duration, when })
    case 'loading':
      return t('stage.loading', { from, duration, when })
    case 'travel':
      return t('stage.travel', { from, to, duration, when })
    case 'waiting_for_opening': {
      const day = dayText(dayIn(zone, Date.parse(begins_at)), lang, relativeTo)
      // the name of a seller's closure is not visible to others
      const isNamed = reason !== null && (reason.code !== 'closed' || Boolean(reason.name))
      return isNamed
        ? t('stage.waitingForOpening', { to, when, day, reason: dayOffText(reason, words) })
        : t('stage.waitingForOpeningUnnamed', { to, when, day })
    }
    case 'unloading':
      return t('stage.unloading', { to, duration, when })
  }
}
