import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { ShippingLeg, ShippingNode } from '~/api/schema'
import { useNetworkPaths } from '~/features/logistics/shared/use-network-paths'
import { DepartureSummary } from '~/features/logistics/shipping-legs/departure-summary'
import { PhaseBar } from '~/features/logistics/shipping-legs/phase-bar'
import { shippingLeg } from '~/features/logistics/shipping-legs/resource'
import { newLegFrom } from '~/features/logistics/shipping-legs/sender'
import { Timetable } from '~/features/logistics/shipping-legs/timetable'
import { useRecordPage } from '~/kit/records/record-page-context'
import { useAllowedOperations } from '~/kit/records/resources'
import { Card } from '~/kit/ui/card'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Waiting } from '~/kit/ui/waiting'
import { keepTenant } from '~/session/tenant'
import { shippingNodes } from './api'

interface Props {
  /** End of the legs that is not the node of the page. */
  other: 'sending_node' | 'receiving_node'
}

/** Legs of a node, each with its phases and departures. */
export function LegCards({ other }: Props) {
  const { t } = useTranslation('shippingNodes')
  const { row } = useRecordPage<ShippingNode>()
  const may = useAllowedOperations(shippingLeg)
  const { search } = useLocation()
  const { data, error, refetch, isFetching } = useQuery(shippingNodes.legs(row.id))
  if (!data) return error ? <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} /> : <Waiting />

  const legs = data.data.filter((leg) => leg[other].id !== row.id)
  const isOutgoing = other === 'receiving_node'
  return (
    <Stack spacing={2}>
      <Stack direction="row" useFlexGap sx={{ alignItems: 'center', flexWrap: 'wrap', gap: 1 }}>
        <Typography color="textSecondary" sx={{ flex: 1, minWidth: '14rem' }}>
          {t(isOutgoing ? 'legs.outgoing' : 'legs.incoming', { count: legs.length, name: row.name })}
        </Typography>
        {isOutgoing && may.create && (
          <Button component={RouterLink} to={newLegFrom(row.id, keepTenant(search))} variant="contained" startIcon={<Plus size={18} />}>
            {t('legs.new')}
          </Button>
        )}
      </Stack>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { lg: 'repeat(2, minmax(0, 1fr))' }, alignItems: 'start' }}>
        {legs.map((leg) => (
          <LegCard key={leg.id} leg={leg} other={other} />
        ))}
      </Box>
    </Stack>
  )
}

function LegCard({ leg, other }: Props & { leg: ShippingLeg }) {
  const { t } = useTranslation('shippingNodes')
  const paths = useNetworkPaths()
  const node = leg[other]
  const title = shippingLeg.title(leg)
  return (
    <Card
      title={title}
      action={
        <Button component={RouterLink} to={paths.leg(leg.id)} aria-label={t('legs.open', { leg: title })} size="small">
          {t('legs.details')}
        </Button>
      }
    >
      <Stack spacing={2}>
        <Typography variant="body2">
          {t(other === 'receiving_node' ? 'legs.to' : 'legs.from')}{' '}
          <Link component={RouterLink} to={paths.node(node.id)}>
            {node.name}
          </Link>
        </Typography>
        <PhaseBar durations={leg} />
        {leg.departure_times.length > 0 ? (
          <Timetable label={t('legs.departures', { leg: title })} times={leg.departure_times} />
        ) : (
          <span>
            <DepartureSummary departures={[]} />
          </span>
        )}
      </Stack>
    </Card>
  )
}
