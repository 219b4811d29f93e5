import { expect, it } from 'vitest'
import { readRules } from '~/test/rules'
import { nullableDecimal } from './schema'

interface Case {
  text: string
  wire: string | null
}
const { cases } = readRules<{ cases: Case[] }>('decimal.json')

// an empty field is null in the request, not a decimal
it.each(cases.filter(({ text }) => text !== ''))('parses "$text" like the server', ({ text, wire }) => {
  expect(nullableDecimal().safeParse(text).success).toBe(wire !== null)
})
