import Box from '@mui/material/Box'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { PriceMover } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useEuro } from '~/features/shared/money/use-euro'
import { useFormat } from '~/i18n/use-format'
import { useConfig } from '~/session/config'
import { NewTabLink } from './new-tab-link'
import { AMOUNT_CELL, FROM_SM, TitledList } from './titled-list'
import { usePercent } from './use-percent'

/** Articles with the largest changes. They open in a new tab, so that the pending change stays. */
export function Movers({ movers, at }: { movers: readonly PriceMover[]; at: string }) {
  const { t } = useTranslation('priceImpact')
  return (
    <TitledList title={t('movers.title', { count: movers.length })}>
      <TableHead>
        <TableRow>
          <TableCell>{t('movers.article')}</TableCell>
          <TableCell sx={FROM_SM}>{t('movers.buyer')}</TableCell>
          <TableCell align="right" sx={FROM_SM}>
            {t('movers.quantity')}
          </TableCell>
          <TableCell align="right">{t('movers.before')}</TableCell>
          <TableCell align="right">{t('movers.after')}</TableCell>
          <TableCell align="right" sx={FROM_SM}>
            {t('movers.change')}
          </TableCell>
          <TableCell align="right" sx={FROM_SM}>
            %
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {movers.map((mover) => (
          <Mover key={mover.article.id} mover={mover} defaultAt={at} />
        ))}
      </TableBody>
    </TitledList>
  )
}

/** Row of an article; `defaultAt` is the time that is assumed unless another one is shown. */
function Mover({ mover, defaultAt }: { mover: PriceMover; defaultAt: string }) {
  const { t } = useTranslation('priceImpact')
  const { decimal, weekdayDate } = useFormat()
  const { time_zone } = useConfig()
  const symbol = useUnitSymbols()
  const euro = useEuro()
  const percent = usePercent()
  const { article } = mover
  const buyer = mover.buyer?.company ?? t('anybody')
  const percentText = mover.percent === null ? '\u2013' : percent(mover.percent)
  const amount = `${decimal(mover.quantity)}\u00a0${symbol(mover.unit)}`
  const details = [mover.processing, mover.at === defaultAt ? null : weekdayDate(mover.at, time_zone)]
    .filter((text) => text !== null)
    .join(', ')
  const quantity = details ? `${amount}, ${details}` : amount
  return (
    <TableRow>
      <TableCell component="th" scope="row" sx={{ fontWeight: 'inherit', minWidth: 120, overflowWrap: 'anywhere' }}>
        <NewTabLink record="article" id={article.id} name={article.article_number} />
        <Box sx={{ color: 'text.secondary', display: { xs: 'none', sm: 'block' } }}>{article.article_name}</Box>
        <Box sx={{ color: 'text.secondary', display: { sm: 'none' } }}>{`${buyer} · ${quantity}`}</Box>
      </TableCell>
      <TableCell sx={FROM_SM}>{buyer}</TableCell>
      <TableCell align="right" sx={{ ...AMOUNT_CELL, ...FROM_SM }}>
        {amount}
        {details && <Box sx={{ color: 'text.secondary', whiteSpace: 'normal' }}>{details}</Box>}
      </TableCell>
      <TableCell align="right" sx={AMOUNT_CELL}>
        {euro(mover.before)}
      </TableCell>
      <TableCell align="right" sx={AMOUNT_CELL}>
        {euro(mover.after)}
        <Box sx={{ display: { sm: 'none' } }}>{percentText}</Box>
        {mover.below_internal && (
          <Box
            component="span"
            sx={{ display: 'flex', justifyContent: 'flex-end', gap: 0.5, whiteSpace: 'normal', '& svg': { color: 'warning.main' } }}
          >
            <TriangleAlert size={14} aria-hidden style={{ flexShrink: 0, marginTop: 3 }} />
            {t('movers.below')}
          </Box>
        )}
      </TableCell>
      <TableCell align="right" sx={{ ...AMOUNT_CELL, ...FROM_SM }}>
        {euro(mover.change, { signed: true })}
      </TableCell>
      <TableCell align="right" sx={{ ...AMOUNT_CELL, ...FROM_SM }}>
        {percentText}
      </TableCell>
    </TableRow>
  )
}
