import Box from '@mui/material/Box'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { chartColors } from '~/kit/plot/chart-colors'
import { Hatch } from '~/kit/plot/marks'
import { truncate } from '~/kit/plot/scale'
import { useWidth } from '~/kit/plot/use-width'
import { formatDuration } from '~/lib/duration'
import { type Durations, type Phase, type PhaseSpan, spansOf } from './departure-times'

const HEIGHT = 30

/** Fills that differ by shape as well as by colour; `hatch` stands for a pattern of stripes. */
const LOOK: Readonly<Record<Phase, { fill: string; opacity: number; text: string }>> = {
  preparation_duration: { fill: chartColors.muted, opacity: 0.22, text: chartColors.ink },
  loading_duration: { fill: 'hatch', opacity: 1, text: chartColors.ink },
  travel_duration: { fill: chartColors.primary, opacity: 1, text: 'var(--mui-palette-primary-contrastText)' },
  unloading_duration: { fill: 'hatch', opacity: 1, text: chartColors.ink },
}

interface Props {
  durations: Durations
}

/** Phases of a leg drawn to scale, and as a list for reading. */
export function PhaseBar({ durations }: Props) {
  const { t } = useTranslation('shippingLegs')
  const id = useId()
  const [width, measure] = useWidth()
  const spans = spansOf(durations)
  const total = spans.at(-1)?.to ?? 0
  if (total === 0) return null
  const x = (minutes: number) => (minutes / total) * width
  const fillOf = (phase: Phase) => (LOOK[phase].fill === 'hatch' ? `url(#${id})` : LOOK[phase].fill)
  const text = ({ phase, from, to }: PhaseSpan) => `${t(`fields.${phase}`)} ${formatDuration(to - from)}`
  return (
    <Box ref={measure}>
      <svg width="100%" height={HEIGHT} aria-hidden style={{ display: 'block' }}>
        <defs>
          <Hatch id={id} color={chartColors.primary} opacity={0.45} />
        </defs>
        {spans.map((span) => (
          <g key={span.phase} data-phase={span.phase}>
            <rect
              // keeps a phase of minutes visible on a scale of days
              x={Math.min(x(span.from), width - 2)}
              y={0.5}
              width={Math.max(x(span.to) - x(span.from), 2)}
              height={HEIGHT - 1}
              fill={fillOf(span.phase)}
              fillOpacity={LOOK[span.phase].opacity}
              stroke={chartColors.paper}
            />
            {LOOK[span.phase].fill !== 'hatch' && truncate(text(span), x(span.to) - x(span.from)) === text(span) && (
              <text x={(x(span.from) + x(span.to)) / 2} y={HEIGHT / 2 + 4} textAnchor="middle" fontSize={12} fill={LOOK[span.phase].text}>
                {text(span)}
              </text>
            )}
          </g>
        ))}
        <rect x={0.5} y={0.5} width={Math.max(width - 1, 1)} height={HEIGHT - 1} fill="none" stroke={chartColors.muted} />
      </svg>
      <Box
        component="ul"
        aria-label={t('bar.label')}
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          columnGap: 2,
          rowGap: 0.25,
          m: 0,
          mt: 0.75,
          p: 0,
          listStyle: 'none',
          typography: 'caption',
        }}
      >
        {spans.map((span) => (
          <li key={span.phase}>
            <svg width={12} height={12} aria-hidden style={{ marginInlineEnd: 4, verticalAlign: '-1px' }}>
              <rect
                x={0.5}
                y={0.5}
                width={11}
                height={11}
                rx={2}
                fill={fillOf(span.phase)}
                fillOpacity={LOOK[span.phase].opacity}
                stroke={chartColors.muted}
              />
            </svg>
            {text(span)}
          </li>
        ))}
        <Box component="li" sx={{ fontWeight: 600 }}>
          {t('bar.total', { duration: formatDuration(total) })}
        </Box>
      </Box>
    </Box>
  )
}
