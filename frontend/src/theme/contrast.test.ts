import { describe, expect, it } from 'vitest'
import { type Mode, type PaletteTokens, palettes } from './palettes'

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

const PAIRS: [keyof PaletteTokens, keyof PaletteTokens][] = [
  ['ink', 'canvas'],
  ['ink', 'paper'],
  ['inkSoft', 'canvas'],
  ['inkSoft', 'paper'],
  ['onPrimary', 'primary'],
  ['primary', 'paper'],
  ['primary', 'canvas'],
  ['accent', 'paper'],
  ['onNav', 'nav'],
  ['onNavSoft', 'nav'],
  ['success', 'paper'],
  ['warning', 'paper'],
  ['error', 'paper'],
  ['info', 'paper'],
]

const MODES: Mode[] = ['light', 'dark']

const BORDERS: [keyof PaletteTokens, keyof PaletteTokens][] = [
  ['field', 'paper'],
  ['field', 'canvas'],
]

describe.each(palettes.flatMap((palette) => MODES.map((mode) => [palette.id, mode, palette[mode]] as const)))(
  'palette %s, %s',
  (_id, _mode, tokens) => {
    it.each(PAIRS)('%s on %s reads at 4.5:1', (front, back) => {
      expect(contrast(tokens[front], tokens[back])).toBeGreaterThanOrEqual(4.5)
    })
    it.each(BORDERS)('%s on %s is seen at 3:1', (front, back) => {
      expect(contrast(tokens[front], tokens[back])).toBeGreaterThanOrEqual(3)
    })
  },
)
