import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ImportsCard } from '~/features/exchange/imports/home-card'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { Page } from '~/kit/ui/page'
import { useCan, useMe } from '~/session/me'
import { AttentionCard, attentionOptions } from './home-attention'
import { OpenedCard } from './home-opened'
import { FirstSteps } from './home-steps'

const Charts = lazyWithTexts(() => import('./home-charts'))

/**
 * Start page: what needs attention, running imports, recently opened records, and the first steps of an
 * empty installation.
 */
export default function Home() {
  const { t } = useTranslation('home')
  const me = useMe()
  const { isPending } = useQuery(attentionOptions())
  const imports = useCan('import.list', 'import.view')
  return (
    <Page title={t('title', { name: me.name })} intro={t('hint')}>
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: imports ? 'repeat(2, minmax(0, 1fr))' : undefined },
          gap: { xs: 2, md: 3 },
          maxWidth: 1160,
        }}
      >
        <FirstSteps />
        <Box sx={{ gridColumn: '1 / -1' }}>
          <AttentionCard />
        </Box>
        {/* cards that the answer would push down load in the background, and appear together with it */}
        <Box sx={{ display: isPending ? 'none' : 'contents' }}>
          <OpenedCard />
          {imports && <ImportsCard />}
          <Suspense fallback={null}>
            <Charts />
          </Suspense>
        </Box>
      </Box>
    </Page>
  )
}
