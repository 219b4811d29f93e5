import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { shippingLeg } from '~/features/logistics/shipping-legs/resource'
import { shippingNode } from '~/features/logistics/shipping-nodes/resource'
import { TabLinks } from '~/kit/records/tab-links'

declare module '~/i18n/namespaces' {
  interface Texts {
    shippingNetwork: typeof import('~/i18n/de/shippingNetwork.json')
  }
}

/** Pages of the shipping network in the order of its tabs. */
const PAGES = {
  nodes: shippingNode.path,
  map: `${shippingNode.path}/map`,
  legs: shippingLeg.path,
  findings: `${shippingNode.path}/findings`,
} as const

/** Tabs of the shipping network: nodes, map, legs and findings. */
export function NetworkTabs() {
  const { t } = useTranslation('shippingNetwork')
  const { pathname } = useLocation()
  const tabs = (Object.keys(PAGES) as (keyof typeof PAGES)[]).map((page) => ({ path: PAGES[page], text: t(`views.${page}`) }))
  const current = tabs.findLast(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
  return (
    // keeps its height above a list that fills the page
    <Box sx={{ flexShrink: 0 }}>
      <TabLinks label={t('views.label')} tabs={tabs} current={current?.path ?? ''} />
    </Box>
  )
}
