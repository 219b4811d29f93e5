export type ColorScheme = 'light' | 'dark'

/** Colours of a palette; everything else in the theme derives from them. */
export interface PaletteTokens {
  primary: string
  onPrimary: string
  accent: string
  canvas: string
  paper: string
  ink: string
  inkSoft: string
  line: string
  /** Border of an input: contrast 3:1 against its background. */
  field: string
  nav: string
  onNav: string
  onNavSoft: string
  success: string
  warning: string
  error: string
  info: string
}

export interface AppPalette {
  light: PaletteTokens
  dark: PaletteTokens
}

/** Default palette: the petrol of tempered steel, brick red as the only accent, and off-white paper. */
const stalhof: AppPalette = {
  light: {
    primary: '#1c5468',
    onPrimary: '#ffffff',
    accent: '#a3402c',
    canvas: '#f3f5f5',
    paper: '#ffffff',
    ink: '#17242b',
    inkSoft: '#50616a',
    line: '#dce2e4',
    field: '#7d8c93',
    nav: '#14232b',
    onNav: '#e6ecee',
    onNavSoft: '#9fb1b9',
    success: '#2a6b46',
    warning: '#8a5a08',
    error: '#b3261e',
    info: '#2b5f8c',
  },
  dark: {
    primary: '#8cc4d6',
    onPrimary: '#08212b',
    accent: '#ea8f75',
    canvas: '#0e1519',
    paper: '#151f25',
    ink: '#e4eaec',
    inkSoft: '#9db0b8',
    line: '#2a383f',
    field: '#6a7c85',
    nav: '#0a1216',
    onNav: '#e4eaec',
    onNavSoft: '#93a6ae',
    success: '#7cc79b',
    warning: '#e0b35c',
    error: '#f2978d',
    info: '#8fbde6',
  },
}

type Row = readonly [string, string, string, string, string, string, string, string, string, string, string, string]

/**
 * Builds the colours of a palette from a row in the order of the destructuring below; status colours are
 * those of the default palette.
 */
function tokens(row: Row, mode: ColorScheme): PaletteTokens {
  const [primary, onPrimary, accent, canvas, paper, ink, inkSoft, line, field, nav, onNav, onNavSoft] = row
  return { ...stalhof[mode], primary, onPrimary, accent, canvas, paper, ink, inkSoft, line, field, nav, onNav, onNavSoft }
}

const createPalette = (light: Row, dark: Row): AppPalette => ({ light: tokens(light, 'light'), dark: tokens(dark, 'dark') })

