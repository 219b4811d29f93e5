import { describe, expect, it } from 'vitest'
import {
  type CartForm,
  cartSchema,
  emptyLine,
  type LineForm,
  readCart,
  toQuoteRequest,
  toSampleCartContent,
  writeCart,
  writeSingleLine,
} from './cart'
import { unitPrice } from './unit-price'

const line = (part: Partial<LineForm> = {}): LineForm => ({ ...emptyLine(), article_id: 2, quantity: '3', unit: 'piece', ...part })
const cart = (part: Partial<CartForm> = {}): CartForm => ({
  side: 'sells',
  buyer_id: null,
  seller_id: null,
  day: '',
  time: '',
  lines: [line()],
  ...part,
})
const withoutKeys = ({ lines, ...rest }: CartForm) => ({ ...rest, lines: lines.map(({ key: _, ...own }) => own) })

describe('the address', () => {
  it.each<[string, CartForm]>([
    ['one line', cart()],
    ['a warehouse', cart({ lines: [line({ warehouse_id: 7 })] })],
    ['processings', cart({ lines: [line({ processings: [{ processing_id: '1', quantity: '4', price: '3.5' }] })] })],
    [
      'a seller and their warehouse',
      cart({ side: 'buys', seller_id: 6, lines: [line(), line({ warehouse_short_code: 'A_B' }), line({ quantity: '4' })] }),
    ],
    ['a seller who is not chosen yet', cart({ side: 'buys' })],
    ['a buyer and a moment', cart({ buyer_id: 5, day: '2027-01-02', time: '08:00' })],
    ['what is no number yet', cart({ lines: [line({ quantity: 'drei & vier' }), line({ article_id: null, quantity: '5', unit: '' })] })],
  ])('holds %s', (_, form) => {
    expect(withoutKeys(readCart(`?${writeCart('', form)}`))).toEqual(withoutKeys(form))
  })

  it('is short, keeps other parameters, and contains no empty line', () => {
    const form = cart({ lines: [line(), emptyLine()] })
    expect(writeCart('tenantId=3&line=9_9_t&buyer=4', form)).toBe('tenantId=3&line=2_3_piece')
  })

  it('is read with empty fields for invalid ids, and at most 200 lines', () => {
    const read = readCart('?buyer=-1&line=x_3_ell_0_y*2&line=&at=tomorrow')
    expect(read).toMatchObject({ buyer_id: null, day: 'tomorrow', time: '' })
    expect(read.lines).toMatchObject([
      { article_id: null, quantity: '3', unit: '', warehouse_id: null, processings: [{ processing_id: '', quantity: '2', price: '' }] },
      { article_id: null, quantity: '' },
    ])
    expect(readCart('?').lines).toHaveLength(1)
    expect(readCart(`?${'line=1_1_t&'.repeat(300)}`).lines).toHaveLength(200)
  })
})

