const color = (name: string) => `var(--mui-palette-${name})`

/** Colours of drawings, from the palette's light and dark schemes. */
export const chartColors = {
  ink: color('text-primary'),
  muted: color('text-secondary'),
  primary: color('primary-main'),
  accent: color('accent-main'),
  error: color('error-main'),
  paper: color('background-paper'),
}

/** Outline that makes a text readable on any background. */
export const HALO = { paintOrder: 'stroke', stroke: chartColors.paper, strokeWidth: 3, strokeLinejoin: 'round' } as const
