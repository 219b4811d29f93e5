import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, type To } from 'react-router'
import { type ShippingFinding, shippingFindingTypeValues } from '~/api/schema'
import { NetworkTabs } from '~/features/logistics/shared/network-tabs'
import { useNetworkPaths } from '~/features/logistics/shared/use-network-paths'
import { formatDepartures } from '~/features/shared/departure-text'
import { useFormat } from '~/i18n/use-format'
import { Card } from '~/kit/ui/card'
import { usePageCrumbs } from '~/kit/ui/crumbs'
import { EmptyState } from '~/kit/ui/empty-state'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Page } from '~/kit/ui/page'
import { Waiting } from '~/kit/ui/waiting'
import { shippingNodes } from './api'
import { shippingNode } from './resource'

/** Findings of the network check by type, each with a link to where it can be fixed. */
export default function ShippingFindings() {
  const { t } = useTranslation('shippingNetwork')
  const { data, error, refetch, isFetching } = useQuery(shippingNodes.findings())
  usePageCrumbs([{ path: `${shippingNode.path}/findings`, text: t('views.findings') }])
  const groups = shippingFindingTypeValues
    .map((type) => ({ type, rows: (data?.data ?? []).filter((finding) => finding.type === type) }))
    .filter(({ rows }) => rows.length > 0)
  return (
    <Page title={t('views.findings')} intro={t('findings.intro')}>
      <NetworkTabs />
      {error && !data ? (
        <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      ) : !data ? (
        <Waiting />
      ) : groups.length === 0 ? (
        <EmptyState icon={CircleCheck} title={t('findings.none.title')}>
          {t('findings.none.body')}
        </EmptyState>
      ) : (
        <Box sx={{ display: 'grid', gap: 2, maxWidth: 1100 }}>
          {groups.map(({ type, rows }) => (
            <FindingsCard key={type} type={type} rows={rows} />
          ))}
        </Box>
      )}
    </Page>
  )
}

function FindingsCard({ type, rows }: { type: ShippingFinding['type']; rows: readonly ShippingFinding[] }) {
  const { t } = useTranslation('shippingNetwork')
  const paths = useNetworkPaths()
  const title = `${t(`findings.types.${type}.title`)} (${rows.length})`
  return (
    <Card title={title} intro={t(`findings.types.${type}.advice`)}>
      <Table size="small" aria-label={title} sx={{ '& td, & th': { px: 1, verticalAlign: 'top' } }}>
        <TableHead>
          <TableRow>
            <TableCell sx={{ width: { xs: '45%', sm: '40%' } }}>{t('findings.where')}</TableCell>
            <TableCell>{t('findings.what')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((finding) => (
            <TableRow key={JSON.stringify(finding)}>
              <TableCell sx={{ overflowWrap: 'anywhere' }}>
                {finding.node && <RecordLink to={paths.node(finding.node.id)} name={finding.node.name} />}
                {finding.leg && <RecordLink to={paths.leg(finding.leg.id)} name={finding.leg.name} />}
                {finding.other_leg && (
                  <Box sx={{ mt: 0.5 }}>
                    <RecordLink to={paths.leg(finding.other_leg.id)} name={finding.other_leg.name} />
                  </Box>
                )}
              </TableCell>
              <TableCell>
                <FindingText finding={finding} />
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Card>
  )
}

const RecordLink = ({ to, name }: { to: To; name: string }) => (
  <Link component={RouterLink} to={to}>
    {name}
  </Link>
)

function FindingText({ finding: { type, departure, hours, country } }: { finding: ShippingFinding }) {
  const { t } = useTranslation('shippingNetwork')
  const { lang, decimal } = useFormat()
  return t(`findings.types.${type}.text`, {
    departure: departure && formatDepartures([departure], lang),
    hours: hours !== null && decimal(hours),
    country: country && new Intl.DisplayNames(lang, { type: 'region' }).of(country),
  })
}