describe('the request', () => {
  const berlin = 'Europe/Berlin'

  it('contains only complete lines, and remembers their numbers', () => {
    const lines = [line({ quantity: '' }), line({ quantity: '1.5', unit: 't', warehouse_id: 4 }), emptyLine(), line({ article_id: null })]
    const question = toQuoteRequest(cart({ lines }), berlin)
    expect(question?.keys).toEqual([lines[1]?.key])
    expect(question?.body).toEqual({
      explain: true,
      carts: [
        {
          buyer_id: null,
          as_customer: false,
          at: null,
          lines: [{ article_id: 2, quantity: '1.5', unit: 't', warehouse_id: 4, processings: [] }],
        },
      ],
    })
    expect(toQuoteRequest(cart({ lines: [emptyLine()] }), berlin)).toBeNull()
  })

  it('names seller and warehouses for a purchase, without fields that only sellers set', () => {
    const processings = [{ processing_id: '7', quantity: '2', price: '9' }]
    const bought = cart({
      side: 'buys',
      buyer_id: 5,
      seller_id: 6,
      lines: [line({ warehouse_id: 4, warehouse_short_code: ' du ', processings }), line()],
    })
    expect(toQuoteRequest(bought, berlin)?.body.carts).toEqual([
      {
        seller_id: 6,
        as_customer: false,
        at: null,
        lines: [
          {
            article_id: 2,
            quantity: '3',
            unit: 'piece',
            warehouse_short_code: 'du',
            processings: [{ processing_id: 7, quantity: '2', price: null }],
          },
          { article_id: 2, quantity: '3', unit: 'piece', warehouse_short_code: null, processings: [] },
        ],
      },
    ])
    expect(toQuoteRequest({ ...bought, seller_id: null }, berlin)).toBeNull()
    const issues = cartSchema.safeParse({ ...bought, seller_id: null }).error?.issues
    expect(issues?.map(({ path, message }) => [path.join('.'), message])).toEqual([['seller_id', 'required']])
  })

  it('has a time in the time zone of the installation', () => {
    const at = (part: Partial<CartForm>) => toQuoteRequest(cart(part), berlin)?.body.carts[0]?.at
    expect(at({ day: '2027-01-02', time: '8:00' })).toBe('2027-01-02T07:00:00.000Z')
    expect(at({ day: '2027-07-02', time: '' })).toBe('2027-07-01T22:00:00.000Z')
    // an invalid day or time does not mean now
    expect(at({ day: '2.1.', time: '08:00' })).toBeUndefined()
    expect(at({ day: '2027-01-02', time: '25:00' })).toBeUndefined()
  })

  it('contains the price of a processing per piece', () => {
    const processings = [{ processing_id: '1', quantity: '4', price: '3.5' }]
    expect(toQuoteRequest(cart({ lines: [line({ processings })] }), berlin)?.body.carts[0]?.lines[0]?.processings).toEqual([
      { processing_id: 1, quantity: '4', price: { price: '3.5', price_quantity: '1', unit: 'piece' } },
    ])
  })

  it('leaves the price of a processing to the seller if none is entered', () => {
    const processings = [
      { processing_id: '1', quantity: '4', price: '' },
      { processing_id: '1', quantity: '1', price: '0' },
    ]
    const cartOf = toQuoteRequest(cart({ lines: [line({ processings })] }), berlin)?.body.carts[0]
    expect(cartOf?.lines[0]?.processings?.map(({ price }) => price?.price ?? null)).toEqual([null, '0'])
    expect(cartOf && toSampleCartContent(cartOf).lines[0]?.processings?.map(({ price }) => price?.price ?? null)).toEqual([null, '0'])
  })
})

describe('errors of an incomplete cart', () => {
  const paths = (form: CartForm) => cartSchema.safeParse(form).error?.issues.map(({ path }) => path.join('.')) ?? []

  it('require a whole number of cuts', () => {
    const processings = [{ processing_id: '1', quantity: '0.5', price: '' }]
    const issues = cartSchema.safeParse(cart({ lines: [line({ processings })] })).error?.issues ?? []
    expect(issues.map(({ path, message }) => [path.join('.'), message])).toEqual([['lines.0.processings.0.quantity', 'whole?before=6']])
  })

  it('are reported at their fields', () => {
    const processings = [
      { processing_id: '', quantity: '1.5', price: '-1' },
      { processing_id: '', quantity: '1', price: '' },
    ]
    const lines = [line({ quantity: '0' }), line({ article_id: null, unit: '' }), line({ processings })]
    expect(paths(cart({ lines, day: '1.1.', time: '99' }))).toEqual([
      'day',
      'time',
      'lines.0.quantity',
      'lines.1.article_id',
      'lines.2.processings.0.processing_id',
      'lines.2.processings.0.quantity',
      'lines.2.processings.0.price',
    ])
  })

  it('are not reported for an empty line, unless there is no other', () => {
    expect(paths(cart({ lines: [line(), emptyLine()] }))).toEqual([])
    expect(paths(cart({ lines: [emptyLine(), emptyLine()] }))).toEqual(['lines.0.article_id', 'lines.0.quantity'])
  })
})

it.each([
  ['168.3594', '3', '56.1198'],
  ['54.1155', '5', '10.8231'],
  ['1', '3', '0.3333'],
  ['2', '3', '0.6667'],
  ['0.00005', '1', '0.0001'],
  ['9756', '12', '813.0000'],
  ['7', '0.5', '14.0000'],
  ['7', '0', null],
])('%s for %s are %s each', (amount, quantity, each) => expect(unitPrice(amount, quantity)).toBe(each))

it('requests one line over time, without processings and time, and keeps other parameters', () => {
  const own = line({ warehouse_id: 7, processings: [{ processing_id: '1', quantity: '4', price: '3.5' }] })
  const search = writeSingleLine('?tenantId=1&at=2026-12-01T00:00&why=&moment=x&line=1_1_m', 5, own)
  expect(search).toBe('tenantId=1&buyer=5&line=2_3_piece_7')
})
