import type { Palette } from '@mui/material/styles'
import { describe, expect, it } from 'vitest'
import { type ColorScheme, paletteIds, presetIds } from './palettes'
import { appTheme } from './theme'

type Colour = readonly [number, number, number, number]

/** Parses colours of MUI palettes: #rgb, #rrggbb, rgb(), rgba(), and variables with a fallback value. */
function read(text: string): Colour {
  const colour = /^var\([\w-]+, (.*)\)$/.exec(text)?.[1] ?? text
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour)?.[1]
  if (hex) {
    const wide = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex
    const at = (from: number) => Number.parseInt(wide.slice(from, from + 2), 16)
    return [at(0), at(2), at(4), 1]
  }
  const [r, g, b, alpha = 1] = [...colour.matchAll(/[\d.]+/g)].map(Number)
  if (!/^rgba?\(/.test(colour) || r === undefined || g === undefined || b === undefined) throw new Error(`no colour: ${colour}`)
  return [r, g, b, alpha]
}

/** Visible colour of layers over each other, the last of which is opaque. */
function visibleColour(...layers: string[]): Colour {
  return layers.map(read).reduceRight((below, [r, g, b, alpha]) => {
    const mix = (over: number, under: number) => over * alpha + under * (1 - alpha)
    return [mix(r, below[0]), mix(g, below[1]), mix(b, below[2]), 1]
  })
}

function luminance([r, g, b]: Colour): number {
  const [x = 0, y = 0, z = 0] = [r, g, b].map((value) => {
    const c = value / 255
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * x + 0.7152 * y + 0.0722 * z
}

function contrast(front: Colour, back: Colour): number {
  const [dark = 0, light = 0] = [luminance(front), luminance(back)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const STATES = ['success', 'warning', 'error', 'info'] as const
const TEXT = 4.5
const SHAPE = 3
const WHITE = 'rgba(255, 255, 255, '

type FullPalette = Palette & { Alert: Record<string, string> }
type Check = [what: string, front: Colour, back: Colour, least: number]

/** Pairs of text or controls with their backgrounds. */
function checks(p: FullPalette): Check[] {
  const grounds = { page: [p.background.default], paper: [p.background.paper], hovered: [p.action.hover, p.background.paper] }
  const check = (front: string, name: string, back: string[], least: number): Check => [
    name,
    visibleColour(front, ...back),
    visibleColour(...(back as [string])),
    least,
  ]
  const everywhere = (name: string, front: string, least: number) =>
    Object.entries(grounds).map(([where, back]) => check(front, `${name} on ${where}`, back, least))
  const selected = [p.action.selected, p.background.paper]
  return [
    ...everywhere('text', p.text.primary, TEXT),
    ...everywhere('soft text', p.text.secondary, TEXT),
    ...everywhere('link', p.primary.main, TEXT),
    ...everywhere('focus ring', p.primary.main, SHAPE),
    check(p.text.primary, 'text of what is selected', selected, TEXT),
    check(p.text.primary, 'chip', selected, TEXT),
    check(p.action.active, 'choice that is not on', [p.background.paper], TEXT),
    check(p.primary.main, 'focus ring on what is selected', selected, SHAPE),
    check(p.primary.contrastText, 'button', [p.primary.main], TEXT),
    check(p.primary.contrastText, 'hovered button', [p.primary.dark], TEXT),
    check(p.secondary.contrastText, 'secondary button', [p.secondary.main], TEXT),
    check(p.accent.main, 'accent', [p.background.paper], TEXT),
    check(p.accent.main, 'loading bar', [p.background.default], SHAPE),
    check(p.field.main, 'border of a field', [p.background.paper], SHAPE),
    check(p.field.main, 'border of a field on the page', [p.background.default], SHAPE),
    ...STATES.flatMap((state) => [
      check(p[state].main, `${state} as text or chip`, [p.background.paper], TEXT),
      check(p[state].main, `${state} on the page`, [p.background.default], TEXT),
      check(p[state].contrastText, `filled ${state} chip or button`, [p[state].main], TEXT),
      check(p[state].contrastText, `hovered ${state} button`, [p[state].dark], TEXT),
      check(p.Alert[`${state}Color`] ?? '', `${state} alert`, [p.Alert[`${state}StandardBg`] ?? ''], TEXT),
      check(p.Alert[`${state}FilledColor`] ?? '', `${state} message`, [p.Alert[`${state}FilledBg`] ?? ''], TEXT),
    ]),
    check(p.nav.text, 'navigation', [p.nav.main], TEXT),
    check(p.nav.soft, 'soft navigation', [p.nav.main], TEXT),
    check(p.nav.text, 'where one is', [`${WHITE}0.1)`, p.nav.main], TEXT),
    check(p.nav.soft, 'search of the navigation', [`${WHITE}0.07)`, p.nav.main], TEXT),
    check(p.nav.text, 'focus ring of the navigation', [p.nav.main], SHAPE),
    check('#d2664c', 'mark of where one is', [p.nav.main], SHAPE),
  ]
}

const MODES: ColorScheme[] = ['light', 'dark']
const LOOKS = paletteIds.flatMap((palette) => presetIds.flatMap((preset) => MODES.map((mode) => [palette, preset, mode] as const)))

it('covers all palettes and presets', () => {
  expect(paletteIds).toEqual(['default', ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `theme${n}`)])
  expect(LOOKS).toHaveLength(9 * 8 * 2)
})

describe('contrast', () => {
  it.each(LOOKS)('%s, %s, %s', (palette, preset, mode) => {
    const theme = appTheme({ palette, preset, font: 'plex', direction: 'ltr' }) as unknown as {
      colorSchemes: Record<ColorScheme, { palette: FullPalette }>
    }
    const faint = checks(theme.colorSchemes[mode].palette)
      .map(([name, front, back, least]) => [name, Math.round(contrast(front, back) * 100) / 100, least] as const)
      .filter(([, is, least]) => is < least)
    expect(faint).toEqual([])
  })
})

it('detects insufficient contrast', () => {
  expect(contrast(read('#777777'), read('#fff'))).toBeCloseTo(4.48, 2)
  expect(contrast(visibleColour('rgba(0, 0, 0, 0.5)', '#ffffff'), read('#ffffff'))).toBeCloseTo(
    contrast(read('rgb(127.5, 127.5, 127.5)'), read('#fff')),
    5,
  )
})