/** Palettes of the specification: the default one, and theme1 to theme8. */
export const palettes = {
  default: stalhof,
  // the Elbe at dusk
  theme1: createPalette(
    ['#0c528c', '#ffffff', '#904016', '#f3f5f7', '#ffffff', '#1e2227', '#575d64', '#dde0e4', '#848a90', '#162131', '#e8ebef', '#a6afbc'],
    ['#8cc3fc', '#031f39', '#eb9a75', '#111418', '#1a1e22', '#e7eaed', '#a6abb2', '#32373e', '#73787f', '#0a1019', '#e7eaed', '#9da5b2'],
  ),
  // copper roofs
  theme2: createPalette(
    ['#7b3c17', '#ffffff', '#00638a', '#f7f4f1', '#ffffff', '#28201a', '#645a52', '#e4deda', '#918780', '#2b1d14', '#efeae6', '#b7aba5'],
    ['#f3aa85', '#341302', '#64bced', '#18130e', '#231c17', '#eee8e4', '#b2a9a2', '#3e352e', '#7f756e', '#150d09', '#eee8e4', '#aea29b'],
  ),
  // copper patina
  theme3: createPalette(
    ['#0e5e44', '#ffffff', '#904016', '#f2f5f3', '#ffffff', '#1c2420', '#555f5a', '#dbe1de', '#828c87', '#12251e', '#e7edea', '#a4b2ac'],
    ['#88d0b0', '#002518', '#eb9a75', '#0f1513', '#181f1c', '#e5ebe8', '#a4ada9', '#303935', '#707a75', '#08120e', '#e5ebe8', '#9ba8a3'],
  ),
  // graphite
  theme4: createPalette(
    ['#4b505a', '#ffffff', '#913e20', '#f4f4f4', '#ffffff', '#222222', '#5c5c5c', '#dfdfdf', '#898989', '#1f2022', '#ebebeb', '#adaeaf'],
    ['#b8beca', '#1a1e27', '#ed997b', '#141414', '#1d1d1d', '#e9e9e9', '#ababab', '#373737', '#777777', '#0f0f10', '#e9e9e9', '#a4a4a6'],
  ),
  // cobalt glass
  theme5: createPalette(
    ['#2942ab', '#ffffff', '#864900', '#f3f4f8', '#ffffff', '#202128', '#595c65', '#dedfe5', '#868992', '#171e3d', '#eaebf0', '#a6adc5'],
    ['#a2bcff', '#121c3a', '#e4a067', '#121319', '#1b1d23', '#e8e9ee', '#a8aab3', '#34363f', '#757780', '#0a0e1f', '#e8e9ee', '#9ca4bc'],
  ),
  // amber
  theme6: createPalette(
    ['#694902', '#ffffff', '#255b9c', '#f7f4ef', '#ffffff', '#262117', '#625b4e', '#e3dfd8', '#8f887c', '#271f15', '#eeebe4', '#b3ada5'],
    ['#dcb87a', '#2a1b00', '#81b4f6', '#17130c', '#211d14', '#ece9e2', '#b0aa9e', '#3c362a', '#7d776a', '#130f09', '#ece9e2', '#aaa49c'],
  ),
  // heather
  theme7: createPalette(
    ['#6d3871', '#ffffff', '#146d34', '#f6f3f6', '#ffffff', '#251f25', '#615961', '#e2dee2', '#8e868e', '#281b2a', '#eeeaee', '#b4aab6'],
    ['#dfa8e1', '#2c132d', '#7cc58c', '#161217', '#211b21', '#ece8ec', '#afa8af', '#3b343b', '#7c757c', '#140c15', '#ece8ec', '#aba0ad'],
  ),
  // brick
  theme8: createPalette(
    ['#892b20', '#ffffff', '#00657c', '#f8f3f2', '#ffffff', '#281f1e', '#655957', '#e5dedd', '#918684', '#2d1b19', '#f0e9e8', '#b9aaa8'],
    ['#f7a597', '#35110c', '#52c1e1', '#191211', '#231b1a', '#eee8e7', '#b3a8a6', '#3e3432', '#7f7472', '#170c0b', '#eee8e7', '#b0a19f'],
  ),
} as const satisfies Record<string, AppPalette>

export type PaletteId = keyof typeof palettes

type Preset = Record<ColorScheme, { primary: string; onPrimary: string }>

/** Primary colours that may replace a palette's own. */
export const presets = {
  blue: { light: { primary: '#154d8c', onPrimary: '#ffffff' }, dark: { primary: '#92c1fd', onPrimary: '#0b1d34' } },
  teal: { light: { primary: '#005959', onPrimary: '#ffffff' }, dark: { primary: '#65d2d2', onPrimary: '#002323' } },
  green: { light: { primary: '#005e28', onPrimary: '#ffffff' }, dark: { primary: '#8ed09c', onPrimary: '#082310' } },
  amber: { light: { primary: '#6c4302', onPrimary: '#ffffff' }, dark: { primary: '#e7b375', onPrimary: '#2c1800' } },
  red: { light: { primary: '#822c27', onPrimary: '#ffffff' }, dark: { primary: '#f8a59b', onPrimary: '#311210' } },
  magenta: { light: { primary: '#782c5c', onPrimary: '#ffffff' }, dark: { primary: '#eda4cc', onPrimary: '#2d1222' } },
  violet: { light: { primary: '#533c87', onPrimary: '#ffffff' }, dark: { primary: '#c2b1f8', onPrimary: '#1f1732' } },
} as const satisfies Record<string, Preset>

/** Id of a preset; `own` for the palette's colour. */
export type PresetId = keyof typeof presets | 'own'

export const paletteIds = Object.keys(palettes) as PaletteId[]
export const presetIds: readonly PresetId[] = ['own', ...(Object.keys(presets) as (keyof typeof presets)[])]

/** Colours of a palette with a preset applied. */
export const colours = (palette: PaletteId, preset: PresetId, mode: ColorScheme): PaletteTokens => ({
  ...palettes[palette][mode],
  ...(preset !== 'own' && presets[preset][mode]),
})
