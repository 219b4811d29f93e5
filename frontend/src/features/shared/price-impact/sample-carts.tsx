import Box from '@mui/material/Box'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { Check, EqualNot } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SampleCartImpact } from '~/api/schema'
import { useEuro } from '~/features/shared/money/use-euro'
import { useFormat } from '~/i18n/use-format'
import { useConfig } from '~/session/config'
import { ApartLink } from './apart-link'
import { cartMoves } from './cart-moves'
import { AMOUNT, FROM_SM, TitledList } from './titled-list'

/** Totals of the sample carts before and after, changed ones first, compared with the expected ones. */
export function SampleCarts({ of, at }: { of: readonly SampleCartImpact[]; at: string }) {
  const { t } = useTranslation('priceImpact')
  const { decimal } = useFormat()
  const moving = of.filter(cartMoves)
  const summary = t('carts.changed', { count: moving.length, changed: decimal(moving.length), all: decimal(of.length) })
  return (
    <TitledList title={t('carts.title')} about={summary}>
      <TableHead>
        <TableRow>
          <TableCell>{t('carts.name')}</TableCell>
          <TableCell align="right">{t('carts.before')}</TableCell>
          <TableCell align="right">{t('carts.after')}</TableCell>
          <TableCell align="right" sx={FROM_SM}>
            {t('carts.change')}
          </TableCell>
          <TableCell sx={FROM_SM}>{t('carts.state')}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {[...moving, ...of.filter((cart) => !cartMoves(cart))].map((cart) => (
          <Cart key={cart.id} of={cart} first={at} />
        ))}
      </TableBody>
    </TitledList>
  )
}

/** Row of a cart; `first` is the time that is assumed unless another one is shown. */
function Cart({ of, first }: { of: SampleCartImpact; first: string }) {
  const { t } = useTranslation('priceImpact')
  const euro = useEuro()
  const { weekdayDate } = useFormat()
  const { time_zone } = useConfig()
  const Icon = of.after.as_expected ? Check : EqualNot
  const state = (
    <Box
      sx={{
        display: 'flex',
        gap: 0.5,
        '& svg': { flexShrink: 0, mt: '3px', color: of.after.as_expected ? 'success.main' : 'error.main' },
      }}
    >
      <Icon size={14} aria-hidden />
      {t(of.after.as_expected ? 'carts.expected' : 'carts.unexpected')}
    </Box>
  )
  return (
    <TableRow>
      <TableCell component="th" scope="row" sx={{ fontWeight: 'inherit', overflowWrap: 'anywhere' }}>
        <ApartLink record="sample_cart" id={of.id} name={of.name} />
        {cartMoves(of) && of.at !== first && <Box sx={{ color: 'text.secondary' }}>{weekdayDate(of.at, time_zone)}</Box>}
        <Box sx={{ display: { sm: 'none' } }}>{state}</Box>
      </TableCell>
      <TableCell align="right" sx={AMOUNT}>
        {of.before.total === null ? t('carts.noPrice') : euro(of.before.total)}
      </TableCell>
      <TableCell align="right" sx={AMOUNT}>
        {of.after.total === null ? t('carts.noPrice') : euro(of.after.total)}
        {of.after.total === null &&
          of.after.errors.map(({ field, code, message }) => (
            <Box key={`${field} ${code}`} sx={{ whiteSpace: 'normal', color: 'error.main' }}>
              {message}
            </Box>
          ))}
      </TableCell>
      <TableCell align="right" sx={{ ...AMOUNT, ...FROM_SM }}>
        {of.change === null ? '\u2013' : euro(of.change, { signed: true })}
      </TableCell>
      <TableCell sx={FROM_SM}>{state}</TableCell>
    </TableRow>
  )
}
