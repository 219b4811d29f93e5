import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import type { Meta } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { Card } from '~/kit/ui/card'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Waiting } from '~/kit/ui/waiting'
import { type Light, LightChip } from './light-chip'

/** A cell that a narrow screen leaves out. */
export const NARROW = { display: { xs: 'none', md: 'table-cell' } } as const

interface Props<Row> {
  title: string
  /** Headers: the light and what it is about, and those that only a wide screen shows. */
  heads: readonly [string, string, ...string[]]
  query: { data: { data: Row[] } | undefined; error: unknown; isFetching: boolean; refetch: () => unknown }
  empty: ReactNode
  children: (rows: Row[]) => ReactNode
  /** Below the table. */
  foot?: ReactNode
}

/** The connections of one kind, as a table. */
export function Section<Row>({ title, heads, query, empty, children, foot }: Props<Row>) {
  const rows = query.data?.data
  return (
    <Card title={title}>
      {query.error && !rows ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} pending={query.isFetching} />
      ) : !rows ? (
        <Waiting />
      ) : rows.length === 0 ? (
        empty
      ) : (
        <>
          <Table size="small" aria-label={title} sx={{ '& td, & th': { px: 1, verticalAlign: 'top' } }}>
            <TableHead>
              <TableRow>
                {heads.map((head, at) => (
                  <TableCell key={head} {...(at > 1 && { sx: NARROW })}>
                    {head}
                  </TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>{children(rows)}</TableBody>
          </Table>
          {foot}
        </>
      )}
    </Card>
  )
}

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
  /** Further cells by their heads; a narrow screen names them below the name. */
  facts: readonly (readonly [string, string])[]
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
        <Box sx={{ display: { md: 'none' }, mt: 0.5, typography: 'caption', color: 'text.secondary' }}>
          {facts.map(([head, fact]) => `${head}: ${fact}`).join(' · ')}
        </Box>
      </TableCell>
      {facts.map(([head, fact]) => (
        <TableCell key={head} sx={NARROW}>
          {fact}
        </TableCell>
      ))}
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
