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
import { NewTabLink } from './new-tab-link'
import { AMOUNT_CELL, FROM_SM, TitledList } from './titled-list'
import { totalChanges } from './total-changes'

/** Totals of the sample carts before and after, changed ones first, compared with the expected ones. */
export function SampleCarts({ carts, at }: { carts: readonly SampleCartImpact[]; at: string }) {
  const { t } = useTranslation('priceImpact')
  const { decimal } = useFormat()
  const changedCarts = carts.filter(totalChanges)
  const summary = t('carts.changed', { count: changedCarts.length, changed: decimal(changedCarts.length), all: decimal(carts.length) })
  return (
    <TitledList title={t('carts.title')} description={summary}>
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
        {[...changedCarts, ...carts.filter((cart) => !totalChanges(cart))].map((cart) => (
          <Cart key={cart.id} cart={cart} defaultAt={at} />
        ))}
      </TableBody>
    </TitledList>
  )
}

/** Row of a cart; `defaultAt` is the time that is assumed unless another one is shown. */
function Cart({ cart, defaultAt }: { cart: SampleCartImpact; defaultAt: string }) {
  const { t } = useTranslation('priceImpact')
  const euro = useEuro()
  const { weekdayDate } = useFormat()
  const { time_zone } = useConfig()
  const Icon = cart.after.as_expected ? Check : EqualNot
  const state = (
    <Box
      sx={{
        display: 'flex',
        gap: 0.5,
        '& svg': { flexShrink: 0, mt: '3px', color: cart.after.as_expected ? 'success.main' : 'error.main' },
      }}
    >
      <Icon size={14} aria-hidden />
      {t(cart.after.as_expected ? 'carts.expected' : 'carts.unexpected')}
    </Box>
  )
  return (
    <TableRow>
      <TableCell component="th" scope="row" sx={{ fontWeight: 'inherit', overflowWrap: 'anywhere' }}>
        <NewTabLink record="sample_cart" id={cart.id} name={cart.name} />
        {totalChanges(cart) && cart.at !== defaultAt && <Box sx={{ color: 'text.secondary' }}>{weekdayDate(cart.at, time_zone)}</Box>}
        <Box sx={{ display: { sm: 'none' } }}>{state}</Box>
      </TableCell>
      <TableCell align="right" sx={AMOUNT_CELL}>
        {cart.before.total === null ? t('carts.noPrice') : euro(cart.before.total)}
      </TableCell>
      <TableCell align="right" sx={AMOUNT_CELL}>
        {cart.after.total === null ? t('carts.noPrice') : euro(cart.after.total)}
        {cart.after.total === null &&
          cart.after.errors.map(({ field, code, message }) => (
            <Box key={`${field} ${code}`} sx={{ whiteSpace: 'normal', color: 'error.main' }}>
              {message}
            </Box>
          ))}
      </TableCell>
      <TableCell align="right" sx={{ ...AMOUNT_CELL, ...FROM_SM }}>
        {cart.change === null ? '\u2013' : euro(cart.change, { signed: true })}
      </TableCell>
      <TableCell sx={FROM_SM}>{state}</TableCell>
    </TableRow>
  )
}
