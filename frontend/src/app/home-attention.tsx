import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, type To, useLocation } from 'react-router'
import { $api } from '~/api/client'
import type { Attention, Concern } from '~/api/schema'
import { externalApisItem } from '~/features/exchange/external-apis/screen'
import { feedsItem } from '~/features/exchange/feeds/screen'
import { importing } from '~/features/exchange/imports/resource'
import { unresolvedNumber } from '~/features/exchange/unresolved-numbers/resource'
import { webhook } from '~/features/exchange/webhooks/resource'
import { token } from '~/features/identity/tokens/resource'
import { user } from '~/features/identity/users/resource'
import { shippingNode } from '~/features/logistics/shipping-nodes/resource'
import { stock } from '~/features/logistics/stocks/resource'
import { heldPrice } from '~/features/pricing/held-prices/resource'
import { price } from '~/features/pricing/prices/resource'
import { sampleCart } from '~/features/pricing/sample-carts/resource'
import { surchargeTable } from '~/features/pricing/surcharge-tables/resource'
import { useFormat } from '~/i18n/use-format'
import type { ListPath } from '~/kit/records/contract'
import { type FiltersOf, linkTo } from '~/kit/records/link'
import type { Resource } from '~/kit/records/resource'
import { ATTENTION_MAX } from '~/kit/shell/menu'
import { Card } from '~/kit/ui/card'
import { LoadFailed } from '~/kit/ui/load-failed'
import { addDays, today } from '~/lib/days'
import { keepTenant, useTenant } from '~/session/tenant'

const day = (days: number) => addDays(today(), days)

interface Destination {
  list: Pick<Resource, 'path' | 'icon'>
  /** Address of the list with the counted records. */
  to: (search: string) => To
}

const place = <P extends ListPath>(
  list: Pick<Resource, 'path' | 'icon'> & { apiPath: P },
  filters: () => FiltersOf<P> = () => ({}),
  sort?: string,
): Destination => ({ list, to: (search) => linkTo(list, filters(), { search, ...(sort && { sort }) }) })

/** List for each kind of counted records. */
const WHERE: Record<Concern, Destination> = {
  failed_imports: place(importing, () => ({ status: 'Failed', updated_at: { gte: day(-7) } })),
  partial_imports: place(importing, () => ({ status: 'PartialSuccess', updated_at: { gte: day(-7) } })),
  held_prices: place(heldPrice),
  changed_sample_carts: place(sampleCart),
  open_numbers: place(unresolvedNumber, () => ({ state: 'open', times: { gt: 0 } })),
  old_stocks: place(stock, () => ({ known_at: { lte: day(-30) } })),
  old_prices: place(price, () => ({ priced: true, updated_at: { lte: day(-30) } })),
  surcharges_missing: place(surchargeTable),
  expiring_tokens: place(token, () => ({ expires_at: { gte: day(0), lte: day(14) } }), 'expires_at'),
  expired_invitations: place(user, () => ({ status: 'InvitationExpired' })),
  troubled_webhooks: { list: webhook, to: (search) => ({ pathname: feedsItem.path, search }) },
  troubled_external_apis: { list: externalApisItem, to: (search) => ({ pathname: feedsItem.path, search }) },
  troubled_feeds: { list: feedsItem, to: (search) => ({ pathname: feedsItem.path, search }) },
  shipping_findings: { list: shippingNode, to: (search) => ({ pathname: `${shippingNode.path}/findings`, search }) },
}

export const attentionOptions = () => $api.queryOptions('get', '/api/admin/attention', {})

/**
 * Card with everything that needs the user's attention; each line links to the list of the records it
 * counts.
 */
export function AttentionCard() {
  const { t } = useTranslation('home')
  const { tenantId } = useTenant()
  const { data, error, refetch } = useQuery(attentionOptions())
  const open = data?.data.filter(({ count }) => count > 0)
  return (
    <Card title={t('attention.title')}>
      {error && !open ? (
        <LoadFailed error={error} retry={() => void refetch()} />
      ) : !open ? (
        <Skeleton height={56} />
      ) : open.length === 0 ? (
        <Typography variant="body2" color="textSecondary" sx={{ display: 'flex', gap: 1.5 }}>
          <Box component={CircleCheck} size={18} strokeWidth={1.75} aria-hidden sx={{ flexShrink: 0, mt: '2px', color: 'success.main' }} />
          {t('attention.none')}
        </Typography>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5 }}>
          {open.map((attention) => (
            <Line key={attention.about} {...attention} />
          ))}
        </Box>
      )}
      {tenantId === null && (
        <Typography variant="caption" color="textSecondary" component="p" sx={{ mt: 2 }}>
          {t('attention.chooseTenant')}
        </Typography>
      )}
    </Card>
  )
}

function Line({ about, count }: Attention) {
  const { t } = useTranslation('home')
  const format = useFormat()
  const { search } = useLocation()
  const { list, to } = WHERE[about]
  const countText = format.decimal(count) + (count >= ATTENTION_MAX ? '+' : '')
  return (
    <Box component="li" sx={{ display: 'flex', gap: 1.5, alignItems: 'flex-start' }}>
      <Box component={list.icon} size={18} strokeWidth={1.75} aria-hidden sx={{ mt: '2px', flexShrink: 0, color: 'warning.main' }} />
      <Link
        component={RouterLink}
        to={to(keepTenant(search))}
        variant="body2"
        underline="hover"
        sx={{ fontWeight: 600, minWidth: 0, overflowWrap: 'anywhere' }}
      >
        {t(`attention.${about}`, { count, shown: countText })}
      </Link>
    </Box>
  )
}
