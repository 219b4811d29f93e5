import { expect, it } from 'vitest'
import { readRules } from '~/test/rules'
import { readGtin } from './gtin'

interface Case {
  written: string
  gtin: string | null
  error: 'invalid_gtin' | 'gtin_check_digit' | null
}

const { cases } = readRules<{ cases: Case[] }>('gtin.json')
it.each(cases)('$written', ({ written, gtin, error }) => {
  const result = readGtin(written.trim())
  expect('gtin' in result ? result.gtin : null).toBe(gtin)
  expect('form' in result ? 'invalid_gtin' : 'expected' in result ? 'gtin_check_digit' : null).toBe(error)
})

it('returns the expected check digit', () => {
  expect(readGtin('4006381333932')).toEqual({ digits: '400638133393', expected: 1 })
})
