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

/** How somebody likes it in this browser: stored as `layout`, beside light or dark (`stalhof-mode`) and the language (`Language`). */
export interface Preferences {
  v: 1
  density: Density
  /** Single-key shortcuts; WCAG 2.1.4 wants a way to turn them off. */
  shortcuts: boolean
  /** Pages as wide as the window, or of a width that reads well. */
  width: (typeof widths)[number]
  /** Navigation that is closed leaves its icons. */
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

/** What an older or a newer release, or anybody else, has stored is no reason to break. */
function read(): Preferences {
  const { density, shortcuts, width, mini, palette, preset, font, direction } = readJson<Preferences>(KEY, DEFAULTS)
  const known = {
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
    if (!choices.includes(known[name])) Object.assign(known, { [name]: DEFAULTS[name] })
  }
  return known
}

const state = signal(read())

export const preferences = {
  get: state.get,
  set(change: Partial<Preferences>) {
    const next = { ...state.get(), ...change }
    const { light, dark } = palettes[next.palette]
    // the colours behind everything are for theme-init.js, which knows no palettes
    writeJson(KEY, { ...next, canvas: [light.canvas, dark.canvas] })
    state.set(next)
  },
  subscribe: state.subscribe,
}

// another tab has changed it
window.addEventListener('storage', (event) => {
  if (event.key === KEY) state.set(read())
})

export function usePreferences(): Preferences {
  return useSignal(state)
}
