import { createTheme, lighten, type PaletteOptions } from '@mui/material/styles'
import { type ColorScheme, colours, type PaletteTokens } from './palettes'
import type { Font, Preferences } from './preferences'

declare module '@mui/material/styles' {
  interface Palette {
    nav: { main: string; text: string; soft: string }
    accent: { main: string }
    field: { main: string }
  }
  interface PaletteOptions {
    nav?: { main: string; text: string; soft: string }
    accent?: { main: string }
    field?: { main: string }
  }
}

/** Storage key of the colour scheme; also read by public/theme-init.js. */
export const MODE_KEY = 'stalhof-mode'

const SYSTEM = '"Segoe UI", system-ui, -apple-system, "Helvetica Neue", sans-serif'

/** Font stacks. Bundled fonts are loaded on use; the others come from the system. */
export const fontFamilies: Record<Font, string> = {
  plex: `"IBM Plex Sans Variable", ${SYSTEM}`,
  legible: `"Atkinson Hyperlegible Next Variable", ${SYSTEM}`,
  system: SYSTEM,
  serif: 'Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif',
}

function paletteOptions(mode: ColorScheme, c: PaletteTokens): PaletteOptions {
  // on hover the contrast to the text grows: darker in light mode, lighter in dark mode
  const colour = (main: string) => (mode === 'dark' ? { main, dark: lighten(main, 0.16) } : { main })
  return {
    mode,
    primary: { ...colour(c.primary), contrastText: c.onPrimary },
    secondary: { main: c.inkSoft, contrastText: c.paper },
    accent: { main: c.accent },
    field: { main: c.field },
    nav: { main: c.nav, text: c.onNav, soft: c.onNavSoft },
    background: { default: c.canvas, paper: c.paper },
    text: { primary: c.ink, secondary: c.inkSoft },
    divider: c.line,
    success: colour(c.success),
    warning: colour(c.warning),
    error: colour(c.error),
    info: colour(c.info),
  }
}

export type Look = Pick<Preferences, 'palette' | 'preset' | 'font' | 'direction'>

