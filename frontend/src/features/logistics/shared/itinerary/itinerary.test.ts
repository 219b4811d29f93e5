import { beforeAll, describe, expect, it } from 'vitest'
import type { Itinerary } from '~/api/schema'
import { i18n, loadTexts } from '~/i18n/i18n'
import '~/i18n/area'
import type { Lang } from '~/lib/lang'
import { itinerary } from '~/test/fixtures/itinerary'
import { daysBetween, durationText, lastMinute, momentOf, momentText, shortMomentText } from './moments'
import { sentencesOf, type Words } from './sentences'
import { drawingOf } from './stages'

const ZONE = 'Europe/Berlin'
const ORDERED = Date.parse(itinerary.ordered_at ?? '')

beforeAll(async () => {
  await loadTexts('itinerary', 'warehouses')
  await i18n.reloadResources(['en'], ['itinerary', 'warehouses'])
})

function textsIn(lang: Lang, plan: Itinerary = itinerary): string[] {
  const t = i18n.getFixedT(lang, ['itinerary', 'warehouses'] as const) as unknown as Words['t']
  return sentencesOf(plan, { t, lang, zone: ZONE, relativeTo: ORDERED }).map(({ text }) => text)
}

describe('sentences', () => {
  it('describe each stage and its reason in German', () => {
    expect(textsIn('de').map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
      'Bestellung am Mittwoch, 26. Mai, 11:42.',
      'Die Bestellung kam 12 Minuten nach dem Bestellschluss um 11:30.',
      'Das Lager arbeitet nicht am Donnerstag, 27. Mai: Fronleichnam.',
      'Die Bestellung wartet 11 h 30 min bis zum Bestellschluss um 11:30; dann beginnt die Vorbereitung.',
      'Vorbereitung im Lager: 2 h, bis Freitag, 28. Mai, 13:30.',
      'Die Abfahrt am Freitag, 28. Mai, 06:00 war um 8 h 30 min verpasst.',
      'Die Abfahrt am Samstag, 29. Mai, 06:00 fällt aus: Samstag ist kein Arbeitstag.',
      'Die Ware wartet in Duisburg 2 Tage 15 h 30 min auf die Abfahrt am Montag, 31. Mai, 06:00.',
      'Beladung in Duisburg: 1 h, bis Montag, 31. Mai, 06:00.',
      'Fahrt von Duisburg nach Nürnberg: 6 h, an Montag, 31. Mai, 12:00.',
      'Entladung in Nürnberg: 30 Minuten, bis Montag, 31. Mai, 12:30.',
      'Die Abfahrt am Montag, 31. Mai, 18:00 fällt aus: Inventur.',
      'Die Ware wartet in Nürnberg 17 h auf die Abfahrt am Dienstag, 1. Juni, 06:00.',
      'Beladung in Nürnberg: 30 Minuten, bis Dienstag, 1. Juni, 06:00.',
      'Fahrt von Nürnberg nach Depot Linz: 6 h 30 min, an Dienstag, 1. Juni, 12:30.',
      'Entladung in Depot Linz: 45 Minuten, bis Dienstag, 1. Juni, 13:15.',
      'Ankunft in Depot Linz am Dienstag, 1. Juni, 13:15.',
    ])
  })

  it('describe them in English as well', () => {
    const texts = textsIn('en').map((text) => text.replaceAll('\u00a0', ' '))
    expect(texts).toHaveLength(17)
    expect(texts.slice(0, 3)).toEqual([
      'Order on Wednesday, 26 May, 11:42.',
      'The order came 12 minutes after the cut-off at 11:30.',
      'The warehouse does not work on Thursday, 27 May: Corpus Christi.',
    ])
    expect(texts.slice(14)).toEqual([
      'Travel from Nürnberg to Depot Linz: 6 h 30 min, arriving Tuesday, 1 June, 12:30.',
      'Unloading in Depot Linz: 45 minutes, until Tuesday, 1 June, 13:15.',
      'Arrival in Depot Linz on Tuesday, 1 June, 13:15.',
    ])
  })

  it('name the holiday with its region, a dropped departure and a closed receiver', () => {
    const [wait] = itinerary.stages
    if (!wait) throw new Error('no stage')
    const none = { minutes: null, weekday: null, holiday: null, name: null, region: null }
    const stages: Itinerary['stages'] = [
      {
        ...wait,
        skipped: [
          { date: '2027-05-27', time: '06:00', reason: { ...none, code: 'public_holiday', holiday: 'corpus_christi', region: 'DE-BW' } },
          { date: '2027-05-28', time: '18:00', reason: { ...none, code: 'dropped' } },
        ],
      },
      { ...wait, activity: 'waiting_after_order_time', order_time: '16:00', departure: null, skipped: [] },
      {
        ...wait,
        activity: 'waiting_for_opening',
        begins_at: '2027-05-29T10:00:00Z',
        ends_at: '2027-05-30T22:00:00Z',
        departure: null,
        skipped: [],
        reason: { ...none, code: 'closed', name: '' },
      },
    ]
    const texts = textsIn('de', { ...itinerary, readiness: null, stages })
    expect(texts).toContain('Die Abfahrt am Donnerstag, 27. Mai, 06:00 fällt aus: Fronleichnam (Baden-Württemberg).')
    expect(texts).toContain('Die Abfahrt am Freitag, 28. Mai, 18:00 fällt aus: Sie ist für diesen Tag gestrichen.')
    expect(texts.find((text) => text.startsWith('Für den Bestellschluss der Strecke um 16:00'))).toBeDefined()
    expect(texts).toContain('Nürnberg ist am Samstag, 29. Mai geschlossen. Entladen wird ab Montag, 31. Mai, 00:00.')
  })

  it('mention a lead time, and that the goods then miss the cut-off', () => {
    const later = { ...itinerary, ordered_at: '2027-05-25T09:42:00Z', lead_time: 1440 }
    const texts = textsIn('de', later)
    expect(texts[1]).toBe('Die Lieferzeit beträgt 1 Tag: Die Ware liegt ab Mittwoch, 26. Mai, 11:42 im Lager.')
    expect(texts[2]).toBe('Die Ware kam 12 Minuten nach dem Bestellschluss um 11:30.')
  })

  it('are empty if no order arrives', () => {
    expect(textsIn('de', { ...itinerary, arrives_at: null, stages: [] })).toEqual([])
  })
})

