import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { PriceList, PriceListBecause } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { useRecordPage } from '~/kit/records/record-page-context'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Notice } from '~/kit/ui/notice'
import { Waiting } from '~/kit/ui/waiting'
import { priceLists } from './api'

/** Tenants that a list currently applies to, with reasons. */
export default function PriceListAudience() {
  const { t } = useTranslation('priceLists')
  const { decimal } = useFormat()
  const { row } = useRecordPage<PriceList>()
  const query = useQuery({ ...priceLists.audience(row.id), enabled: row.own })
  if (!row.own) return <Notice tone="info">{t('audience.foreign')}</Notice>
  if (query.error) return <LoadFailed error={query.error} retry={() => void query.refetch()} pending={query.isFetching} />
  if (!query.data) return <Waiting />
  const { count, tenants, excluded_tenants: excluded } = query.data
  const reason = ({ code, group }: PriceListBecause) => t(`enums.because.${code}`, { group: group ?? '' })
  return (
    <>
      <Typography sx={{ mb: 2 }}>
        {row.scope === 'global'
          ? t('audience.global', { count, number: decimal(count) })
          : t('audience.own', { count, number: decimal(count) })}
        {row.type === 'internal' && ` ${t('audience.internal')}`}
      </Typography>
      {excluded.length > 0 && (
        <Typography sx={{ mb: 2 }}>{t('audience.except', { companies: excluded.map(({ company }) => company).join(', ') })}</Typography>
      )}
      {tenants.length > 0 && (
        <TableContainer sx={{ border: 1, borderColor: 'divider', borderRadius: 1, maxWidth: 760 }}>
          <Table size="small" aria-label={t('tabs.audience')}>
            <TableHead>
              <TableRow>
                <TableCell>{t('audience.tenant')}</TableCell>
                <TableCell>{t('audience.because')}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {tenants.map(({ id, company, because }) => (
                <TableRow key={id}>
                  <TableCell component="th" scope="row">
                    {company}
                  </TableCell>
                  <TableCell>{because.map(reason).join(' · ')}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      )}
    </>
  )
}