export function appTheme({ palette, preset, font, direction }: Look) {
  const options = (mode: ColorScheme) => ({ palette: paletteOptions(mode, colours(palette, preset, mode)) })
  return createTheme({
    cssVariables: { colorSchemeSelector: 'data-mode' },
    colorSchemes: { light: options('light'), dark: options('dark') },
    direction,
    breakpoints: { values: { xs: 0, sm: 768, md: 1024, lg: 1266, xl: 1536 } },
    shape: { borderRadius: 8 },
    typography: {
      fontFamily: fontFamilies[font],
      h1: { fontSize: '1.625rem', fontWeight: 600, letterSpacing: '-0.012em', lineHeight: 1.25 },
      h2: { fontSize: '1.25rem', fontWeight: 600, letterSpacing: '-0.008em', lineHeight: 1.3 },
      h3: { fontSize: '1rem', fontWeight: 600, lineHeight: 1.4 },
      body1: { fontSize: '0.9375rem', lineHeight: 1.55 },
      body2: { fontSize: '0.875rem', lineHeight: 1.5 },
      caption: { fontSize: '0.8125rem' },
      button: { textTransform: 'none', fontWeight: 600, letterSpacing: 0 },
      overline: { fontSize: '0.75rem', fontWeight: 600, letterSpacing: '0.06em', textTransform: 'none', lineHeight: 1.6 },
    },
    components: {
      MuiCssBaseline: {
        styleOverrides: {
          body: { fontVariantNumeric: 'tabular-nums', textRendering: 'optimizeLegibility' },
          '[tabindex="-1"]:focus-visible': { outline: 'none' },
          // mirrors icons that point along the reading direction
          '[dir=rtl] :is(.lucide-chevron-left, .lucide-chevron-right, .lucide-arrow-left, .lucide-arrow-right, .lucide-corner-down-right, .lucide-log-out, .lucide-list-indent-increase)':
            {
              transform: 'scaleX(-1)',
            },
          ':focus-visible': { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: 2 },
        },
      },
      MuiButtonBase: { defaultProps: { disableRipple: true } },
      MuiButton: {
        defaultProps: { disableElevation: true },
        styleOverrides: {
          root: {
            borderRadius: 6,
            paddingInline: 14,
            '&.Mui-focusVisible': { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: 2 },
          },
        },
        // buttons beside the primary one are neutral
        variants: [
          {
            props: { variant: 'outlined', color: 'primary' },
            style: ({ theme }) => ({
              color: theme.vars?.palette.text.primary,
              borderColor: theme.vars?.palette.field.main,
              '&:hover': { borderColor: theme.vars?.palette.field.main, backgroundColor: theme.vars?.palette.action.hover },
            }),
          },
        ],
      },
      MuiIconButton: {
        styleOverrides: {
          root: {
            borderRadius: 8,
            '&.Mui-focusVisible': { outline: '2px solid currentColor', outlineOffset: -2 },
          },
        },
      },
      MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: 'none' } } },
      MuiOutlinedInput: {
        styleOverrides: {
          root: ({ theme }) => ({
            borderRadius: 6,
            backgroundColor: theme.vars?.palette.background.paper,
            '& .MuiOutlinedInput-notchedOutline': { borderColor: theme.vars?.palette.field.main },
          }),
          input: ({ theme }) => ({
            fontSize: '0.9375rem',
            padding: '9px 12px',
            height: 'auto',
            // placeholders need readable contrast too
            '&::placeholder': { color: theme.vars?.palette.text.secondary, opacity: 1 },
          }),
          multiline: { padding: 0 },
        },
      },
      MuiAutocomplete: {
        // the input has a padding of its own
        styleOverrides: {
          inputRoot: { '&.MuiOutlinedInput-root': { padding: '0 60px 0 0', '& .MuiAutocomplete-input': { padding: '9px 12px' } } },
          // the list covers the content below it
          paper: ({ theme }) => ({ border: `1px solid ${theme.vars?.palette.divider}`, boxShadow: theme.shadows[8] }),
        },
      },
      MuiFormLabel: {
        styleOverrides: {
          root: ({ theme }) => ({
            fontSize: '0.875rem',
            fontWeight: 550,
            lineHeight: 1.4,
            marginBottom: 4,
            color: theme.vars?.palette.text.primary,
            '&.Mui-focused:not(.Mui-error)': { color: theme.vars?.palette.text.primary },
          }),
        },
      },
      MuiFormHelperText: { styleOverrides: { root: { marginInline: 0, fontSize: '0.8125rem', lineHeight: 1.4 } } },
      // aligned with heads that cannot be sorted
      MuiTableSortLabel: { styleOverrides: { root: { verticalAlign: 'top' } } },
      MuiTooltip: { defaultProps: { arrow: true, enterDelay: 400 } },
      MuiChip: { styleOverrides: { root: { borderRadius: 6, fontWeight: 500 } } },
      MuiMenu: { defaultProps: { slotProps: { paper: { elevation: 8 } } } },
      // keeps the outline inside, because the list clips it at its edges
      MuiMenuItem: { styleOverrides: { root: { '&:focus-visible': { outlineOffset: -2 } } } },
      MuiPopover: {
        defaultProps: { elevation: 8 },
        // a shadow is invisible on a dark page
        styleOverrides: { paper: ({ theme }) => theme.applyStyles('dark', { border: `1px solid ${theme.vars?.palette.divider}` }) },
      },
      MuiDialog: { styleOverrides: { paper: { borderRadius: 12 } } },
      MuiDialogTitle: { defaultProps: { component: 'h2' }, styleOverrides: { root: { fontSize: '1.125rem', fontWeight: 600 } } },
      MuiTableCell: {
        styleOverrides: {
          root: ({ theme }) => ({ borderColor: theme.vars?.palette.divider, fontSize: '0.875rem' }),
          head: ({ theme }) => ({
            fontSize: '0.8125rem',
            fontWeight: 600,
            color: theme.vars?.palette.text.secondary,
            whiteSpace: 'nowrap',
          }),
        },
      },
      MuiAlert: { styleOverrides: { root: { borderRadius: 8 } } },
    },
  })
}
