export type Mode = 'light' | 'dark'

/** The colours a palette decides; everything else in the theme follows from them. */
export interface PaletteTokens {
  primary: string
  onPrimary: string
  accent: string
  canvas: string
  paper: string
  ink: string
  inkSoft: string
  line: string
  /** The border of an input: 3:1 against what it stands on. */
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
  id: string
  light: PaletteTokens
  dark: PaletteTokens
}

/** Petrol of tempered steel, the brick of the Hanse's houses as the only accent, paper that is not quite white. */
export const stalhof: AppPalette = {
  id: 'default',
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

export const palettes: readonly AppPalette[] = [stalhof]
