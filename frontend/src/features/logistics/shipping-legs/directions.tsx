import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import type { ShippingLeg } from '~/api/schema'
import { useNetworkPaths } from '~/features/logistics/shared/use-network-paths'
import { shippingNodes } from '~/features/logistics/shipping-nodes/api'
import { shippingNodeRef } from '~/features/logistics/shipping-nodes/ref'
import { CheckField } from '~/kit/form/fields'
import { RefText } from '~/kit/form/ref-text'
import type { ShippingLegBody, ShippingLegForm } from './schema'

const FRAME = { taken: 'warning.main', free: 'divider' }

interface Props {
  control: Control<ShippingLegForm, unknown, ShippingLegBody>
}

/** Legs that will be created, and those of them that exist already. */
export function Directions({ control }: Props) {
  const { t } = useTranslation('shippingLegs')
  const [sender, receiver, isBoth] = useWatch({ control, name: ['sending_node_id', 'receiving_node_id', 'both_directions'] })
  const hasBothNodes = sender !== null && receiver !== null && sender !== receiver
  const { data } = useQuery({ ...shippingNodes.legs(sender ?? 0), enabled: hasBothNodes })
  const find = (from: number, to: number) => data?.data.find((leg) => leg.sending_node.id === from && leg.receiving_node.id === to)
  const [outboundLeg, returnLeg] = hasBothNodes ? [find(sender, receiver), find(receiver, sender)] : []
  // nothing is left to be created
  const isTaken = outboundLeg !== undefined && (!isBoth || returnLeg !== undefined)
  return (
    <Box>
      <CheckField control={control} name="both_directions" />
      {hasBothNodes && data && (outboundLeg || isBoth) && (
        <Box role="status" sx={{ mt: 1, px: 2, py: 1.25, border: 1, borderColor: FRAME[isTaken ? 'taken' : 'free'], borderRadius: 1 }}>
          <Box
            component="ul"
            aria-label={t('directions.label')}
            sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 0.5, typography: 'body2' }}
          >
            <Direction from={sender} to={receiver} existing={outboundLeg} />
            {isBoth && <Direction from={receiver} to={sender} existing={returnLeg} />}
          </Box>
        </Box>
      )}
    </Box>
  )
}

function Direction({ from, to, existing }: { from: number; to: number; existing: ShippingLeg | undefined }) {
  const { t } = useTranslation('shippingLegs')
  const paths = useNetworkPaths()
  return (
    <li>
      <RefText source={shippingNodeRef} id={from} />
      <Box component={ArrowRight} size={14} aria-label={t('directions.to')} role="img" sx={{ mx: 0.75, verticalAlign: '-2px' }} />
      <RefText source={shippingNodeRef} id={to} />
      {': '}
      {existing ? (
        <Link component={RouterLink} to={paths.leg(existing.id)}>
          {t('directions.existing')}
        </Link>
      ) : (
        t('directions.created')
      )}
    </li>
  )
}
