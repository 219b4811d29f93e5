import { describe, expect, it } from 'vitest'
import { queryClient } from '~/api/query'
import { fromMoment, moment, nullableMoment, toMoment } from '~/features/pricing/shared/moment'
import { type Changes, type Write, write } from '~/kit/sheet/changes'
import { configOptions, DEFAULTS } from '~/session/config'
import { changeOf, noChange } from './change-fields'
import { type DraftRow, draftColumnOf, draftColumns, inputOfDraft, missingInDrafts } from './draft'
import { readTimelineQuery, writeTimelineQuery } from './timeline-address'
import { containsTime, countUpcoming, scaleOf, spanOf } from './timeline-scale'

describe('a change', () => {
  const changeWith = (part: object) => changeOf({ ...noChange('none'), ...part })
  it.each([
    [
      { change: 'percent', by: '3' },
      { change: { percent: '3' }, rounding: null },
    ],
    [
      { change: 'per_ton', by: '-15', rounding: '5', direction: 'down' },
      { change: { per_ton: '-15' }, rounding: { to: '5', direction: 'down' } },
    ],
    [
      { change: 'set', price: '850', unit: 'kg' },
      { change: { set: { price: '850', price_quantity: '1', unit: 'kg' } }, rounding: null },
    ],
    [{ rounding: '0.05' }, { change: {}, rounding: { to: '0.05', direction: 'nearest' } }],
    // an incomplete change is null, whatever else is filled in
    [{ change: 'percent', rounding: '5' }, null],
    [{ change: 'set', by: '3' }, null],
    [{ change: 'absolute', by: 'drei' }, null],
    [{ change: 'absolute', by: '3', rounding: 'x' }, null],
    // so is one with an invalid field
    [{ change: 'percent', by: '1e30' }, null],
    [{ change: 'percent', by: '3.12345' }, null],
    [{ change: 'percent', by: '3', rounding: '-5' }, null],
  ])('%j is %j', (form, wire) => expect(changeWith(form)).toEqual(wire))
})

describe('pasted prices', () => {
  const columns = draftColumns(
    (field) => field,
    [
      { value: 't', label: 't' },
      { value: 'kg', label: 'kg' },
    ],
  )
  const byId = new Map(columns.map((column) => [column.id, column]))
  const put = (row: number, cells: Record<string, string>): Write<DraftRow>[] =>
    Object.entries(cells).map(([column, text]) => ({ key: row, row: { id: row }, at: row, column, text }))
  const changes = (...rows: Record<string, string>[]): Changes<DraftRow> =>
    write(
      new Map(),
      rows.flatMap((cells, row) => put(row, cells)),
      byId,
      'de',
    )

  it('are read in the format of a German spreadsheet', () => {
    const pasted = changes(
      { article_number: ' HEB-200 ', 'price.price': '1.234,56 €' },
      { article_number: 'HEB-220', 'price.price': '92,50 €/100 kg' },
    )
    expect([...pasted.values()].map((change) => inputOfDraft(change, byId, false))).toEqual([
      { article_number: 'HEB-200', price: { price: '1234.56', price_quantity: '1', unit: 't' }, version: 0 },
      { article_number: 'HEB-220', price: { price: '92.5', price_quantity: '100', unit: 'kg' }, version: 0 },
    ])
  })

  it('replace others only on request', () => {
    const [one] = changes({ article_number: 'HEB-200', 'price.price': '850' }).values()
    expect(one && inputOfDraft(one, byId, true)).not.toHaveProperty('version')
  })

  it('require an article number and a price', () => {
    const lacking = missingInDrafts(
      changes({ 'price.price': '850' }, { article_number: 'HEB-200' }, { article_number: 'HEB-220', 'price.price': '850' }),
      byId,
      'fehlt',
    )
    expect(lacking).toEqual([
      { key: 0, column: 'article_number', message: 'fehlt' },
      { key: 1, column: 'price.price', message: 'fehlt' },
    ])
  })

  it.each([
    ['article_id', 'article_number'],
    ['article_number', 'article_number'],
    ['price.unit', 'price.unit'],
    ['price', 'price.price'],
    ['version', null],
  ])('are refused for %s at %s', (path, column) => expect(draftColumnOf(path, byId)).toBe(column))
})