describe('drawing', () => {
  const drawing = drawingOf(itinerary, ZONE)

  it('has a lane for the warehouse and one for each leg, and leaves no gap', () => {
    expect(drawing?.lanes).toEqual([
      { kind: 'warehouse' },
      { kind: 'leg', from: 'Duisburg', to: 'Nürnberg' },
      { kind: 'leg', from: 'Nürnberg', to: 'Depot Linz' },
    ])
    const parts = [...(drawing?.bars ?? []), ...(drawing?.bands ?? []).filter(({ lane }) => lane === 0)].sort((a, b) => a.from - b.from)
    for (const [nth, part] of parts.entries()) if (nth > 0) expect(part.from).toBe(parts[nth - 1]?.to)
    expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([drawing?.from, drawing?.to])
  })

  it('hatches closed days in the lane that they concern, within the drawing', () => {
    expect(drawing?.bands.map(({ from, to, lane }) => [new Date(from).toISOString(), new Date(to).toISOString(), lane])).toEqual([
      ['2027-05-26T22:00:00.000Z', '2027-05-27T22:00:00.000Z', 0],
      ['2027-05-28T22:00:00.000Z', '2027-05-29T22:00:00.000Z', 1],
      ['2027-05-30T22:00:00.000Z', '2027-05-31T22:00:00.000Z', 2],
    ])
  })

  it('is null if nothing takes time', () => {
    expect(drawingOf({ ...itinerary, arrives_at: itinerary.ordered_at, readiness: null, stages: [] }, ZONE)).toBeNull()
    expect(drawingOf({ ...itinerary, arrives_at: null }, ZONE)).toBeNull()
  })
})

describe('times', () => {
  it('are short near the order, and have a date otherwise', () => {
    expect(shortMomentText('2027-05-28T09:30:00Z', ZONE, 'de', ORDERED)).toBe('Fr 11:30')
    expect(shortMomentText('2027-05-28T09:30:00Z', ZONE, 'en', ORDERED)).toBe('Fri 11:30')
    expect(shortMomentText('2027-06-04T11:15:00Z', ZONE, 'de', ORDERED)).toBe('Fr 04.06., 13:15')
    expect(shortMomentText('2027-06-04T11:15:00Z', ZONE, 'en', ORDERED)).toBe('Fri 04-06, 13:15')
    // a past weekday could be mistaken for the next one
    expect(shortMomentText('2027-05-23T09:30:00Z', ZONE, 'de', ORDERED)).toBe('So 23.05., 11:30')
    expect(shortMomentText('2028-01-03T09:30:00Z', ZONE, 'de', ORDERED)).toBe('Mo 03.01.2028, 10:30')
    expect(momentText('2028-01-03T09:30:00Z', ZONE, 'de', ORDERED)).toBe('Montag, 3. Januar 2028, 10:30')
  })

  it('are read in the time zone of the installation', () => {
    expect(momentOf({ day: '2027-05-26', time: '11:42' }, ZONE)).toBe('2027-05-26T09:42:00.000Z')
    expect(momentOf({ day: '2027-05-26', time: '' }, ZONE)).toBe('2027-05-25T22:00:00.000Z')
    expect(momentOf({ day: '2027-05-26', time: '25:00' }, ZONE)).toBeNull()
    expect(momentOf({ day: '', time: '11:42' }, ZONE)).toBeNull()
  })

  it('are counted in calendar days across a clock change', () => {
    expect(daysBetween('2027-03-27T22:00:00Z', '2027-03-28T22:30:00Z', ZONE)).toBe(2)
    expect(daysBetween('2027-03-28T06:00:00Z', '2027-03-28T18:00:00Z', ZONE)).toBe(0)
  })

  it('include the last minute before a cut-off, or an inclusive one', () => {
    expect(new Date(lastMinute({ at: '2027-05-26T09:30:00Z', is_inclusive: false })).toISOString()).toBe('2027-05-26T09:29:00.000Z')
    expect(new Date(lastMinute({ at: '2027-05-26T09:30:00Z', is_inclusive: true })).toISOString()).toBe('2027-05-26T09:30:00.000Z')
  })

  it.each([
    [0, '0 Minuten'],
    [1, '1 Minute'],
    [60, '1\u00a0h'],
    [390, '6\u00a0h 30\u00a0min'],
    [1440, '1 Tag'],
    [3030, '2 Tage 2\u00a0h 30\u00a0min'],
  ])('%s minutes last %s', (minutes, text) => {
    expect(durationText(minutes, 'de')).toBe(text)
  })
})
