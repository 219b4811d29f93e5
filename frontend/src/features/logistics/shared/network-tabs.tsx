import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { shippingLeg } from '~/features/logistics/shipping-legs/resource'
import { shippingNode } from '~/features/logistics/shipping-nodes/resource'
import { allResources } from '~/kit/records/resources'
import { TabLinks } from '~/kit/records/tab-links'

declare module '~/i18n/namespaces' {
  interface Texts {
    shippingNetwork: typeof import('~/i18n/de/shippingNetwork.json')
  }
}

/** Pages of the shipping network in the order of its tabs; those that have no screen are left out. */
const PAGES = ['map', 'legs', 'findings'] as const

/** The ways to look at the shipping network: nodes, map, legs and findings. */
export function NetworkTabs() {
  const { t } = useTranslation('shippingNetwork')
  const { pathname } = useLocation()
  const known = allResources().find(({ ns }) => ns === shippingNode.ns)?.pages ?? {}
  const tabs = [
    { path: shippingNode.path, text: t('views.nodes') },
    ...PAGES.filter((page) => page === 'legs' || page in known).map((page) => ({
      path: page === 'legs' ? shippingLeg.path : `${shippingNode.path}/${page}`,
      text: t(`views.${page}`),
    })),
  ]
  const current = tabs.findLast(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
  return (
    // above a list that fills the page it keeps its height
    <Box sx={{ flexShrink: 0 }}>
      <TabLinks label={t('views.label')} tabs={tabs} current={current?.path ?? ''} />
    </Box>
  )
}
