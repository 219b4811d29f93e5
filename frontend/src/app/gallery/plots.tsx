import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import { Steps } from '~/kit/plot/steps'
import { Card } from '~/kit/ui/card'

/** Charts and timelines. */
export function Plots() {
  const { t } = useTranslation('gallery')
  return (
    <Card title={t('sections.plots')}>
      <Box sx={{ mt: 2 }}>
        <Steps
          label={t('sections.plots')}
          heads={{ from: t('steps.from'), label: t('steps.what'), because: t('steps.because') }}
          steps={(['idle', 'waiting', 'busy'] as const).map((tone, at) => ({
            from: `2026-11-2${3 + at}T07:00:00Z`,
            to: `2026-11-2${4 + at}T07:00:00Z`,
            tone,
            label: t(`steps.${tone}`),
            because: t('steps.reason'),
          }))}
          end={t('steps.end')}
          zone="Europe/Berlin"
        />
      </Box>
    </Card>
  )
}
