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
  /** The tenant, on the board of all tenants. */
  tenant: { id: number; short_code: string } | false
  /** The reason for a light that is not good. */
  failure: string | null
  /** Further lines below the name. */
  children?: ReactNode
  facts: readonly Fact[]
}

/** A connection: its light, its name with what is wrong, and facts about it. */
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

/** Says that there is no connection of a kind yet, and leads to where one is set up. */
export function NoneYet({ title, children, action }: { title: string; children: string; action: ReactNode }) {
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

/** Says how many of all connections are shown, where that is not all of them. */
export function ShownOf({ page }: { page: { data: readonly unknown[]; meta: Meta } | undefined }) {
  const { t } = useTranslation('feeds')
  const { decimal } = useFormat()
  if (!page || page.meta.total <= page.data.length) return null
  return (
    <Typography variant="caption" color="textSecondary" component="p" sx={{ mt: 1 }}>
      {t('firstOf', { shown: decimal(page.data.length), total: decimal(page.meta.total) })}
    </Typography>
  )
}

/** A link to a page of a tenant; for users of that tenant without its id. */
export function PageLink({ path, tenant, children }: { path: string; tenant?: number; children: ReactNode }) {
  const search = tenant === undefined ? '' : `?tenantId=${tenant}`
  return (
    <Link component={RouterLink} to={{ pathname: path, search }} sx={{ overflowWrap: 'anywhere' }}>
      {children}
    </Link>
  )
}
