import Box from '@mui/material/Box'
import type { Shape } from '~/api/schema'
import { useLabels } from '~/i18n/labels'

const ring = (outer: number, inner: number, radius: number) => {
  const box = (half: number, r: number, sweep: 0 | 1) => {
    const [from, to] = [12 - half, 12 + half]
    return sweep
      ? `M${from + r} ${from}H${to - r}A${r} ${r} 0 0 1 ${to} ${from + r}V${to - r}A${r} ${r} 0 0 1 ${to - r} ${to}H${from + r}A${r} ${r} 0 0 1 ${from} ${to - r}V${from + r}A${r} ${r} 0 0 1 ${from + r} ${from}Z`
      : `M${from + r} ${from}A${r} ${r} 0 0 0 ${from} ${from + r}V${to - r}A${r} ${r} 0 0 0 ${from + r} ${to}H${to - r}A${r} ${r} 0 0 0 ${to} ${to - r}V${from + r}A${r} ${r} 0 0 0 ${to - r} ${from}Z`
  }
  return box(outer, radius, 1) + box(inner, Math.max(radius - (outer - inner), 0.6), 0)
}
const circle = (r: number, sweep: 0 | 1) => `M${12 - r} 12A${r} ${r} 0 0 ${sweep} ${12 + r} 12A${r} ${r} 0 0 ${sweep} ${12 - r} 12Z`

const SHEET = 'M7.5 6H23L17 16H1.5ZM1.5 17.2H17.6L23 8.3V10.2L18.3 18.8H1.5Z'
/** Pattern that is cut out of the sheet. */
const TEAR_PATTERN = [
  [8.6, 8.4],
  [13.4, 8.4],
  [18.2, 8.4],
  [8.2, 11.2],
  [13, 11.2],
  [17.4, 11.2],
  [5.6, 14],
  [10.4, 14],
  [15.2, 14],
]
  .map(([x, y], index) => (index % 2 ? `M${x} ${y}l1.8 1q-.4 -1.4 -1.8 -1Z` : `M${x} ${y}q1.4 .4 1.8 -1q-1.4 -.4 -1.8 1Z`))
  .join('')
/** Ribbed bar in side view; the ribs stand out and are cut out of it. */
const RIBBED = `M1.5 9H22.5V15H1.5Z${[3, 7, 11, 15, 19].map((x) => `M${x} 16.6H${x + 1.2}L${x + 2.8} 7.4H${x + 1.6}Z`).join('')}`

/** Sections in a square of 24, filled like the hatched areas of a technical drawing. */
const PATHS: Readonly<Record<Shape, string>> = {
  beam: 'M3 3H21V6.5H15.5Q13.5 6.5 13.5 8.5V15.5Q13.5 17.5 15.5 17.5H21V21H3V17.5H8.5Q10.5 17.5 10.5 15.5V8.5Q10.5 6.5 8.5 6.5H3Z',
  channel: 'M6 3H19V6.5H11.5Q9.5 6.5 9.5 8.5V15.5Q9.5 17.5 11.5 17.5H19V21H6Z',
  channel_tapered: 'M6 3H19V4.6Q19 5.6 18 5.8L11.7 7Q9.5 7.4 9.5 9.6V14.4Q9.5 16.6 11.7 17L18 18.2Q19 18.4 19 19.4V21H6Z',
  tee: 'M3 4H21V6Q21 7.2 19.8 7.2L16 7.4Q13.8 7.5 13.7 9.8L13.3 20Q13.2 21 12.4 21H11.6Q10.8 21 10.7 20L10.3 9.8Q10.2 7.5 8 7.4L4.2 7.2Q3 7.2 3 6Z',
  flat: 'M2 9H22V15H2Z',
  square: 'M5 5H19V19H5Z',
  round: circle(8.5, 1),
  rebar: RIBBED,
  hexagon: 'M12 2.8L20 7.4V16.6L12 21.2L4 16.6V7.4Z',
  angle: 'M4 3H6.5Q8 3 8 4.5V13.5Q8 16 10.5 16H19.5Q21 16 21 17.5V20H4Z',
  hollow_hot: ring(9, 6, 2.2),
  hollow_cold: ring(9, 6, 4.6),
  tube: circle(9, 1) + circle(6, 0),
  sheet: SHEET,
  tear_plate: SHEET + TEAR_PATTERN,
}

/** Decorative drawing beside a section's name. */
function ShapeDrawing({ shape }: { shape: Shape }) {
  return (
    <Box component="svg" viewBox="0 0 24 24" aria-hidden sx={{ width: 24, height: 24, flexShrink: 0, color: 'text.secondary' }}>
      <path d={PATHS[shape]} fill="currentColor" fillRule="evenodd" />
    </Box>
  )
}

/** Name of a section with its drawing, on one line. */
export function SectionName({ section }: { section: Shape }) {
  const text = useLabels('articleTypes').enum('section', section)
  return (
    <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 1.25 }}>
      <ShapeDrawing shape={section} />
      {text}
    </Box>
  )
}
