import Link from '@mui/material/Link'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import { sampleCartsApi } from '~/features/pricing/sample-carts/ref'
import { sampleCart } from '~/features/pricing/sample-carts/resource'
import { useEuro } from '~/features/shared/money/use-euro'
import { Notice } from '~/kit/ui/notice'
import { keepTenant } from '~/session/tenant'

/** Sample cart that this cart was opened from, with its expected total. */
export default function OpenedCart({ id }: { id: number }) {
  const { t } = useTranslation('sampleCarts')
  const euro = useEuro()
  const { search } = useLocation()
  const { data } = useQuery(sampleCartsApi.one(id))
  if (!data) return null
  return (
    <Notice tone="info">
      {t('title.one')}{' '}
      <Link component={RouterLink} to={{ pathname: `${sampleCart.path}/${id}`, search: keepTenant(search) }}>
        {data.name}
      </Link>
      {data.expected_total !== null && ` · ${t('fields.expected_total')}: ${euro(data.expected_total)}`}
    </Notice>
  )
}
