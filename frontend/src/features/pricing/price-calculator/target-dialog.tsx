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
import { AMOUNT, FROM_SM, TitledList } from '~/features/shared/price-impact/titled-list'
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
  question: QuoteRequest
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
function aimedAt({ body, keys }: QuoteRequest, { target_for, target_per, target }: Form): QuoteRequest {
  const price = { price: target, price_quantity: '1', unit: target_per as Unit }
  const wanted = target_per === TOTAL ? { target_total: target } : { target_price: price }
  const carts = body.carts.map((cart) =>
    target_for === CART
      ? { ...cart, target_total: target }
      : { ...cart, lines: cart.lines.map((line, at) => (String(at) === target_for ? { ...line, ...wanted } : line)) },
  )
  return { keys, body: { carts, explain: false } }
}

const answered = (quote: Quote, { target_for, target_per }: Form): QuoteTarget | null => {
  if (target_for === CART) return quote.target_total
  const line = quote.lines.find(({ index }) => String(index) === target_for)
  return (target_per === TOTAL ? line?.target_total : line?.target_price) ?? null
}

/** Dialog for a target price that shows the discount or surcharge needed to reach it. */
export default function TargetDialog({ question, quote, onClose }: Props) {
  const { t } = useTranslation(['priceCalculator', 'common'])
  const symbol = useUnitSymbols()
  const priced = quote.lines.filter(({ items }) => items.length > 0)
  const { control, setValue } = useForm<Form>({
    defaultValues: { target_for: priced.length === 1 ? String(priced[0]?.index) : CART, target_per: TOTAL, target: '' },
  })
  const form = useWatch({ control }) as Form
  const late = useDebounced(JSON.stringify(form), 300)
  const settled = JSON.parse(late) as Form
  const complete = isDecimal(settled.target) && compareDecimals(settled.target, '0') > 0
  const asked = aimedAt(question, settled)
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...quotes.of(asked),
    enabled: complete,
    placeholderData: keepPreviousData,
  })
  const nameOf = (value: string) => {
    const line = priced.find(({ index }) => String(index) === value)
    return line ? t('target.line', { number: line.index + 1, article: line.article?.article_number ?? '' }) : t('target.cart')
  }
  const line = priced.find(({ index }) => String(index) === form.target_for)
  const wanted = line && question.body.carts[0]?.lines[line.index]
  const unit = wanted?.unit ?? line?.article?.listing_unit
  const weighed = line?.items[0]?.weight ? (['t', 'kg'] as const) : []
  const units = line ? [...new Set([unit, line.article?.price_unit, ...weighed].filter((one) => one !== undefined))] : []
  const isRefused = error instanceof ApiError && Object.keys(error.fields).length > 0
  const target = complete && data ? answered(data.quote, settled) : null
  const lineErrors = data?.quote.lines.flatMap(({ errors }) => errors.filter(({ field }) => field?.startsWith('target'))) ?? []
  return (
    <DialogFrame
      title={t('target.title')}
      about={t('target.about')}
      onClose={onClose}
      maxWidth="md"
      fillsPhone
      content={{ sx: { display: 'flex', flexDirection: 'column', gap: 2 } }}
      actions={<Button onClick={onClose}>{t('common:actions.close')}</Button>}
    >
      <FormScopeContext.Provider value={SCOPE}>
        <EnumField
          control={control}
          name="target_for"
          required
          values={[CART, ...priced.map(({ index }) => String(index))]}
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
      {!error && target && <Ways target={target} outdated={isPlaceholderData} />}
    </DialogFrame>
  )
}

/** Table of the percentages that lead to a target. */
function Ways({ target, outdated }: { target: QuoteTarget; outdated: boolean }) {
  const { t } = useTranslation('priceCalculator')
  const euro = useEuro()
  const percent = usePercent()
  const ways = [
    ['paid', target.from_paid],
    ['base', target.from_base],
    ['internal', target.from_internal],
  ] as const
  const row = (name: (typeof ways)[number][0], step: QuoteTargetStep) => (
    <TableRow key={name}>
      <TableCell component="th" scope="row" sx={{ fontWeight: 'inherit' }}>
        {t(`target.from.${name}`, { amount: euro(step.from) })}
      </TableCell>
      <TableCell align="right" sx={AMOUNT}>
        {percent(step.percent)}
      </TableCell>
      <TableCell align="right" sx={AMOUNT}>
        {euro(step.result)}
      </TableCell>
      <TableCell align="right" sx={{ ...AMOUNT, ...FROM_SM }}>
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
        <TableBody>{ways.map(([name, step]) => step && row(name, step))}</TableBody>
      </TitledList>
    </div>
  )
}
