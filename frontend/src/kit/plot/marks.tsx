import { chartColors } from './chart-colors'

interface HatchProps {
  /** Id to fill with: `url(#id)`. */
  id: string
  color: string
  /** Distance between stripes in pixels. */
  size?: number
  /** Width of a stripe. */
  stripe?: number
  opacity?: number
}

/** Pattern of slanted stripes, recognisable without colour; it belongs into `defs`. */
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

/** Line that marks the present. */
export const NowLine = ({ x, top, bottom }: LineProps) => (
  <line x1={x} x2={x} y1={top} y2={bottom} stroke={chartColors.accent} strokeWidth={2} data-now />
)

/** Line at the position of the pointer. */
export const Cursor = ({ x, top, bottom }: LineProps) => (
  <line x1={x} x2={x} y1={top} y2={bottom} stroke={chartColors.ink} strokeDasharray="2 3" />
)

/** Height of a row of labels below an axis. */
export const LABEL_ROW = 17

interface AxisProps {
  /** Labels placed by `staggered`. */
  labels: readonly { x: number; text: string; row: number }[]
  top: number
  bottom: number
}

/** Labels below an axis, each with a line to its value. */
export const Axis = ({ labels, top, bottom }: AxisProps) =>
  labels.map(({ x, text, row }) => (
    <g key={text}>
      <line x1={x} x2={x} y1={top} y2={bottom + 5 + row * LABEL_ROW} stroke={chartColors.muted} />
      <text x={x} y={bottom + 18 + row * LABEL_ROW} textAnchor="middle" fill={chartColors.ink} fontSize={12}>
        {text}
      </text>
    </g>
  ))
