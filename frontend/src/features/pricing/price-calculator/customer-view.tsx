import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import GlobalStyles from '@mui/material/GlobalStyles'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Copy, Printer } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Quote } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useCustomerRows, useReasons } from '~/features/pricing/shared/why-price/use-customer-rows'
import { useEuro } from '~/features/shared/money/use-euro'
import { useFormat } from '~/i18n/use-format'
import { CopyText } from '~/kit/ui/copy-text'
import { LoadFailed } from '~/kit/ui/load-failed'
import { notify } from '~/kit/ui/snackbar'
import { Waiting } from '~/kit/ui/waiting'
import { useConfig } from '~/session/config'
import { quotes } from './api'
import type { QuoteRequest } from './cart'
import { type CustomerLine, customerText } from './customer-text'
import { useForeignZone } from './foreign-zone'

interface Props {
  request: QuoteRequest
  onClose: () => void
}

const PRINT_CLASS = 'customer-view'

/** Print styles: only the dialog is printed. */
const PRINT_STYLES = {
  '@media print': {
    [`body > :not(.${PRINT_CLASS})`]: { display: 'none !important' },
    [`.${PRINT_CLASS}`]: { position: 'static !important' },
    [`.${PRINT_CLASS} .MuiDialog-container`]: { display: 'block', height: 'auto' },
    [`.${PRINT_CLASS} .MuiDialog-paper`]: { margin: 0, maxWidth: 'none', maxHeight: 'none', boxShadow: 'none', border: 0 },
    [`.${PRINT_CLASS} .MuiDialogContent-root`]: { overflow: 'visible' },
    [`.${PRINT_CLASS} .MuiBackdrop-root, .${PRINT_CLASS} .MuiDialogActions-root`]: { display: 'none !important' },
  },
}

/** Same request without data that the customer must not see. */
const toCustomerRequest = ({ body, keys }: QuoteRequest): QuoteRequest => ({
  keys,
  body: { ...body, carts: body.carts.map((cart) => ({ ...cart, as_customer: true })) },
})

/** Prices of a cart in a form that can be shown to the customer: printed, or copied as text. */
export default function CustomerView({ request, onClose }: Props) {
  const { t } = useTranslation(['priceCalculator', 'common'])
  const id = useId()
  const { data, error, refetch, isFetching } = useQuery(quotes.cart(toCustomerRequest(request)))
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" className={PRINT_CLASS} aria-labelledby={id}>
      <GlobalStyles styles={PRINT_STYLES} />
      {data ? (
        <CustomerQuote quote={data.quote} request={request} id={id} onClose={onClose} />
      ) : (
        <>
          <DialogTitle id={id}>{t('customerView.show')}</DialogTitle>
          <DialogContent>
            {error ? <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} /> : <Waiting />}
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>{t('common:actions.close')}</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

function CustomerQuote({ quote, request, id, onClose }: Props & { quote: Quote; id: string }) {
  const { t } = useTranslation(['priceCalculator', 'common'])
  const { decimal, weekdayTime } = useFormat()
  const { time_zone } = useConfig()
  const zone = useForeignZone()
  const reasonsOf = useReasons()
  const symbol = useUnitSymbols()
  const euro = useEuro()
  const rowsOf = useCustomerRows()
  const [asText, setAsText] = useState(false)
  const requestedLines = request.body.carts[0]?.lines ?? []
  const title = quote.buyer ? t('customerView.title', { buyer: quote.buyer.company }) : t('customerView.titleForAll')
  const heads = [quote.seller.company, t('customerView.at', { when: `${weekdayTime(quote.at, time_zone)}${zone}` })]
  const total = t('customerView.total', { amount: euro(quote.total) })
  const lines = quote.lines.map((line): CustomerLine => {
    const requestedLine = requestedLines[line.index]
    const quantity = { amount: requestedLine?.quantity ?? '0', unit: requestedLine?.unit ?? line.article?.listing_unit ?? 'piece' }
    const article = line.article ? `${line.article.article_number} · ${line.article.article_name}` : ''
    return {
      title: `${line.index + 1}. ${article}: ${decimal(quantity.amount)}\u00a0${symbol(quantity.unit)}`,
      rows: line.errors.length > 0 ? [] : rowsOf(line, quantity),
      errors: reasonsOf(line),
    }
  })
  const text = customerText([title, ...heads], lines, total)

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      notify.success(t('customerView.copied'))
    } catch {
      // the clipboard is not available without HTTPS
      setAsText(true)
    }
  }

  return (
    <>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent tabIndex={0}>
        <Box sx={{ color: 'text.secondary', mb: 2 }}>
          {heads.map((head) => (
            <Box key={head}>{head}</Box>
          ))}
        </Box>
        {lines.map(({ title: name, rows, errors }) => (
          <Box key={name} component="section" aria-label={name} sx={{ mb: 2.5, breakInside: 'avoid' }}>
            <Typography variant="subtitle2" component="h3" sx={{ overflowWrap: 'anywhere' }}>
              {name}
            </Typography>
            <Box
              component="dl"
              sx={{ m: 0, mt: 0.5, display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: 2, rowGap: 0.75 }}
            >
              {rows.map(({ key, label, amount, description, isTotal }) => (
                <Box key={key} sx={{ display: 'contents', fontWeight: isTotal ? 600 : 400 }}>
                  <Box component="dt" sx={{ fontWeight: 'inherit', overflowWrap: 'anywhere' }}>
                    {label}
                    <Box component="span" sx={{ display: 'block', typography: 'body2', color: 'text.secondary', textWrap: 'pretty' }}>
                      {description}
                    </Box>
                  </Box>
                  <Box component="dd" sx={{ m: 0, textAlign: 'right', whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
                    {amount}
                  </Box>
                </Box>
              ))}
            </Box>
            {errors.map((message) => (
              <Typography key={message}>{message}</Typography>
            ))}
          </Box>
        ))}
        <Typography sx={{ fontWeight: 600, textAlign: 'right' }}>{total}</Typography>
        {asText && (
          <Box sx={{ mt: 2 }}>
            <CopyText
              label={t('customerView.text')}
              text={text}
              action={t('customerView.copy')}
              done={t('customerView.copied')}
              multiline
              autoFocus
            />
          </Box>
        )}
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap', gap: 1 }}>
        <Button startIcon={<Copy size={16} aria-hidden />} onClick={() => void copy()}>
          {t('customerView.copy')}
        </Button>
        <Button startIcon={<Printer size={16} aria-hidden />} onClick={() => window.print()}>
          {t('customerView.print')}
        </Button>
        <Button variant="contained" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      </DialogActions>
    </>
  )
}
