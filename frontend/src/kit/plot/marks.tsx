import { INK } from './ink'

interface HatchProps {
  /** Fill by it: `url(#id)`. */
  id: string
  color: string
  /** Pixels from stripe to stripe. */
  size?: number
  /** Width of a stripe. */
  stripe?: number
  opacity?: number
}

/** A pattern of slanted stripes, which is seen without its colour; it belongs into `defs`. */
export const Hatch = ({ id, color, size = 6, stripe = 3, opacity }: HatchProps) => (
  <pattern id={id} width={size} height={size} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width={stripe} height={size} fill={color} fillOpacity={opacity} />
  </pattern>
)

interface LineProps {
  x: number
  top: number
  bottom: number
}

/** The line of the present. */
export const NowLine = ({ x, top, bottom }: LineProps) => (
  <line x1={x} x2={x} y1={top} y2={bottom} stroke={INK.accent} strokeWidth={2} data-now />
)

/** The line of the place that is pointed at. */
export const Cursor = ({ x, top, bottom }: LineProps) => <line x1={x} x2={x} y1={top} y2={bottom} stroke={INK.ink} strokeDasharray="2 3" />

/** Height of a row of labels below an axis. */
export const LABEL_ROW = 17

interface AxisProps {
  /** From `staggered`. */
  labels: readonly { x: number; text: string; row: number }[]
  top: number
  bottom: number
}

/** Labels below an axis, each with a line to its value. */
export const Axis = ({ labels, top, bottom }: AxisProps) =>
  labels.map(({ x, text, row }) => (
    <g key={text}>
      <line x1={x} x2={x} y1={top} y2={bottom + 5 + row * LABEL_ROW} stroke={INK.soft} />
      <text x={x} y={bottom + 18 + row * LABEL_ROW} textAnchor="middle" fill={INK.ink} fontSize={12}>
        {text}
      </text>
    </g>
  ))
