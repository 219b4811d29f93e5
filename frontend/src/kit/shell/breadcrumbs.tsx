import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import { useCrumbs } from '~/kit/ui/crumbs'
import { keepTenant } from '~/session/tenant'
import { currentItem, type MenuGroup, useItemName } from './menu'

/** Height of a line; large enough that links in two lines can be tapped. */
const LINE = { display: 'flex', alignItems: 'center', minHeight: 24, minWidth: 0 }

/** Breadcrumbs: start, group and area from menu and path, then the crumbs of the page. */
export function Breadcrumbs({ groups }: { groups: readonly MenuGroup[] }) {
  const { t } = useTranslation('shell')
  const nameOf = useItemName()
  const { pathname, search } = useLocation()
  const current = currentItem(groups, pathname)
  const below = useCrumbs()
  if (!current) return <Box sx={{ height: 12, flexShrink: 0 }} />
  return (
    <Typography
      component="nav"
      aria-label={t('breadcrumbs')}
      data-print="none"
      color="textSecondary"
      sx={{ px: { xs: 2, md: 3, lg: 4 }, pt: 2, fontSize: '0.8125rem', flexShrink: 0 }}
    >
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', display: 'flex', flexWrap: 'wrap', '& li': LINE }}>
        <li>
          <Link component={RouterLink} to={{ pathname: '/home', search: keepTenant(search) }} color="textSecondary" underline="hover">
            {t('start')}
          </Link>
        </li>
        <CrumbItem>{t(`groups.${current.group.id}`)}</CrumbItem>
        {[{ path: current.item.path, text: nameOf(current.item) }, ...below].map(({ path, text }) => (
          <CrumbItem key={path}>
            <Link
              component={RouterLink}
              to={{ pathname: path, search: keepTenant(search) }}
              color="textPrimary"
              underline="hover"
              aria-current={pathname === path ? 'page' : undefined}
            >
              {text}
            </Link>
          </CrumbItem>
        ))}
      </Box>
    </Typography>
  )
}

function CrumbItem({ children }: { children: ReactNode }) {
  return (
    <li>
      <Box component={ChevronRight} size={14} aria-hidden sx={{ mx: 0.75, flexShrink: 0 }} />
      {children}
    </li>
  )
}
