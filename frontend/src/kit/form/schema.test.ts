import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nullableDecimal } from './schema'

interface Case {
  text: string
  shown: string | null
}
const shared = join(import.meta.dirname, '../../../../testdata/rules/decimal.json')
const { cases } = JSON.parse(readFileSync(shared, 'utf8')) as { cases: Case[] }

// an empty field is no decimal on the wire, but nothing
it.each(cases.filter(({ text }) => text !== ''))('takes "$text" as the server does', ({ text, shown }) => {
  expect(nullableDecimal({ before: 12, after: 6 }).safeParse(text).success).toBe(shown !== null)
})
