import { describe, expect, it } from 'vitest'
import { readRules } from '~/test/rules'
import { formatLeadTime } from './duration'
import { parseLeadTime } from './lead-time'

describe('lead times are parsed in working days, like the server does', () => {
  const { lead_times } = readRules<{ lead_times: { text: string; minutes: number | null; de: string; en: string }[] }>('duration.json')
  it.each(lead_times)('$text', ({ text, minutes, ...texts }) => {
    expect(parseLeadTime(text)).toBe(minutes)
    if (minutes === null) return
    for (const lang of ['de', 'en'] as const) {
      expect(formatLeadTime(minutes, lang)).toBe(texts[lang])
      expect(parseLeadTime(texts[lang])).toBe(minutes)
    }
  })
})
