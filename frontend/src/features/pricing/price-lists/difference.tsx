import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useTranslation } from 'react-i18next'
import type { PriceDifference, PriceDifferenceLine } from '~/api/schema'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { usePercent } from '~/features/shared/price-impact/use-percent'
import { useFormat } from '~/i18n/use-format'

const COUNTS = ['created', 'changed', 'unchanged', 'held', 'impossible'] as const
const MAX_LINES = 20

/** Summary of changed prices: their number, the percentages, and the largest changes. */
export function Difference({ difference }: { difference: PriceDifference }) {
  const { t } = useTranslation('priceLists')
  const { decimal } = useFormat()
  const percent = usePercent()
  const counts = COUNTS.filter((name) => difference[name] > 0).map((name) =>
    t(`difference.${name}`, { count: difference[name], number: decimal(difference[name]) }),
  )
  const total = difference.created + difference.changed + difference.held + difference.impossible
  const summary = counts.length > 0 ? counts.join(' · ') : t('difference.nothing')
  return (
    <Box>
      <Typography aria-live="polite">
        {summary}
        {difference.median_percent !== null && ` · ${t('difference.median', { percent: percent(difference.median_percent) })}`}
      </Typography>
      {difference.lines.length > 0 && (
        <TableContainer tabIndex={0} sx={{ mt: 1, maxHeight: 260, border: 1, borderColor: 'divider', borderRadius: 1 }}>
          <Table size="small" stickyHeader aria-label={t('difference.title')}>
            <TableHead>
              <TableRow>
                <TableCell>{t('difference.article')}</TableCell>
                <TableCell align="right">{t('difference.before')}</TableCell>
                <TableCell align="right">{t('difference.after')}</TableCell>
                <TableCell align="right">%</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {difference.lines.slice(0, MAX_LINES).map((line) => (
                <Line key={line.article_id} line={line} />
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      )}
      {total > MAX_LINES && (
        <Typography variant="body2" sx={{ mt: 1, color: 'text.secondary' }}>
          {t('difference.more', { shown: MAX_LINES, number: decimal(total) })}
        </Typography>
      )}
    </Box>
  )
}

function Line({ line }: { line: PriceDifferenceLine }) {
  const { t } = useTranslation('priceLists')
  const percent = usePercent()
  const money = useMoneyText()
  const before = line.before.price ? money(line.before.price) : '\u2013'
  const after = line.after?.price ? money(line.after.price) : '\u2013'
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {line.article_number}
      </TableCell>
      <TableCell align="right">{before}</TableCell>
      <TableCell align="right" sx={{ whiteSpace: 'normal' }}>
        {line.outcome === 'impossible' ? line.reason?.message : after}
        {line.outcome === 'held' && ` (${t('difference.waits')})`}
      </TableCell>
      <TableCell align="right" sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
        {line.percent === null ? '' : percent(line.percent)}
      </TableCell>
    </TableRow>
  )
}
