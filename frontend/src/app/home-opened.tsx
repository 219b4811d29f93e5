import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import { recentRecords } from '~/kit/records/recent-records'
import { type Resource, viewPermissions } from '~/kit/records/resource'
import { useResourceNames } from '~/kit/records/resources'
import { Card } from '~/kit/ui/card'
import { useMe, useRights } from '~/session/me'
import { keepTenant } from '~/session/tenant'
import { resources } from './resources'

/** Card with the records that the user opened last. */
export function OpenedCard() {
  const { t } = useTranslation('home')
  const names = useResourceNames()
  const me = useMe()
  const rights = useRights()
  const { search } = useLocation()
  const list = recentRecords(me.id).flatMap((record) => {
    const resource: Resource | undefined = resources.find(({ ns }) => ns === record.ns)
    return resource && viewPermissions(resource).every((right) => rights.has(right)) ? [{ ...record, resource }] : []
  })
  return (
    <Card title={t('opened.title')}>
      {list.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t('opened.none')}
        </Typography>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5 }}>
          {list.map(({ id, ns, label, detail, search: own, resource }) => (
            <Box component="li" key={`${ns}.${id}`} sx={{ display: 'flex', gap: 1.5, alignItems: 'flex-start' }}>
              <Box
                component={resource.icon}
                size={18}
                strokeWidth={1.75}
                aria-hidden
                sx={{ mt: '2px', flexShrink: 0, color: 'text.secondary' }}
              />
              <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                <Link
                  component={RouterLink}
                  to={{ pathname: `${resource.path}/${id}`, search: own || keepTenant(search) }}
                  variant="body2"
                  underline="hover"
                  sx={{ fontWeight: 600 }}
                >
                  {label}
                </Link>
                <Typography variant="caption" color="textSecondary" component="div">
                  {detail ? `${names.one(ns)} · ${detail}` : names.one(ns)}
                </Typography>
              </Box>
            </Box>
          ))}
        </Box>
      )}
    </Card>
  )
}
