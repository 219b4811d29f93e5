import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { useTranslation } from 'react-i18next'
import type { PriceOverTimeStep } from '~/api/schema'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { RecordLink } from '~/features/shared/record-link'
import { useFormat } from '~/i18n/use-format'
import { formatDateTime } from '~/lib/dates'
import { useAmounts } from './result'

interface Props {
  steps: readonly PriceOverTimeStep[]
  now: number
  zone: string
  /** Start of the step that is explained. */
  chosen: string | null
  onChoose: (moment: number) => void
}

/** Same data as the chart, as a table. */
export function OverTimeTable({ steps, now, zone, chosen, onChoose }: Props) {
  const { t } = useTranslation('priceOverTime')
  return (
    // the surrounding card is already the landmark
    <TableContainer tabIndex={0} aria-label={t('table')} role="group" sx={{ maxHeight: 480 }}>
      <Table size="small" stickyHeader aria-label={t('table')} sx={{ '& td, & th': { verticalAlign: 'top' } }}>
        <TableHead>
          <TableRow>
            <TableCell>{t('heads.from')}</TableCell>
            <TableCell>{t('heads.until')}</TableCell>
            <TableCell align="right">{t('heads.price')}</TableCell>
            <TableCell align="right">{t('heads.each')}</TableCell>
            <TableCell>{t('heads.source')}</TableCell>
            <TableCell>{t('heads.overlaps')}</TableCell>
            <TableCell>{t('heads.why')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {steps.map((step) => (
            <Row key={step.from} step={step} now={now} zone={zone} chosen={step.from === chosen} onChoose={onChoose} />
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  )
}

/** Minimum width that keeps a date on one line. */
const DATE = { minWidth: 112 }

function Row({ step, now, zone, chosen, onChoose }: Omit<Props, 'steps' | 'chosen'> & { step: PriceOverTimeStep; chosen: boolean }) {
  const { t } = useTranslation('priceOverTime')
  const { lang } = useFormat()
  const money = useMoneyText()
  const { euro } = useAmounts()
  const [from, until] = [Date.parse(step.from), Date.parse(step.until)]
  const when = formatDateTime(step.from, lang, zone)
  const number = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' } as const
  return (
    <TableRow selected={chosen}>
      <TableCell component="th" scope="row" sx={DATE}>
        {when} {from <= now && now < until && <Chip size="small" color="primary" label={t('now')} />}
      </TableCell>
      <TableCell sx={DATE}>{formatDateTime(step.until, lang, zone)}</TableCell>
      {step.error ? (
        <TableCell colSpan={3} sx={{ color: 'error.main', fontWeight: 600 }}>
          {step.error.message}
        </TableCell>
      ) : (
        <>
          <TableCell align="right" sx={{ ...number, fontWeight: 600 }}>
            {step.total && euro(step.total)}
          </TableCell>
          <TableCell align="right" sx={number}>
            {step.unit_price && money(step.unit_price)}
          </TableCell>
          <TableCell>
            {step.list && <RecordLink record="price_list" {...step.list} />}
            {step.stock_id !== null && <RecordLink record="stock" id={step.stock_id} />}
          </TableCell>
        </>
      )}
      <TableCell>
        {step.overlaps.map((list, nth) => (
          <Box component="span" key={list.id}>
            {nth > 0 && ', '}
            <RecordLink record="price_list" {...list} />
          </Box>
        ))}
      </TableCell>
      <TableCell>
        <Button size="small" aria-label={t('why.of', { when })} onClick={() => onChoose(from)}>
          {t('why.button')}
        </Button>
      </TableCell>
    </TableRow>
  )
}
