import { expect, it } from 'vitest'
import { linkTo, linkToHistory } from './link'

const stock = { path: '/stocks', apiPath: '/api/admin/stocks' } as const

it('writes filters as the list reads them', () => {
  expect(
    linkTo(stock, { article_id: 7, known_at: { gte: '2026-01-01', lte: '2026-01-31' } }, { sort: '-known_at', search: '?tenantId=3' }),
  ).toEqual({
    pathname: '/stocks',
    search: 'tenantId=3&f.article_id=7&f.known_at.gte=2026-01-01&f.known_at.lte=2026-01-31&sort=-known_at',
  })
  expect(linkToHistory('stock', 7)).toEqual({ pathname: '/audit', search: 'f.record=stock&f.record_id=7' })
})

it('refuses fields that the contract does not have', () => {
  // @ts-expect-error no such filter
  expect(linkTo(stock, { colour: 'red' }).search).toBe('f.colour=red')
})
