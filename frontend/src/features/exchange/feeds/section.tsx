import Link from '@mui/material/Link'
import TableCell from '@mui/material/TableCell'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import type { Meta } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { type Fact, NarrowFacts, WideFacts } from '~/kit/ui/table-card'
import { type Light, LightChip } from './light-chip'

interface RowProps {
  light: Light
  path: string
  name: string
  /** Tenant of the connection; false unless the board shows all tenants. */
  tenant: { id: number; short_code: string } | false
  /** Reason for a light that is not good. */
  failure: string | null
  /** Further lines below the name. */
  children?: ReactNode
  facts: readonly Fact[]
}

/** Row for a connection: its light, its name with the problem, and facts about it. */
export function ConnectionRow({ light, path, name, tenant, failure, children, facts }: RowProps) {
  return (
    <TableRow>
      <TableCell>
        <LightChip light={light} />
      </TableCell>
      <TableCell sx={{ overflowWrap: 'anywhere' }}>
        <PageLink path={path} {...(tenant && { tenant: tenant.id })}>
          {name}
        </PageLink>
        {tenant && <Typography variant="body2">{tenant.short_code}</Typography>}
        {failure && (
          <Typography variant="body2" color="error">
            {failure}
          </Typography>
        )}
        {children}
        <NarrowFacts facts={facts} />
      </TableCell>
      <WideFacts facts={facts} />
    </TableRow>
  )
}

/** Says that there is no connection of this kind yet and links to where one is configured. */
export function EmptySection({ title, children, action }: { title: string; children: string; action: ReactNode }) {
  return (
    <>
      <Typography variant="body2" sx={{ fontWeight: 600 }}>
        {title}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: action ? 1 : 0 }}>
        {children}
      </Typography>
      {action}
    </>
  )
}

/** Says how many of all connections are shown, if some are missing. */
export function ShownCount({ page }: { page: { data: readonly unknown[]; meta: Meta } | undefined }) {
  const { t } = useTranslation('feeds')
  const { decimal } = useFormat()
  if (!page || page.meta.total <= page.data.length) return null
  return (
    <Typography variant="caption" color="textSecondary" component="p" sx={{ mt: 1 }}>
      {t('firstOf', { shown: decimal(page.data.length), total: decimal(page.meta.total) })}
    </Typography>
  )
}

/** Link to a page of a tenant; without the tenant's id for users who belong to it. */
export function PageLink({ path, tenant, children }: { path: string; tenant?: number; children: ReactNode }) {
  const search = tenant === undefined ? '' : `?tenantId=${tenant}`
  return (
    <Link component={RouterLink} to={{ pathname: path, search }} sx={{ overflowWrap: 'anywhere' }}>
      {children}
    </Link>
  )
}
