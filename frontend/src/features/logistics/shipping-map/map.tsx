import Box from '@mui/material/Box'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useQuery } from '@tanstack/react-query'
import { MapPin } from 'lucide-react'
import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { NetworkTabs } from '~/features/logistics/shared/network-tabs'
import { shippingNodes } from '~/features/logistics/shipping-nodes/api'
import { Card } from '~/kit/ui/card'
import { usePageCrumbs } from '~/kit/ui/crumbs'
import { EmptyState } from '~/kit/ui/empty-state'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Notice } from '~/kit/ui/notice'
import { Page } from '~/kit/ui/page'
import { Waiting } from '~/kit/ui/waiting'
import { useAddressParams } from '~/lib/address-params'
import { allNodes } from './api'
import { MapLegend } from './legend'
import { networkOf, type ShippingNetwork } from './network'
import { NetworkTables, NodeName } from './network-tables'
import { MAP } from './screen'

// loaded on demand: country outlines are large, and the tables do not need them
const NetworkMap = lazyWithTexts(async () => ({ default: (await import('./network-map')).NetworkMap }))

const VIEWS = ['map', 'table'] as const
const VIEW_PARAM = 'view'

/** Page with all nodes and legs on a map, or as tables. */
export default function ShippingMap() {
  const { t } = useTranslation('shippingMap')
  const [params, changeParams] = useAddressParams()
  const view = VIEWS.find((value) => value === params.get(VIEW_PARAM)) ?? 'map'
  usePageCrumbs([{ path: MAP, text: t('title') }])
  function show(next: (typeof VIEWS)[number]) {
    changeParams((after) => (next === 'map' ? after.delete(VIEW_PARAM) : after.set(VIEW_PARAM, next)), { replace: true })
  }
  const toggle = (
    <ToggleButtonGroup
      size="small"
      exclusive
      value={view}
      aria-label={t('views.title')}
      onChange={(_, next: (typeof VIEWS)[number] | null) => next && show(next)}
      sx={{ bgcolor: 'background.paper' }}
    >
      {VIEWS.map((option) => (
        <ToggleButton key={option} value={option} sx={{ textTransform: 'none' }}>
          {t(`views.${option}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
  return (
    <Page title={t('title')} intro={t('intro')} actions={toggle}>
      <NetworkTabs />
      <Network view={view} />
    </Page>
  )
}

function Network({ view }: { view: (typeof VIEWS)[number] }) {
  const { t } = useTranslation('shippingMap')
  const nodes = useQuery(allNodes())
  const checked = useQuery(shippingNodes.findings())
  const network = useMemo(() => nodes.data && networkOf(nodes.data, checked.data?.data ?? []), [nodes.data, checked.data])
  if (!network) {
    return nodes.error ? <LoadFailed error={nodes.error} retry={() => void nodes.refetch()} pending={nodes.isFetching} /> : <Waiting />
  }
  if (network.nodes.length === 0) {
    return (
      <EmptyState icon={MapPin} title={t('empty.title')}>
        {t('empty.body')}
      </EmptyState>
    )
  }
  return (
    <>
      {checked.error && <Notice tone="warning">{t('unchecked')}</Notice>}
      {view === 'table' ? <NetworkTables {...network} /> : <MapDrawing network={network} />}
    </>
  )
}

function MapDrawing({ network }: { network: ShippingNetwork }) {
  const { t } = useTranslation('shippingMap')
  const unplacedNodes = network.nodes.filter(({ place }) => place === null)
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', ...(unplacedNodes.length > 0 && { lg: 'minmax(0, 1fr) 260px' }) },
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Suspense fallback={<Waiting />}>
          <NetworkMap {...network} />
        </Suspense>
        <MapLegend />
      </Box>
      {unplacedNodes.length > 0 && (
        <Card title={t('unplaced.title')} intro={t('unplaced.intro')}>
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
            {unplacedNodes.map(({ id, name, state }) => (
              <li key={id}>
                <NodeName id={id} name={name} />
                {state !== 'reachable' && (
                  <Box component="span" sx={{ typography: 'body2', color: state === 'unreachable' ? 'error.main' : 'text.secondary' }}>
                    {` · ${t(`state.${state}`)}`}
                  </Box>
                )}
              </li>
            ))}
          </Box>
        </Card>
      )}
    </Box>
  )
}
