import Link from '@mui/material/Link'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import { viewPermissions } from '~/kit/records/resource'
import { allResources } from '~/kit/records/resources'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { cachedMe, rightsOf } from '~/session/me'
import { keepTenant } from '~/session/tenant'

interface Props {
  /** Kind of record, as the history names it. */
  record: 'article' | 'sample_cart'
  id: number
  name: string
}

/** Link to a record for users who may view it; opens in a new tab, so that the pending change stays. */
export function NewTabLink({ record, id, name }: Props) {
  const { t } = useTranslation('priceImpact')
  const { search } = useLocation()
  // dialogs of the whole application are rendered outside of the user's context
  const me = cachedMe()
  const resource = allResources().find((one) => one.record === record)
  const rights = me && rightsOf(me)
  if (!resource || !rights || !viewPermissions(resource).every((right) => rights.has(right))) return name
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
