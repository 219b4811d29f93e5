import { describe, expect, it } from 'vitest'
import { type DateForm, readQuestion, writeQuestion } from './address'
import { dateSchema, toDeliveryDateRequests } from './requests'

const ZONE = 'Europe/Berlin'
const empty = readQuestion('')
const form = (rest: Partial<DateForm>): DateForm => ({ ...empty, ...rest })
const problems = (values: DateForm) =>
  (dateSchema.safeParse(values).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)

describe('the address', () => {
  it.each([
    'from=warehouse_3&to=7&at=2027-06-02T11%3A40',
    'from=node_5&to=7',
    'from=article_24_3.5_piece&seller=9&to=7&by=2027-06-04T12%3A00',
    'from=article_24_3.5_piece_5&to=7',
    'from=article_24_3_piece&seller=9&warehouse=DU&to=7',
    'from=node',
    '',
  ])('keeps a question: %s', (search) => {
    expect(writeQuestion('', readQuestion(search))).toBe(search)
  })

  it('keeps other parameters, and ignores invalid values', () => {
    expect(writeQuestion('tenantId=2&to=1', form({ to_node_id: 7 }))).toBe('tenantId=2&to=7')
    expect(readQuestion('from=moon_1&to=x&at=')).toEqual(empty)
    expect(readQuestion('from=article_1_2_bananas').unit).toBe('')
  })
})

describe('the question', () => {
  it('is null as long as something is missing', () => {
    expect(toDeliveryDateRequests(empty, ZONE)).toBeNull()
    expect(toDeliveryDateRequests(form({ warehouse_id: 3 }), ZONE)).toBeNull()
    expect(toDeliveryDateRequests(form({ origin: 'article', article_id: 3, quantity: '0', to_node_id: 7 }), ZONE)).toBeNull()
    expect(toDeliveryDateRequests(form({ warehouse_id: 3, to_node_id: 7, mode: 'arrival' }), ZONE)).toBeNull()
    expect(toDeliveryDateRequests(form({ warehouse_id: 3, to_node_id: 7, day: '2027-06-31' }), ZONE)).toBeNull()
  })

  it('is about now without a time, and about an order or an arrival with one', () => {
    const from = { warehouse_id: 3 }
    const question = form({ warehouse_id: 3, to_node_id: 7 })
    expect(toDeliveryDateRequests(question, ZONE)?.itinerary).toEqual({ from, to_node_id: 7 })
    const moment = { day: '2027-06-02', time: '11:40' }
    expect(toDeliveryDateRequests({ ...question, ...moment }, ZONE)).toEqual({
      itinerary: { from, to_node_id: 7, at: '2027-06-02T09:40:00.000Z' },
      days: { from, to_node_id: 7, at: '2027-06-01T22:00:00.000Z' },
    })
    expect(toDeliveryDateRequests({ ...question, ...moment, mode: 'arrival' }, ZONE)).toEqual({
      itinerary: { from, to_node_id: 7, arrive_by: '2027-06-02T09:40:00.000Z' },
      days: null,
    })
  })

  it('contains quantity, unit and seller only for an article', () => {
    const question = form({ origin: 'article', article_id: 24, quantity: '3', unit: 'piece', seller_id: 9, warehouse_id: 3, to_node_id: 7 })
    expect(toDeliveryDateRequests(question, ZONE)?.itinerary.from).toEqual({ article_id: 24, quantity: '3', unit: 'piece', seller_id: 9 })
    expect(toDeliveryDateRequests({ ...question, warehouse_short_code: ' DU ' }, ZONE)?.itinerary.from).toMatchObject({
      seller_id: 9,
      warehouse_short_code: 'DU',
    })
    const own = toDeliveryDateRequests({ ...question, seller_id: null, warehouse_short_code: 'DU' }, ZONE)
    expect(own?.itinerary.from).toEqual({ article_id: 24, quantity: '3', unit: 'piece', warehouse_id: 3 })
  })
})

describe('the rules', () => {
  it('report missing fields of the chosen origin', () => {
    expect(problems(empty)).toEqual(['to_node_id: required', 'warehouse_id: required'])
    expect(problems(form({ origin: 'article', article_id: 24, to_node_id: 7 }))).toEqual(['quantity: required'])
    expect(problems(form({ origin: 'node', node_id: 1, to_node_id: 7, mode: 'arrival' }))).toEqual(['day: required'])
    expect(problems(form({ origin: 'node', node_id: 1, to_node_id: 7, day: '2027-02-30', time: '25:00' }))).toEqual([
      'day: date',
      'time: clockTime',
    ])
  })
})
