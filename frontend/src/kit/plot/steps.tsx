import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { useFormat } from '~/i18n/use-format'
import { midnightsIn } from '~/lib/zone'
import { chartColors } from './chart-colors'
import { Axis, LABEL_ROW } from './marks'
import { countLabelRows, EDGE, scaleX, staggerLabels } from './scale'
import { Swatch, type Tone, toneFill } from './tones'
import { useWidth } from './use-width'

export interface ChartStep {
  /** Start, as an instant; each step begins where the one before ends. */
  from: string
  to: string
  tone: Tone
  label: string
  because: string
}

interface Props {
  /** Accessible name of the table. */
  label: string
  heads: { from: string; label: string; because: string }
  steps: readonly ChartStep[]
  /** Result that the last step reaches. */
  end: string
  /** Time zone of the displayed times and days. */
  zone: string
}

const BAR = 26

/** Sequence of steps: a timeline to look at, and the same as a table to read. */
export function Steps({ label, heads, steps, end, zone }: Props) {
  const format = useFormat()
  const last = steps.at(-1)
  if (!last) return null
  return (
    <Box>
      <Line steps={steps} zone={zone} />
      <Table size="small" aria-label={label} sx={{ '& td, & th': { px: 1, verticalAlign: 'top' } }}>
        <TableHead>
          <TableRow>
            <TableCell>{heads.from}</TableCell>
            <TableCell>{heads.label}</TableCell>
            <TableCell>{heads.because}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {steps.map((step) => (
            <TableRow key={step.from}>
              <TableCell>{format.weekdayTime(step.from, zone)}</TableCell>
              <TableCell>
                <Swatch tone={step.tone} />
                {step.label}
              </TableCell>
              <TableCell>{step.because}</TableCell>
            </TableRow>
          ))}
          <TableRow>
            <TableCell sx={{ fontWeight: 600 }}>{format.weekdayTime(last.to, zone)}</TableCell>
            <TableCell sx={{ fontWeight: 600 }} colSpan={2}>
              {end}
            </TableCell>
          </TableRow>
        </TableBody>
      </Table>
    </Box>
  )
}

function Line({ steps, zone }: Pick<Props, 'steps' | 'zone'>) {
  const format = useFormat()
  const [width, measure] = useWidth()
  const spans = steps.map((step) => ({ ...step, start: Date.parse(step.from), stop: Date.parse(step.to) }))
  const from = spans[0]?.start ?? 0
  const to = spans.at(-1)?.stop ?? 0
  if (to <= from) return null
  const x = scaleX({ from, to }, width)
  const days = midnightsIn(zone, from, to)
  const labels = staggerLabels(days.map((day) => ({ x: x(day), text: format.weekdayDate(new Date(day).toISOString(), zone) })))
  const height = BAR + 8 + LABEL_ROW * (days.length === 0 ? 0 : countLabelRows(labels))
  return (
    <Box ref={measure} sx={{ mb: 2 }}>
      <svg width="100%" height={height} aria-hidden style={{ display: 'block', overflow: 'visible' }}>
        {spans.map(({ from, start, stop, tone }) => (
          // a step of minutes stays visible beside days
          <rect
            key={from}
            x={x(start)}
            y={2}
            width={Math.max(x(stop) - x(start), 3)}
            height={BAR - 4}
            {...toneFill[tone]}
            data-tone={tone}
          />
        ))}
        <rect x={EDGE} y={2} width={Math.max(width - 2 * EDGE, 1)} height={BAR - 4} fill="none" stroke={chartColors.muted} />
        <Axis labels={labels} top={2} bottom={BAR - 3} />
      </svg>
    </Box>
  )
}
