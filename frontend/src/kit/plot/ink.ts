const color = (name: string) => `var(--mui-palette-${name})`

/** What drawings are made with: the palette's colours, light and dark. */
export const INK = {
  ink: color('text-primary'),
  soft: color('text-secondary'),
  primary: color('primary-main'),
  accent: color('accent-main'),
  error: color('error-main'),
  paper: color('background-paper'),
}

/** Keeps a text readable on what it stands on. */
export const HALO = { paintOrder: 'stroke', stroke: INK.paper, strokeWidth: 3, strokeLinejoin: 'round' } as const
