import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import type { UseQueryOptions } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, type To, useLocation } from 'react-router'
import type { UsageList } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import type { UsageViewProps } from '~/kit/ui/confirm'
import { keepTenant } from '~/session/tenant'
import { listAddress } from './link'
import { allResources, contractName, useResourceNames } from './resources'

// biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
export type UsageQuery = (id: number) => UseQueryOptions<any, any, UsageList, any>

/** Lists the records that refer to a record, each with a link, and a link to all of them. */
export function UsedBy({ id, usages, onLeave }: UsageViewProps) {
  const { t } = useTranslation('usage')
  const format = useFormat()
  const { search } = useLocation()
  const tenant = keepTenant(search)
  const names = useResourceNames()
  // records without a screen are named without a link
  const link = (to: To | undefined, text: string) =>
    to === undefined ? (
      text
    ) : (
      <Link component={RouterLink} to={to} onClick={onLeave} sx={{ overflowWrap: 'anywhere' }}>
        {text}
      </Link>
    )
  return usages.map(({ by, filter, count, examples }) => {
    const path = allResources().find((resource) => contractName(resource) === by)?.path
    const ns = by.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    const total = format.decimal(count)
    const records = names.hasName(ns)
      ? t('counted', { total, name: count === 1 ? names.one(ns) : names.many(ns) })
      : t(`records.${by as 'closures'}`, { count, total })
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
              <li key={example.id}>{link(path && { pathname: `${path}/${example.id}`, search: tenant }, example.name)}</li>
            ))}
            {count > examples.length && path && (
              <li>{link(listAddress(path, { [filter]: id }, { search: tenant }), t('all', { records }))}</li>
            )}
          </Box>
        )}
      </Box>
    )
  })
}
