import Link from '@mui/material/Link'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import { seenBy } from '~/kit/records/resource'
import { allResources } from '~/kit/records/resources'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { cachedMe, rightsOf } from '~/session/me'
import { keepTenant } from '~/session/tenant'

interface Props {
  /** What the history calls it. */
  record: 'article' | 'sample_cart'
  id: number
  name: string
}

/** A record for who may see it, in a tab of its own, so that what is about to be saved stays. */
export function ApartLink({ record, id, name }: Props) {
  const { t } = useTranslation('priceImpact')
  const { search } = useLocation()
  // a question of the whole application is asked outside of what knows the user
  const me = cachedMe()
  const resource = allResources().find((one) => one.record === record)
  const rights = me && rightsOf(me)
  if (!resource || !rights || !seenBy(resource).every((right) => rights.has(right))) return name
  return (
    <Link
      component={RouterLink}
      to={{ pathname: `${resource.path}/${id}`, search: keepTenant(search) }}
      target="_blank"
      rel="noopener"
      sx={{ overflowWrap: 'anywhere' }}
    >
      {name} <span style={visuallyHidden}>{t('newTab')}</span>
    </Link>
  )
}
