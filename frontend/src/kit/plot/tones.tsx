import { chartColors } from './chart-colors'

/** Tone of a step: nothing happens, something is awaited, or work is done. */
export type Tone = 'idle' | 'waiting' | 'busy'

export const toneFill: Record<Tone, { fill: string; fillOpacity: number }> = {
  idle: { fill: chartColors.muted, fillOpacity: 0.14 },
  waiting: { fill: chartColors.primary, fillOpacity: 0.3 },
  busy: { fill: chartColors.primary, fillOpacity: 1 },
}

/** Colour sample of a bar, beside its text. */
export const Swatch = ({ tone }: { tone: Tone }) => (
  <svg width={12} height={12} aria-hidden style={{ marginInlineEnd: 6, verticalAlign: '-1px', flexShrink: 0 }}>
    <rect x={0.5} y={0.5} width={11} height={11} rx={2} {...toneFill[tone]} stroke={chartColors.muted} />
  </svg>
)
