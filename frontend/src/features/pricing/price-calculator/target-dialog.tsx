import Button from '@mui/material/Button'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError } from '~/api/errors'
import type { Quote, QuoteTarget, QuoteTargetStep, Unit } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useEuro } from '~/features/shared/money/use-euro'
import { AMOUNT_CELL, FROM_SM, TitledList } from '~/features/shared/price-impact/titled-list'
import { usePercent } from '~/features/shared/price-impact/use-percent'
import { DecimalField, EnumField } from '~/kit/form/fields'
import { FormScopeContext } from '~/kit/form/form-context'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { FormErrors } from '~/kit/ui/form-errors'
import { LoadFailed } from '~/kit/ui/load-failed'
import { compareDecimals, isDecimal } from '~/lib/decimal'
import { useDebounced } from '~/lib/use-debounced'
import { quotes } from './api'
import type { QuoteRequest } from './cart'

interface Props {
  request: QuoteRequest
  /** Current quote of the request's cart. */
  quote: Quote
  onClose: () => void
}

const SCOPE = { ns: 'priceCalculator', readOnly: false } as const
const CART = 'cart'
const TOTAL = 'total'
const PLACES = 15

interface Form {
  /** Cart, or the index of a line. */
  target_for: string
  /** Total, or price for a unit of the line's article. */
  target_per: string
  target: string
}

/** Same cart with a target price for it or for one of its lines. */
function withTarget({ body, keys }: QuoteRequest, { target_for, target_per, target }: Form): QuoteRequest {
  const price = { price: target, price_quantity: '1', unit: target_per as Unit }
  const lineTarget = target_per === TOTAL ? { target_total: target } : { target_price: price }
  const carts = body.carts.map((cart) =>
    target_for === CART
      ? { ...cart, target_total: target }
      : { ...cart, lines: cart.lines.map((line, at) => (String(at) === target_for ? { ...line, ...lineTarget } : line)) },
  )
  return { keys, body: { carts, explain: false } }
}

const targetOf = (quote: Quote, { target_for, target_per }: Form): QuoteTarget | null => {
  if (target_for === CART) return quote.target_total
  const line = quote.lines.find(({ index }) => String(index) === target_for)
  return (target_per === TOTAL ? line?.target_total : line?.target_price) ?? null
}

/** Dialog for a target price that shows the discount or surcharge needed to reach it. */
export default function TargetDialog({ request, quote, onClose }: Props) {
  const { t } = useTranslation(['priceCalculator', 'common'])
  const symbol = useUnitSymbols()
  const pricedLines = quote.lines.filter(({ items }) => items.length > 0)
  const { control, setValue } = useForm<Form>({
    defaultValues: { target_for: pricedLines.length === 1 ? String(pricedLines[0]?.index) : CART, target_per: TOTAL, target: '' },
  })
  const form = useWatch({ control }) as Form
  const debouncedKey = useDebounced(JSON.stringify(form), 300)
  const debouncedForm = JSON.parse(debouncedKey) as Form
  const complete = isDecimal(debouncedForm.target) && compareDecimals(debouncedForm.target, '0') > 0
  const targetRequest = withTarget(request, debouncedForm)
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...quotes.cart(targetRequest),
    enabled: complete,
    placeholderData: keepPreviousData,
  })
  const nameOf = (value: string) => {
    const line = pricedLines.find(({ index }) => String(index) === value)
    return line ? t('target.line', { number: line.index + 1, article: line.article?.article_number ?? '' }) : t('target.cart')
  }
  const line = pricedLines.find(({ index }) => String(index) === form.target_for)
  const requestedLine = line && request.body.carts[0]?.lines[line.index]
  const unit = requestedLine?.unit ?? line?.article?.listing_unit
  const massUnits = line?.items[0]?.weight ? (['t', 'kg'] as const) : []
  const units = line ? [...new Set([unit, line.article?.price_unit, ...massUnits].filter((one) => one !== undefined))] : []
  const isRefused = error instanceof ApiError && Object.keys(error.fields).length > 0
  const target = complete && data ? targetOf(data.quote, debouncedForm) : null
  const lineErrors = data?.quote.lines.flatMap(({ errors }) => errors.filter(({ field }) => field?.startsWith('target'))) ?? []
  return (
    <DialogFrame
      title={t('target.title')}
      description={t('target.about')}
      onClose={onClose}
      maxWidth="md"
      fullScreenOnPhone
      content={{ sx: { display: 'flex', flexDirection: 'column', gap: 2 } }}
      actions={<Button onClick={onClose}>{t('common:actions.close')}</Button>}
    >
      <FormScopeContext.Provider value={SCOPE}>
        <EnumField
          control={control}
          name="target_for"
          required
          values={[CART, ...pricedLines.map(({ index }) => String(index))]}
          labelOf={nameOf}
          onPick={() => setValue('target_per', TOTAL)}
        />
        {line && (
          <EnumField
            control={control}
            name="target_per"
            required
            values={[TOTAL, ...units]}
            labelOf={(value) => (value === TOTAL ? t('target.total') : t('target.per', { unit: symbol(value as Unit) }))}
          />
        )}
        <DecimalField control={control} name="target" required unit="€" />
      </FormScopeContext.Provider>
      {isRefused && <FormErrors error={error} />}
      {error && !isRefused && <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />}
      {complete &&
        lineErrors.map(({ field, message }) => (
          <div key={field} role="alert">
            {message}
          </div>
        ))}
      {!error && target && <TargetSteps target={target} outdated={isPlaceholderData} />}
    </DialogFrame>
  )
}

/** Table of the percentages that lead to a target. */
function TargetSteps({ target, outdated }: { target: QuoteTarget; outdated: boolean }) {
  const { t } = useTranslation('priceCalculator')
  const euro = useEuro()
  const percent = usePercent()
  const steps = [
    ['paid', target.from_paid],
    ['base', target.from_base],
    ['internal', target.from_internal],
  ] as const
  const row = (name: (typeof steps)[number][0], step: QuoteTargetStep) => (
    <TableRow key={name}>
      <TableCell component="th" scope="row" sx={{ fontWeight: 'inherit' }}>
        {t(`target.from.${name}`, { amount: euro(step.from) })}
      </TableCell>
      <TableCell align="right" sx={AMOUNT_CELL}>
        {percent(step.percent)}
      </TableCell>
      <TableCell align="right" sx={AMOUNT_CELL}>
        {euro(step.result)}
      </TableCell>
      <TableCell align="right" sx={{ ...AMOUNT_CELL, ...FROM_SM }}>
        {percent(step.exact_percent, PLACES)}
      </TableCell>
    </TableRow>
  )
  return (
    <div role="status" aria-busy={outdated} style={{ opacity: outdated ? 0.55 : 1 }}>
      <TitledList title={t('target.ways', { amount: euro(target.exact) })}>
        <TableHead>
          <TableRow>
            <TableCell>{t('target.heads.from')}</TableCell>
            <TableCell align="right">{t('target.heads.percent')}</TableCell>
            <TableCell align="right">{t('target.heads.result')}</TableCell>
            <TableCell align="right" sx={FROM_SM}>
              {t('target.heads.exact')}
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>{steps.map(([name, step]) => step && row(name, step))}</TableBody>
      </TitledList>
    </div>
  )
}
