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

/** Sections in a square of 24, filled as a draughtsman hatches them. */
const PATHS: Readonly<Record<Shape, string>> = {
  beam: 'M3 3H21V6.5H15.5Q13.5 6.5 13.5 8.5V15.5Q13.5 17.5 15.5 17.5H21V21H3V17.5H8.5Q10.5 17.5 10.5 15.5V8.5Q10.5 6.5 8.5 6.5H3Z',
  flat: 'M2 9H22V15H2Z',
  square: 'M5 5H19V19H5Z',
  round: circle(8.5, 1),
  hexagon: 'M12 2.8L20 7.4V16.6L12 21.2L4 16.6V7.4Z',
  angle: 'M4 3H6.5Q8 3 8 4.5V13.5Q8 16 10.5 16H19.5Q21 16 21 17.5V20H4Z',
  hollow_hot: ring(9, 6, 2.2),
  hollow_cold: ring(9, 6, 4.6),
  tube: circle(9, 1) + circle(6, 0),
  sheet: 'M7.5 6H23L17 16H1.5ZM1.5 17.2H17.6L23 8.3V10.2L18.3 18.8H1.5Z',
}

/** Decoration beside a section's name. */
function ShapeDrawing({ shape }: { shape: Shape }) {
  return (
    <Box component="svg" viewBox="0 0 24 24" aria-hidden sx={{ width: 24, height: 24, flexShrink: 0, color: 'text.secondary' }}>
      <path d={PATHS[shape]} fill="currentColor" />
    </Box>
  )
}

/** A section with its drawing, on one line. */
export function SectionName({ section }: { section: Shape }) {
  const text = useLabels('articleTypes').enum('section', section)
  return (
    <Box component="span" sx={{ display: 'flex', alignItems: 'center', gap: 1.25 }}>
      <ShapeDrawing shape={section} />
      {text}
    </Box>
  )
}
