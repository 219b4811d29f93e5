import Link from '@mui/material/Link'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import { heldPrice } from '~/features/pricing/held-prices/resource'
import { useFormat } from '~/i18n/use-format'
import { Notice } from '~/kit/ui/notice'
import { keepTenant } from '~/session/tenant'
import { prices } from './api'

/** Link to the prices under review, if there are any. */
export function HeldNotice() {
  const { t } = useTranslation('prices')
  const { decimal } = useFormat()
  const { search } = useLocation()
  const count = useQuery(prices.held()).data?.meta.total ?? 0
  if (count === 0) return null
  return (
    <Notice tone="warning">
      {t('sheet.heldBack', { count, number: decimal(count) })}{' '}
      <Link component={RouterLink} to={{ pathname: heldPrice.path, search: keepTenant(search) }}>
        {t('sheet.toHeld')}
      </Link>
    </Notice>
  )
}
