import { signal, useSignal } from '~/lib/signal'
import { readJson, writeJson } from '~/lib/storage'
import { type PaletteId, type PresetId, paletteIds, palettes, presetIds } from './palettes'

export const densities = ['compact', 'standard', 'comfortable'] as const
export const widths = ['full', 'fixed'] as const
export const fonts = ['plex', 'legible', 'system', 'serif'] as const
export const directions = ['ltr', 'rtl'] as const

export type Density = (typeof densities)[number]
export type Font = (typeof fonts)[number]
export type Direction = (typeof directions)[number]

/**
 * Display preferences in this browser: stored as `layout`, beside the colour scheme (`stalhof-mode`) and the
 * language (`Language`).
 */
export interface Preferences {
  v: 1
  density: Density
  /** Single-key shortcuts; WCAG 2.1.4 requires a way to turn them off. */
  shortcuts: boolean
  /** Width of pages: that of the window, or a comfortable reading width. */
  width: (typeof widths)[number]
  /** True if the closed navigation still shows its icons. */
  mini: boolean
  palette: PaletteId
  preset: PresetId
  font: Font
  direction: Direction
}

const KEY = 'layout'

export const LAYOUT = {
  width: 'full',
  mini: false,
  palette: 'default',
  preset: 'own',
  font: 'plex',
  direction: 'ltr',
} as const satisfies Partial<Preferences>

const DEFAULTS: Preferences = { v: 1, density: 'standard', shortcuts: true, ...LAYOUT }

const CHOICES: { [K in keyof Preferences]?: readonly Preferences[K][] } = {
  density: densities,
  width: widths,
  palette: paletteIds,
  preset: presetIds,
  font: fonts,
  direction: directions,
}

/**
 * Reads the stored preferences and replaces invalid values, such as those of another release, by the
 * defaults.
 */
function read(): Preferences {
  const { density, shortcuts, width, mini, palette, preset, font, direction } = readJson<Preferences>(KEY, DEFAULTS)
  const sanitized = {
    v: 1,
    density,
    shortcuts: shortcuts !== false,
    width,
    mini: mini === true,
    palette,
    preset,
    font,
    direction,
  } as Preferences
  for (const name of Object.keys(CHOICES) as (keyof typeof CHOICES)[]) {
    const choices = CHOICES[name] as readonly unknown[]
    if (!choices.includes(sanitized[name])) Object.assign(sanitized, { [name]: DEFAULTS[name] })
  }
  return sanitized
}

const state = signal(read())

export const preferences = {
  get: state.get,
  set(change: Partial<Preferences>) {
    const next = { ...state.get(), ...change }
    const { light, dark } = palettes[next.palette]
    // stores the background colours for theme-init.js, which does not contain the palettes
    writeJson(KEY, { ...next, canvas: [light.canvas, dark.canvas] })
    state.set(next)
  },
  subscribe: state.subscribe,
}

// another tab has changed the preferences
window.addEventListener('storage', (event) => {
  if (event.key === KEY) state.set(read())
})

export function usePreferences(): Preferences {
  return useSignal(state)
}
