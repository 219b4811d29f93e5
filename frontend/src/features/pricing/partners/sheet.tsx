import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { FileSpreadsheet, FileText, Printer } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Partner } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useFormat } from '~/i18n/use-format'
import type { ExportFormat } from '~/kit/table/exporter'
import { BusyButton } from '~/kit/ui/busy-button'
import { EmptyState } from '~/kit/ui/empty-state'
import { useErrorText } from '~/kit/ui/error-text'
import { LoadFailed } from '~/kit/ui/load-failed'
import { notify } from '~/kit/ui/snackbar'
import { Waiting } from '~/kit/ui/waiting'
import { formatDecimal } from '~/lib/decimal'
import { useConfig } from '~/session/config'
import { partnerList } from './api'
import { PartnerPage } from './frame'
import { partners } from './screen'

/** Price sheet of a partner: on screen, in print, and as a file. */
export default function PartnerSheet() {
  return <PartnerPage actions={(partner) => <Actions id={partner.id} />}>{(partner) => <Sheet partner={partner} />}</PartnerPage>
}

function Actions({ id }: { id: number }) {
  const { t } = useTranslation('partners')
  const text = useErrorText()
  const [busy, setBusy] = useState<ExportFormat | null>(null)
  async function save(format: ExportFormat) {
    setBusy(format)
    await partnerList.saveSheet(id, format).catch((error: unknown) => notify.error(text(error)))
    setBusy(null)
  }
  return (
    <>
      <Button variant="outlined" startIcon={<Printer size={16} aria-hidden />} onClick={() => window.print()}>
        {t('sheet.print')}
      </Button>
      <BusyButton variant="outlined" busy={busy === 'csv'} startIcon={<FileText size={16} aria-hidden />} onClick={() => void save('csv')}>
        {t('sheet.csv')}
      </BusyButton>
      <BusyButton
        variant="contained"
        busy={busy === 'xlsx'}
        startIcon={<FileSpreadsheet size={16} aria-hidden />}
        onClick={() => void save('xlsx')}
      >
        {t('sheet.xlsx')}
      </BusyButton>
    </>
  )
}

function Sheet({ partner }: { partner: Partner }) {
  const { t } = useTranslation('partners')
  const format = useFormat()
  const symbol = useUnitSymbols()
  const { time_zone: zone } = useConfig()
  const { data, error, refetch, isFetching } = useQuery(partnerList.sheet(partner.id))
  if (error && !data) return <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
  if (!data) return <Waiting />
  if (data.lines.length === 0) return <EmptyState icon={partners.icon} title={t('sheet.none')} />
  const title = t('sheet.title', { company: partner.company })
  return (
    <Box sx={{ maxWidth: 1160 }}>
      <Typography variant="h2">{title}</Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 2 }}>
        {t('sheet.at', { at: format.dateTime(data.at, zone) })}
      </Typography>
      {data.count > data.lines.length && (
        <Typography variant="body2" role="status" sx={{ mb: 2 }}>
          {t('sheet.more', { shown: format.decimal(data.lines.length), count: data.count })}
        </Typography>
      )}
      <TableContainer tabIndex={0} role="region" aria-label={title} sx={{ border: 1, borderColor: 'divider', borderRadius: 1 }}>
        <Table size="small" aria-label={title}>
          <TableHead>
            <TableRow>
              <TableCell>{t('fields.article_number')}</TableCell>
              <TableCell>{t('fields.article_name')}</TableCell>
              <TableCell align="right">{t('fields.quantity')}</TableCell>
              <TableCell align="right">{t('fields.price')}</TableCell>
              <TableCell>{t('fields.price_unit')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {data.lines.map((line) => (
              <TableRow key={`${line.article_id} ${line.quantity} ${line.unit}`}>
                <TableCell component="th" scope="row">
                  {line.article_number}
                </TableCell>
                <TableCell>{line.article_name}</TableCell>
                <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                  {`${format.decimal(line.quantity)}\u00a0${symbol(line.unit)}`}
                </TableCell>
                <TableCell align="right">{formatDecimal(line.price, format.lang, 2, true, 2)}</TableCell>
                <TableCell>{symbol(line.price_unit)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </TableContainer>
    </Box>
  )
}
