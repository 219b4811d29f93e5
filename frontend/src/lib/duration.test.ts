import { describe, expect, it } from 'vitest'
import { readRules } from '~/test/rules'
import { formatDuration, parseClockTime, parseDuration } from './duration'

interface Cases<Case> {
  cases: Case[]
}

describe('durations are read and shown as the server does', () => {
  const { cases } = readRules<Cases<{ text: string; minutes: number | null; shown: string | null }>>('duration.json')
  it.each(cases)('$text', ({ text, minutes, shown }) => {
    expect(parseDuration(text)).toBe(minutes)
    if (minutes !== null && shown !== null) {
      expect(formatDuration(minutes)).toBe(shown)
      expect(parseDuration(shown)).toBe(minutes)
    }
  })
})

describe('times of day are read as the server does', () => {
  const { cases } = readRules<Cases<{ text: string; minutes: number | null }>>('clock_time.json')
  it.each(cases)('$text', ({ text, minutes }) => expect(parseClockTime(text)).toBe(minutes))
})
