import Box from '@mui/material/Box'
import MuiBreadcrumbs from '@mui/material/Breadcrumbs'
import Link from '@mui/material/Link'
import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import { keepTenant } from '~/session/tenant'
import { useNames } from '../resource/resources'
import { useCrumbs } from './crumbs'
import { currentItem, type MenuGroup } from './menu'

/** Start, group, area: built from the menu and the path; below them what the page adds. */
export function Breadcrumbs({ groups }: { groups: readonly MenuGroup[] }) {
  const { t } = useTranslation('shell')
  const names = useNames()
  const { pathname, search } = useLocation()
  const found = currentItem(groups, pathname)
  const below = useCrumbs()
  if (!found) return <Box sx={{ height: 12, flexShrink: 0 }} />
  return (
    <MuiBreadcrumbs
      aria-label={t('breadcrumbs')}
      separator={<ChevronRight size={14} aria-hidden />}
      sx={{ px: { xs: 2, md: 3, lg: 4 }, pt: 2, fontSize: '0.8125rem', flexShrink: 0, '& .MuiBreadcrumbs-separator': { mx: 0.75 } }}
    >
      <Link component={RouterLink} to={{ pathname: '/home', search: keepTenant(search) }} color="textSecondary" underline="hover">
        {t('start')}
      </Link>
      <span>{t(`groups.${found.group.id}`)}</span>
      {[{ path: found.item.path, text: names.many(found.item.id) }, ...below].map(({ path, text }) => (
        <Link
          key={path}
          component={RouterLink}
          to={{ pathname: path, search: keepTenant(search) }}
          color="textPrimary"
          underline="hover"
          aria-current={pathname === path ? 'page' : undefined}
        >
          {text}
        </Link>
      ))}
    </MuiBreadcrumbs>
  )
}
