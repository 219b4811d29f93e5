import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import type { UseQueryOptions } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { Resource, Usage, UsageList } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { keepTenant } from '~/session/tenant'

// biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
export type UsageQuery = (id: number) => UseQueryOptions<any, any, UsageList, any>

/** Where the records of a resource are found. */
const PATHS: Record<Resource, string> = {
  articles: '/articles',
  article_types: '/articleTypes',
  categories: '/categories',
  closures: '/warehouses',
  imports: '/imports',
  matchings: '/matchings',
  roles: '/roles',
  tenants: '/tenants',
  users: '/users',
  warehouses: '/warehouses',
}

interface Props {
  /** The record that is used. */
  id: number
  usages: readonly Usage[]
  onLeave?: () => void
}

/** What refers to a record, each with its link, and a link to all of it. */
export function UsedBy({ id, usages, onLeave }: Props) {
  const { t } = useTranslation('usage')
  const format = useFormat()
  const { search } = useLocation()
  const tenant = keepTenant(search)
  const link = (to: { pathname: string; search: string }, text: string) => (
    <Link component={RouterLink} to={to} onClick={onLeave} sx={{ overflowWrap: 'anywhere' }}>
      {text}
    </Link>
  )
  return usages.map(({ by, filter, count, examples }) => {
    const records = t(`records.${by}`, { count, total: format.decimal(count) })
    const all = new URLSearchParams(tenant)
    all.set(`f.${filter}`, String(id))
    return (
      <Box key={`${by} ${filter}`} sx={{ '& + &': { mt: 2 } }}>
        <Typography variant="subtitle2" component="h3" gutterBottom>
          {records}
        </Typography>
        {examples.length === 0 ? (
          <Typography variant="body2" color="textSecondary">
            {t('hidden')}
          </Typography>
        ) : (
          <Box component="ul" sx={{ m: 0, pl: 2.5, typography: 'body2', '& li': { py: 0.375 } }}>
            {examples.map((example) => (
              <li key={example.id}>{link({ pathname: `${PATHS[by]}/${example.id}`, search: tenant }, example.name)}</li>
            ))}
            {count > examples.length && <li>{link({ pathname: PATHS[by], search: `?${all}` }, t('all', { records }))}</li>}
          </Box>
        )}
      </Box>
    )
  })
}