describe('a date with time', () => {
  it('reports a day that does not exist', () => {
    const messages = (value: string) => [moment(), nullableMoment()].map((schema) => schema.safeParse(value).error?.issues[0]?.message)
    expect(messages('31.02.2027T00:00')).toEqual(['noSuchDay', 'noSuchDay'])
    expect(messages('baldT00:00')).toEqual(['moment', 'moment'])
    expect(messages('2027-02-28T00:00')).toEqual([undefined, undefined])
  })

  it('keeps its seconds until its time is changed', () => {
    const iso = '2026-01-01T07:30:12.345Z'
    expect(fromMoment(toMoment(iso))).toBe(iso)
    expect(fromMoment('2026-01-01T8:30')).toBe('2026-01-01T07:30:00.000Z')
  })
  // daylight saving time starts on 28 March 2027 at 2:00
  it('has the offset of its day', () => {
    expect(fromMoment('2027-03-27T12:00')).toBe('2027-03-27T11:00:00.000Z')
    expect(fromMoment('2027-03-28T12:00')).toBe('2027-03-28T10:00:00.000Z')
    expect(fromMoment('2027-02-30T12:00')).toBeNull()
    expect(fromMoment('2027-02-27T24:30')).toBeNull()
  })

  it('is in the time zone of the installation, wherever the reader is', () => {
    queryClient.setQueryData(configOptions().queryKey, { ...DEFAULTS, time_zone: 'America/New_York' })
    expect(toMoment('2027-01-01T05:00:00Z')).toBe('2027-01-01T00:00')
    expect(fromMoment('2027-01-01T00:00')).toBe('2027-01-01T05:00:00.000Z')
    // in that zone it starts on 14 March 2027
    expect(fromMoment('2027-03-15T00:00')).toBe('2027-03-15T04:00:00.000Z')
  })
})

describe('a timeline', () => {
  const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString()
  const at = (number: number) => Date.parse(day(number))
  const segments = [
    { from: day(1), until: day(10), counts: null, behind: [] },
    { from: day(10), until: day(20), counts: 1, behind: [2] },
    { from: day(20), until: null, counts: null, behind: [] },
  ]

  it('includes the present, and has room for open ends', () => {
    const scale = scaleOf([{ valid_from: day(10), valid_until: null }], at(100))
    expect(scale.from).toBe(at(10))
    expect(scale.to).toBeGreaterThan(at(100))
    expect(spanOf(day(10), null, scale)).toEqual({ start: at(10), stop: scale.to })
  })

  it('counts only gaps and overlaps that can still be fixed', () => {
    expect([countUpcoming(segments, at(15), 'gap'), countUpcoming(segments, at(15), 'overlap')]).toEqual([1, 1])
    expect([countUpcoming(segments, at(5), 'gap'), countUpcoming(segments, at(25), 'overlap')]).toEqual([2, 0])
  })

  it('has segments that include their start but not their end', () => {
    expect(segments.map((segment) => containsTime(segment, at(10)))).toEqual([false, true, false])
  })

  it('is requested by the address, where invalid values are ignored', () => {
    const query = { article: 7, buyer: 3, type: 'sales' } as const
    expect(readTimelineQuery(writeTimelineQuery('?tenantId=1', query))).toEqual(query)
    expect(writeTimelineQuery('?tenantId=1', query)).toContain('tenantId=1')
    expect(readTimelineQuery('?article=-1&buyer=x&type=free')).toEqual({ article: null, buyer: null, type: 'sales' })
    // internal prices do not depend on a customer
    expect(readTimelineQuery('?article=7&buyer=3&type=internal')).toMatchObject({ buyer: null })
  })
})
