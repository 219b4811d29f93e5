import { chartColors } from '~/kit/plot/chart-colors'
import type { LegState, NodeState } from './network'
import type { MapPoint } from './view'

interface NodeProps {
  state: NodeState
  hasWarehouse: boolean
}

/** Marker of a node, around the origin; states differ by shape as well. */
export function NodeMarker({ state, hasWarehouse }: NodeProps) {
  if (state === 'unreachable') {
    return <path d="M0 -8.5L8.5 0L0 8.5L-8.5 0Z" fill={chartColors.error} stroke={chartColors.paper} strokeWidth={1.5} data-state={state} />
  }
  if (state === 'inactive') {
    return (
      <circle r={5.5} fill={chartColors.paper} stroke={chartColors.muted} strokeWidth={1.75} strokeDasharray="2.5 2" data-state={state} />
    )
  }
  return (
    <g data-state={state}>
      <circle r={6.5} fill={chartColors.primary} stroke={chartColors.paper} strokeWidth={1.5} />
      {hasWarehouse && <rect x={-2.5} y={-2.5} width={5} height={5} fill={chartColors.paper} />}
    </g>
  )
}

const STROKES: Record<LegState, object> = {
  running: { stroke: chartColors.primary, strokeWidth: 1.5, strokeOpacity: 0.75 },
  without_departures: { stroke: chartColors.error, strokeWidth: 1.75, strokeDasharray: '6 4' },
  inactive: { stroke: chartColors.muted, strokeWidth: 1.5, strokeDasharray: '1 4', strokeLinecap: 'round' },
}

/** Bend of a leg to the right of its direction, so that the way back is drawn beside it. */
const BEND = 0.12
/** Length in pixels from which a leg has a mark in its middle. */
const MARKED = 36

interface Line {
  from: MapPoint
  to: MapPoint
}

const controlOf = ({ from, to }: Line): MapPoint => ({
  x: (from.x + to.x) / 2 - (to.y - from.y) * BEND,
  y: (from.y + to.y) / 2 + (to.x - from.x) * BEND,
})

/** Point at a fraction of the line of a leg. */
export function pointAlong(line: Line, part: number): MapPoint {
  const control = controlOf(line)
  const at = (from: number, middle: number, to: number) => (1 - part) ** 2 * from + 2 * part * (1 - part) * middle + part ** 2 * to
  return { x: at(line.from.x, control.x, line.to.x), y: at(line.from.y, control.y, line.to.y) }
}

interface LegProps extends Line {
  state: LegState
}

/** Line of a leg, with an arrow in its middle, or a cross if it has no departures. */
export function LegLine({ from, to, state }: LegProps) {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = Math.hypot(dx, dy)
  const control = controlOf({ from, to })
  const middle = pointAlong({ from, to }, 0.5)
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI
  return (
    <g data-leg={state}>
      <path d={`M${from.x} ${from.y}Q${control.x} ${control.y} ${to.x} ${to.y}`} fill="none" {...STROKES[state]} />
      {length >= MARKED && state === 'running' && (
        <path d="M5 0L-4 -4.5L-4 4.5Z" fill={chartColors.primary} transform={`translate(${middle.x} ${middle.y}) rotate(${angle})`} />
      )}
      {length >= MARKED && state === 'without_departures' && (
        <path d="M-5 -5L5 5M-5 5L5 -5" stroke={chartColors.error} strokeWidth={2.25} transform={`translate(${middle.x} ${middle.y})`} />
      )}
    </g>
  )
}
