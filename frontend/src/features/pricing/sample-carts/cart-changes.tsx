import Box from '@mui/material/Box'
import { useTheme } from '@mui/material/styles'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableFooter from '@mui/material/TableFooter'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useTranslation } from 'react-i18next'
import type { SampleCart, SampleCartChange, SampleCartDifference } from '~/api/schema'
import { useEuro } from '~/features/shared/money/use-euro'
import { RecordLink } from '~/features/shared/record-link'
import { differenceOf } from './difference-of'

const NONE = '\u2013'
const AMOUNT_CELL = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' } as const

/** Changes since a total was accepted; the steps add up to the difference. */
export function CartChanges({ difference: { changes, difference }, cart }: { difference: SampleCartDifference; cart: SampleCart }) {
  const { t } = useTranslation('sampleCarts')
  const euro = useEuro()
  const small = useMediaQuery(useTheme().breakpoints.down('sm'), { noSsr: true })
  if (changes.length === 0) return <Typography color="textSecondary">{t('changes.none')}</Typography>
  return (
    <TableContainer tabIndex={0} sx={{ border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <Table size="small" aria-label={t('changes.table')}>
        <TableHead>
          <TableRow>
            <TableCell>{t('changes.line')}</TableCell>
            <TableCell>{t('changes.what')}</TableCell>
            {!small && (
              <>
                <TableCell align="right">{t('changes.before')}</TableCell>
                <TableCell align="right">{t('changes.after')}</TableCell>
              </>
            )}
            <TableCell align="right">{t('fields.difference')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {changes.map((change, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are identified by their index alone
            <Step key={at} change={change} cart={cart} small={small} />
          ))}
        </TableBody>
        {difference !== null && (
          <TableFooter>
            <TableRow sx={{ '& td': { typography: 'body2', color: 'text.primary', fontWeight: 600, borderBottom: 0 } }}>
              <TableCell colSpan={small ? 2 : 4}>{t('changes.sum')}</TableCell>
              <TableCell align="right" sx={AMOUNT_CELL}>
                {euro(difference, { signed: true })}
              </TableCell>
            </TableRow>
          </TableFooter>
        )}
      </Table>
    </TableContainer>
  )
}

/** Step of the changes; on a `small` screen both amounts are below its description. */
function Step({ change, cart, small }: { change: SampleCartChange; cart: SampleCart; small: boolean }) {
  const { t } = useTranslation('sampleCarts')
  const euro = useEuro()
  const { line, before, after } = change
  const amount = (value: string | null) => (value === null ? NONE : euro(value))
  const article = line === null ? undefined : cart.lines[line]?.article?.article_number
  return (
    <TableRow>
      <TableCell component="th" scope="row" sx={{ fontWeight: 'inherit' }}>
        {line === null ? t('changes.whole') : line + 1}
        {article && (
          <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' }, whiteSpace: 'nowrap' }}>
            {` · ${article}`}
          </Box>
        )}
      </TableCell>
      <TableCell sx={{ minWidth: { sm: 220 } }}>
        <ChangeCause change={change} />
        {small && (
          <Box component="span" sx={{ display: 'block', typography: 'caption', color: 'text.secondary' }}>
            {t('changes.change', { before: amount(before), after: amount(after) })}
          </Box>
        )}
      </TableCell>
      {!small && (
        <>
          <TableCell align="right" sx={AMOUNT_CELL}>
            {amount(before)}
          </TableCell>
          <TableCell align="right" sx={AMOUNT_CELL}>
            {amount(after)}
          </TableCell>
        </>
      )}
      <TableCell align="right" sx={AMOUNT_CELL}>
        {before === null && after === null ? NONE : euro(differenceOf(after, before), { signed: true })}
      </TableCell>
    </TableRow>
  )
}

/** Cause of a step, with a link to it. */
function ChangeCause({ change: { kind, name, reference, before, after, errors } }: { change: SampleCartChange }) {
  const { t } = useTranslation('sampleCarts')
  const nameProps = { ...(name !== null && { name }) }
  const { price_list_id: list, stock_id: stock, processing_id: processing, price_adjustment_id: adjustment } = reference
  return (
    <>
      {t(`changes.kinds.${kind}`)}
      {name !== null || stock !== null ? ': ' : ''}
      {list !== null ? (
        <RecordLink record="price_list" id={list} {...nameProps} />
      ) : stock !== null ? (
        <RecordLink record="stock" id={stock} {...nameProps} />
      ) : processing !== null ? (
        <RecordLink record="processing" id={processing} {...nameProps} />
      ) : adjustment !== null ? (
        <RecordLink record="price_adjustment" id={adjustment} {...nameProps} />
      ) : (
        name
      )}
      {before === null && after !== null && ` (${t('changes.new')})`}
      {before !== null && after === null && kind !== 'refused' && ` (${t('changes.gone')})`}
      {errors.map(({ code, message }) => (
        <Box key={code} sx={{ color: 'error.main' }}>
          {message}
        </Box>
      ))}
    </>
  )
}
