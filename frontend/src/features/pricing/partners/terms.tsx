import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PartnerTerms, PriceListBecause } from '~/api/schema'
import { Value } from '~/features/pricing/price-adjustments/value'
import { PriceListStatus } from '~/features/pricing/price-lists/status-chip'
import { RecordLink } from '~/features/shared/record-link'
import { useFormat } from '~/i18n/use-format'
import { Card } from '~/kit/ui/card'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Waiting } from '~/kit/ui/waiting'
import { useConfig } from '~/session/config'
import { useCan } from '~/session/me'
import { partnerList } from './api'
import { PartnerPage } from './frame'
import { NetPrice } from './net-price'

/** Terms of a trading partner: net price, price lists, adjustments and groups, each with its reasons. */
export default function PartnerTermsPage() {
  return <PartnerPage>{(partner) => <Terms id={partner.id} />}</PartnerPage>
}

function Terms({ id }: { id: number }) {
  const { t } = useTranslation('partners')
  const seesPrices = useCan('listing.view')
  const { data, error, refetch, isFetching } = useQuery(partnerList.terms(id))
  return (
    <Box sx={{ display: 'grid', gap: 2, maxWidth: 1160 }}>
      {seesPrices && <NetPrice partner={id} />}
      {error && !data ? (
        <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      ) : !data ? (
        <Waiting />
      ) : (
        <>
          <PriceListsCard rows={data.price_lists} />
          {data.adjustments && <AdjustmentsCard rows={data.adjustments} />}
          <Card title={t('groups.title')}>
            {data.groups.length === 0 ? (
              <None>{t('groups.none')}</None>
            ) : (
              <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
                {data.groups.map((group) => (
                  <Chip key={group.id} label={group.name} />
                ))}
              </Box>
            )}
          </Card>
        </>
      )}
    </Box>
  )
}

const None = ({ children }: { children: ReactNode }) => (
  <Typography variant="body2" color="textSecondary">
    {children}
  </Typography>
)

function useReasons() {
  const { t } = useTranslation('priceLists')
  return (because: readonly PriceListBecause[]) =>
    because.map(({ code, group }) => t(`enums.because.${code}`, { group: group ?? '' })).join(' · ')
}

function PriceListsCard({ rows }: { rows: PartnerTerms['price_lists'] }) {
  const { t } = useTranslation('partners')
  const format = useFormat()
  const reasons = useReasons()
  const { time_zone: zone } = useConfig()
  const day = (iso: string) => format.dateTime(iso, zone)
  return (
    <Card title={t('lists.title')}>
      {rows.length === 0 ? (
        <None>{t('lists.none')}</None>
      ) : (
        <Rows label={t('lists.title')} heads={[t('lists.name'), t('lists.status'), t('lists.period'), t('because.label')]}>
          {rows.map(({ price_list: list, because }) => (
            <TableRow key={list.id}>
              <TableCell component="th" scope="row">
                <RecordLink record="price_list" id={list.id} name={list.name} />
                <Typography variant="caption" color="textSecondary" component="div">
                  {t('lists.prices', { count: list.price_count, shown: format.decimal(list.price_count) })}
                </Typography>
              </TableCell>
              <TableCell>
                <PriceListStatus row={list} />
              </TableCell>
              <TableCell>
                {day(list.valid_from)}
                {list.valid_until && ` – ${day(list.valid_until)}`}
              </TableCell>
              <TableCell>{reasons(because)}</TableCell>
            </TableRow>
          ))}
        </Rows>
      )}
    </Card>
  )
}

function AdjustmentsCard({ rows }: { rows: NonNullable<PartnerTerms['adjustments']> }) {
  const { t } = useTranslation('partners')
  const reasons = useReasons()
  return (
    <Card title={t('adjustments.title')}>
      {rows.length === 0 ? (
        <None>{t('adjustments.none')}</None>
      ) : (
        <Rows label={t('adjustments.title')} heads={[t('adjustments.name'), t('adjustments.value'), t('because.label')]}>
          {rows.map(({ adjustment, because }) => (
            <TableRow key={adjustment.id}>
              <TableCell component="th" scope="row">
                <RecordLink record="price_adjustment" id={adjustment.id} name={adjustment.name} />
                {adjustment.conditions && (
                  <Typography variant="caption" color="textSecondary" component="div">
                    {t('adjustments.conditions')}
                  </Typography>
                )}
              </TableCell>
              <TableCell>
                <Value adjustment={adjustment} />
              </TableCell>
              <TableCell>{reasons(because)}</TableCell>
            </TableRow>
          ))}
        </Rows>
      )}
    </Card>
  )
}

function Rows({ label, heads, children }: { label: string; heads: readonly string[]; children: ReactNode }) {
  return (
    <TableContainer>
      <Table size="small" aria-label={label} sx={{ '& td, & th': { verticalAlign: 'top' } }}>
        <TableHead>
          <TableRow>
            {heads.map((head) => (
              <TableCell key={head}>{head}</TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>{children}</TableBody>
      </Table>
    </TableContainer>
  )
}
