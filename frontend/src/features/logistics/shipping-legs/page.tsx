import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { ArrowRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import type { ShippingLeg } from '~/api/schema'
import { useNetworkPaths } from '~/features/logistics/shared/use-network-paths'
import { RecordPage } from '~/kit/records/record-page'
import { shippingLegs } from './api'
import { shippingLeg } from './resource'

/** Both nodes of a leg, each with its link. */
function Nodes({ row: { sending_node, receiving_node } }: { row: ShippingLeg }) {
  const { t } = useTranslation('shippingLegs')
  const paths = useNetworkPaths()
  return (
    <Box component="span" sx={{ typography: 'body2' }}>
      <Link component={RouterLink} to={paths.node(sending_node.id)}>
        {sending_node.name}
      </Link>
      <Box component={ArrowRight} size={14} aria-label={t('directions.to')} role="img" sx={{ mx: 0.75, verticalAlign: '-2px' }} />
      <Link component={RouterLink} to={paths.node(receiving_node.id)}>
        {receiving_node.name}
      </Link>
    </Box>
  )
}

export default function ShippingLegPage() {
  return <RecordPage resource={shippingLeg} api={shippingLegs} state={(row) => <Nodes row={row} />} />
}
