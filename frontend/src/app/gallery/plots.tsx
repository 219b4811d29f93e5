import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import { Steps } from '~/kit/plot/steps'
import { Timeline } from '~/kit/plot/timeline'
import { Card } from '~/kit/ui/card'

const ZONE = 'Europe/Berlin'
const MONDAY = Date.parse('2026-11-23T00:00:00+01:00')
const HOUR = 3_600_000
const hours = (from: number, to: number) => ({ from: MONDAY + from * HOUR, to: MONDAY + to * HOUR })

/** Drawings. */
export function Plots() {
  const { t } = useTranslation('gallery')
  return (
    <Card title={t('sections.plots')}>
      <Box sx={{ mt: 2 }}>
        <Steps
          label={t('sections.plots')}
          heads={{ from: t('steps.from'), what: t('steps.what'), because: t('steps.because') }}
          steps={(['idle', 'waiting', 'busy'] as const).map((tone, at) => ({
            from: `2026-11-2${3 + at}T07:00:00Z`,
            to: `2026-11-2${4 + at}T07:00:00Z`,
            tone,
            what: t(`steps.${tone}`),
            because: t('steps.reason'),
          }))}
          end={t('steps.end')}
          zone={ZONE}
        />
        <Timeline
          {...hours(0, 72)}
          lanes={[t('steps.idle'), t('steps.busy')]}
          bars={[
            { ...hours(8, 30), lane: 0, tone: 'waiting' },
            { ...hours(30, 54), lane: 1, tone: 'busy' },
          ]}
          bands={[{ ...hours(48, 72), lane: 0 }]}
          moments={[{ at: MONDAY + 30 * HOUR, text: t('steps.end') }]}
          zone={ZONE}
        />
      </Box>
    </Card>
  )
}
