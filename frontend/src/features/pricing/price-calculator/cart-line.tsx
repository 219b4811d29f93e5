import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormHelperText from '@mui/material/FormHelperText'
import IconButton from '@mui/material/IconButton'
import { CircleHelp, Scissors, Trash2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, Suspense, useId, useMemo, useState } from 'react'
import { type UseFormReturn, useFieldArray, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import { queryClient } from '~/api/query'
import type { Article, AvailabilityResult, EarliestDelivery, Quote, QuoteLine, Unit } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { articleRef } from '~/features/catalog/articles/ref'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { quantitiesOf } from '~/features/shared/quantity/quantities'
import { QuantityField } from '~/features/shared/quantity/quantity-field'
import { useArticleUnits } from '~/features/shared/quantity/use-article-units'
import { TextField } from '~/kit/form/fields'
import { RefField } from '~/kit/form/ref-field'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { product } from '~/lib/decimal'
import { sumDecimals } from '~/lib/sum'
import { useConfig } from '~/session/config'
import { useRights } from '~/session/me'
import { type CartForm, EMPTY_PROCESSING, PROCESSINGS_MAX, writeSingleLine } from './cart'
import { COLUMNS, WIDE } from './columns'
import { Processings } from './processings'
import { CostAndMargin, useAmounts } from './result'
import { OVER_TIME } from './screen'
import { soldRef } from './sold'
import { unitPrice } from './unit-price'

const LineAvailability = lazyWithTexts(() => import('./line-availability'))
const LineDate = lazyWithTexts(() => import('./line-date'), 'destination')
const WhyPrice = lazyWithTexts(() => import('~/features/pricing/shared/why-price/why-price'), 'whyPrice')

interface Props {
  form: UseFormReturn<CartForm>
  at: number
  /** Quoted line, once it is available. */
  line: QuoteLine | undefined
  quote: Quote | null
  /** Delivery date, once it is available. */
  date: EarliestDelivery | undefined
  /** Availability, once it is known. */
  availability: AvailabilityResult | undefined
  outdated: boolean
  /** True if column headers are shown above all lines. */
  wide: boolean
  /** True if the tenant buys from another one, whose warehouses are entered by short code. */
  buys: boolean
  /** True if the explanation is open at first. */
  initiallyOpen: boolean
  onRemove: () => void
  /** Moves to the next line, or adds one. */
  onNext: () => void
}

/** Line of the cart with its price and explanation. */
export function CartLine({ form, at, line, quote, date, availability, outdated, wide, buys, initiallyOpen, onRemove, onNext }: Props) {
  const { t } = useTranslation('priceCalculator')
  const { control, clearErrors, getValues, setValue } = form
  const id = useId()
  const [open, setOpen] = useState(initiallyOpen)
  const { flags } = useConfig()
  const rights = useRights()
  const [article, amount, unit] = useWatch({ control, name: [`lines.${at}.article_id`, `lines.${at}.quantity`, `lines.${at}.unit`] })
  const equivalentsQuery = useMemo(() => (article === null ? undefined : quantitiesOf(article)), [article])
  const units = useArticleUnits(equivalentsQuery, unit)
  const processings = useFieldArray({ control, name: `lines.${at}.processings`, keyName: 'place' })
  const mayProcess = flags.processings && rights.has('processing.list') && processings.fields.length < PROCESSINGS_MAX

  /** Selects pieces as the unit if the article has them, since people count in pieces. */
  async function onPick(picked: Article | null) {
    const base = picked?.article_type.base_unit_of_measure
    if (!picked || !base) return setValue(`lines.${at}.unit`, '')
    setValue(`lines.${at}.unit`, base)
    clearErrors(`lines.${at}.unit`)
    const equivalents = await queryClient.fetchQuery(quantitiesOf(picked.id)({ amount: '1', unit: base })).catch(() => null)
    const { article_id, unit: chosen } = getValues(`lines.${at}`)
    if (article_id === picked.id && chosen === base && equivalents?.relations.some((relation: { of: string }) => relation.of === 'piece')) {
      setValue(`lines.${at}.unit`, 'piece')
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey && event.key === 'Delete') {
      event.preventDefault()
      onRemove()
    }
  }

  /** Moves on when Enter is pressed in the quantity. */
  function onQuantityKey(event: KeyboardEvent) {
    const { target } = event
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !(target instanceof HTMLInputElement)) return
    event.preventDefault()
    onNext()
  }

  const removal = (
    <IconButton
      aria-label={t('line.remove', { number: at + 1 })}
      aria-keyshortcuts="Alt+Delete"
      title={t('line.removeKey')}
      onClick={onRemove}
      sx={{ justifySelf: 'end' }}
    >
      <Trash2 size={18} />
    </IconButton>
  )
  const lineErrors = line?.errors.filter(({ field }) => field === null) ?? []
  // a line with invalid input has no article
  const isValid = line?.article != null
  const explainedLine = line?.explanation && isValid ? { ...line, explanation: line.explanation } : null
  const isPriced = explainedLine !== null && explainedLine.items.length > 0
  const textKey = isPriced ? 'why' : 'whyNone'
  return (
    <Box
      role="group"
      aria-label={t('line.row', { number: at + 1 })}
      onKeyDown={onKeyDown}
      sx={{ display: 'grid', gap: 1.5, py: 2, borderTop: 1, borderColor: 'divider' }}
    >
      <Box
        sx={{
          display: 'grid',
          gap: 1.5,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(6, minmax(0, 1fr))', [WIDE]: COLUMNS },
          '& > :first-of-type': { gridColumn: { sm: '1 / -1', [WIDE]: 'auto' } },
        }}
      >
        <RefField
          control={control}
          name={`lines.${at}.article_id`}
          source={rights.has('matching.list') ? soldRef : articleRef}
          required
          hiddenLabel={wide}
          onPick={(_, picked) => void onPick(picked)}
        />
        <Box onKeyDown={onQuantityKey} sx={{ '&&': { gridColumn: { sm: 'span 3', [WIDE]: 'auto' } } }}>
          <QuantityField
            control={control}
            name={`lines.${at}.quantity`}
            unit={`lines.${at}.unit`}
            units={units}
            equivalentsQuery={equivalentsQuery}
            required
            hiddenLabel={wide}
          />
        </Box>
        <Box sx={{ '&&': { gridColumn: { sm: 'span 3', [WIDE]: 'auto' } } }}>
          {buys ? (
            <TextField control={control} name={`lines.${at}.warehouse_short_code`} hiddenLabel={wide} />
          ) : (
            rights.has('warehouse.list') && (
              <RefField control={control} name={`lines.${at}.warehouse_id`} source={warehouseRef} hiddenLabel={wide} />
            )
          )}
        </Box>
        <LineResult line={line} amount={amount} unit={unit} outdated={outdated} wide={wide} />
        {wide && removal}
      </Box>
      <Processings control={control} at={at} isPriceEditable={!buys} rows={processings} items={line?.items.slice(1) ?? []} />
      {lineErrors.map(({ code, message }) => (
        <FormHelperText key={code} error role="alert" sx={{ m: 0 }}>
          {message}
        </FormHelperText>
      ))}
      {line?.warnings.map(({ code, message }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several may have the same code
        <FormHelperText key={`${code} ${place}`} role="status" sx={{ m: 0, color: 'warning.main' }}>
          {message}
        </FormHelperText>
      ))}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.5, rowGap: 0.5 }}>
        {mayProcess && (
          <Button
            size="small"
            startIcon={<Scissors size={16} aria-hidden />}
            onClick={() =>
              processings.append(EMPTY_PROCESSING, { focusName: `lines.${at}.processings.${processings.fields.length}.processing_id` })
            }
          >
            {t('processing.add')}
          </Button>
        )}
        {explainedLine && (
          <Button
            size="small"
            startIcon={<CircleHelp size={16} aria-hidden />}
            aria-expanded={open}
            aria-controls={id}
            aria-label={t(`${textKey}.of`, { number: at + 1 })}
            onClick={() => setOpen(!open)}
          >
            {t(`${textKey}.title`)}
          </Button>
        )}
        {isPriced && !buys && <OverTime control={control} at={at} />}
        {isPriced && <CostAndMargin line={explainedLine} />}
        {availability && (
          <Suspense fallback={null}>
            <LineAvailability result={availability} />
          </Suspense>
        )}
        {date && (
          <Suspense fallback={null}>
            <Delivery form={form} at={at} date={date} />
          </Suspense>
        )}
        {!wide && <Box sx={{ ml: 'auto' }}>{removal}</Box>}
      </Box>
      {explainedLine && open && unit && (
        <Box
          id={id}
          role="region"
          aria-label={t(`${textKey}.region`, { article: explainedLine.article?.article_number })}
          aria-busy={outdated}
          sx={{ p: { xs: 1.5, md: 2.5 }, border: 1, borderColor: 'divider', borderRadius: 1, minWidth: 0, opacity: outdated ? 0.55 : 1 }}
        >
          <Suspense fallback={null}>
            <WhyPrice line={explainedLine} quantity={{ amount, unit }} cart={quote?.explanation ?? null} />
          </Suspense>
        </Box>
      )}
    </Box>
  )
}

