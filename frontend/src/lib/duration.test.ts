import { describe, expect, it } from 'vitest'
import { readRules } from '~/test/rules'
import { completeClockTime, formatDuration, parseClockTime, parseDuration } from './duration'

interface Cases<Case> {
  cases: Case[]
}

describe('durations are parsed and formatted like the server does', () => {
  const { cases } = readRules<Cases<{ text: string; minutes: number | null; shown: string | null }>>('duration.json')
  it.each(cases)('$text', ({ text, minutes, shown }) => {
    expect(parseDuration(text)).toBe(minutes)
    if (minutes !== null && shown !== null) {
      expect(formatDuration(minutes)).toBe(shown)
      expect(parseDuration(shown)).toBe(minutes)
    }
  })
})

describe('times of day are parsed like the server does', () => {
  const { cases } = readRules<Cases<{ text: string; minutes: number | null }>>('clock_time.json')
  it.each(cases)('$text', ({ text, minutes }) => expect(parseClockTime(text)).toBe(minutes))
})

it.each([
  ['9:05', '09:05'],
  [' 905 ', '09:05'],
  ['9.05', '09:05'],
  ['1230', '12:30'],
  ['12:30', '12:30'],
  ['24:00', '24:00'],
  ['9:5', '9:5'],
  ['9', '9'],
  ['', ''],
])('completes %s to %s, and leaves other texts unchanged', (typed, completed) => expect(completeClockTime(typed)).toBe(completed))