/** Link to the price of the line over time. */
function OverTime({ control, at }: { control: UseFormReturn<CartForm>['control']; at: number }) {
  const { t } = useTranslation('priceCalculator')
  const { search } = useLocation()
  const [buyer, line] = useWatch({ control, name: ['buyer_id', `lines.${at}`] })
  return (
    <Button
      size="small"
      component={RouterLink}
      to={{ pathname: OVER_TIME, search: writeSingleLine(search, buyer, line) }}
      aria-label={t('overTime.of', { number: at + 1 })}
    >
      {t('overTime.title')}
    </Button>
  )
}

function Delivery({ form: { control }, at, date }: Pick<Props, 'form' | 'at'> & { date: EarliestDelivery }) {
  const [line, side, seller_id, day, time] = useWatch({ control, name: [`lines.${at}`, 'side', 'seller_id', 'day', 'time'] })
  return <LineDate date={date} line={line} cart={{ side, seller_id, day, time }} />
}

/** Price, price per unit, and total of a line. */
function LineResult({
  line,
  amount,
  unit,
  outdated,
  wide,
}: { amount: string; unit: Unit | '' } & Pick<Props, 'line' | 'outdated' | 'wide'>) {
  const { t } = useTranslation('priceCalculator')
  const money = useMoneyText()
  const symbol = useUnitSymbols()
  const { euro } = useAmounts()
  const [article] = line?.items ?? []
  const price = line?.explanation?.price
  const perUnit = article && /^\d+(\.\d+)?$/.test(amount) ? unitPrice(article.exact, amount) : null
  // price per tonne for comparison, in whichever unit the article is sold
  const tonnes = article?.weight && unit !== 't' ? product(article.weight, '0.001') : null
  const perTon = article && tonnes ? unitPrice(article.exact, tonnes) : null
  const cells = [
    { name: 'price', value: price && money(price.price) },
    { name: 'unitPrice', value: perUnit && unit && `${euro(perUnit, { places: 4 })}\u00a0/\u00a0${symbol(unit)}` },
    { name: 'perTon', value: perTon && `${euro(perTon)}\u00a0/\u00a0t` },
    { name: 'total', value: line && line.items.length > 0 && euro(sumDecimals(line.items.map(({ total }) => total))) },
  ] as const
  const renderCell = (name: (typeof cells)[number]['name'], value: ReactNode) =>
    value && (
      <Box
        key={name}
        sx={{
          display: 'flex',
          flexDirection: { xs: 'row', sm: 'column' },
          justifyContent: 'space-between',
          fontWeight: name === 'total' ? 600 : 400,
          color: { [WIDE]: name === 'unitPrice' || name === 'perTon' ? 'text.secondary' : 'text.primary' },
        }}
      >
        <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400, ...(wide && visuallyHidden) }}>
          {t(`fields.${name}`)}
        </Box>{' '}
        <span>{value}</span>
      </Box>
    )
  const texts = cells.map(({ name, value }) => renderCell(name, value))
  const cellStyle = {
    pt: { [WIDE]: 1.25 },
    textAlign: { xs: 'right', sm: 'left', [WIDE]: 'right' },
    fontVariantNumeric: 'tabular-nums',
    opacity: outdated ? 0.55 : 1,
    transition: outdated ? 'opacity 150ms 300ms' : 'none',
  } as const
  if (!wide) {
    const all = { display: 'grid', gap: 1, gridTemplateColumns: { sm: 'repeat(4, minmax(0, 1fr))' } }
    return (
      texts.some(Boolean) && (
        <Box aria-busy={outdated} sx={{ ...cellStyle, ...all, '&&': { gridColumn: { sm: '1 / -1' } } }}>
          {texts}
        </Box>
      )
    )
  }
  return (
    <>
      <Box aria-busy={outdated} sx={cellStyle}>
        {texts.slice(0, 3)}
      </Box>
      <Box aria-busy={outdated} sx={cellStyle}>
        {texts[3]}
      </Box>
    </>
  )
}
