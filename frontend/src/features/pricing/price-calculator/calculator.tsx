import { zodResolver } from '@hookform/resolvers/zod'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormLabel from '@mui/material/FormLabel'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Calculator as CalculatorIcon, Eraser, Plus, Printer, Target } from 'lucide-react'
import { Suspense, useState } from 'react'
import { type Resolver, useFieldArray, useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { ApiError } from '~/api/errors'
import type { Quote } from '~/api/schema'
import { useDelivers } from '~/features/shared/destination/use-destination'
import { FormScopeContext } from '~/kit/form/form-context'
import { FormElement } from '~/kit/form/form-element'
import { BusyButton } from '~/kit/ui/busy-button'
import { Card } from '~/kit/ui/card'
import { FormErrors } from '~/kit/ui/form-errors'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Page } from '~/kit/ui/page'
import { useShortcut } from '~/kit/ui/shortcuts'
import { notify } from '~/kit/ui/snackbar'
import { useAddressParams } from '~/lib/address-params'
import { useConfig } from '~/session/config'
import { useRights } from '~/session/me'
import { useTenant } from '~/session/tenant'
import { CalculationTime } from './calculation-time'
import {
  type CartForm,
  cartSchema,
  emptyLine,
  hasCart,
  hasExplanationParam,
  isEmpty,
  LINES_MAX,
  type QuoteRequest,
  readCart,
  toQuoteRequest,
  toSampleCartContent,
} from './cart'
import { CartLine } from './cart-line'
import { COLUMNS, WIDE } from './columns'
import { lastCart } from './last-cart'
import { OtherParty, SideChoice } from './parties'
import { CART_PARAM } from './ref'
import { Totals } from './result'
import { type SampleCartContent, SaveCart } from './save-cart'
import { useAvailability } from './use-availability'
import { isPartyField, useCalculation } from './use-calculation'
import { useCartDates } from './use-cart-dates'

const DestinationField = lazyWithTexts(() => import('~/features/shared/destination/destination-field'), 'destination')
const CustomerView = lazyWithTexts(() => import('./customer-view'), 'whyPrice')
const TargetDialog = lazyWithTexts(() => import('./target-dialog'))
const OpenedCart = lazyWithTexts(() => import('./opened-cart'), 'sampleCarts')

const SCOPE = { ns: 'priceCalculator', readOnly: false } as const
const HEADS = ['lines_article_id', 'lines_quantity', 'lines_warehouse_id', 'prices', 'total'] as const

/** Page that calculates the price of a cart with its explanation. Each seller has a cart of its own. */
export default function PriceCalculator() {
  const { tenantId } = useTenant()
  return <Calculator key={tenantId} />
}

function Calculator() {
  const { t } = useTranslation('priceCalculator')
  const rights = useRights()
  const { tenantId } = useTenant()
  const { search } = useLocation()
  const [params, changeParams] = useAddressParams()
  const sampleCartId = Number(params.get(CART_PARAM)) || null
  const { time_zone: zone } = useConfig()
  const wide = useMediaQuery(useTheme().breakpoints.up(WIDE), { noSsr: true })
  const [{ initialCart, showsExplanation }] = useState(() => ({
    initialCart: readCart(hasCart(search) ? search : lastCart(tenantId)),
    showsExplanation: hasExplanationParam(search),
  }))
  const form = useForm<CartForm>({
    defaultValues: initialCart,
    mode: 'onTouched',
    resolver: zodResolver(cartSchema) as unknown as Resolver<CartForm>,
  })
  const { control, getValues, setFocus, trigger } = form
  const { fields, append, remove, insert } = useFieldArray({ control, name: 'lines', keyName: 'place' })
  const [customerRequest, setCustomerRequest] = useState<QuoteRequest | null>(null)
  const [targetDialog, setTargetDialog] = useState<{ request: QuoteRequest; quote: Quote } | null>(null)
  const buys = useWatch({ control, name: 'side' }) === 'buys'
  const { empty, result, error, pending, outdated, quoteRequest, recalculate } = useCalculation(form)
  const delivers = useDelivers()
  const dates = useCartDates(quoteRequest)
  const availabilities = useAvailability(quoteRequest, error ? null : result, outdated)

  const focusLine = (at: number) => setTimeout(() => setFocus(`lines.${at}.article_id`))

  function addLine() {
    if (fields.length >= LINES_MAX) return notify.warning(t('line.tooMany', { max: LINES_MAX }))
    append(emptyLine(), { shouldFocus: false })
    focusLine(fields.length)
  }

  function focusNextLine(at: number) {
    if (at + 1 < fields.length) focusLine(at + 1)
    else addLine()
  }

  function removeLine(at: number) {
    const line = getValues(`lines.${at}`)
    remove(at)
    // keep an empty line for input
    if (fields.length === 1) append(emptyLine(), { shouldFocus: false })
    focusLine(Math.min(at, Math.max(fields.length - 2, 0)))
    if (!isEmpty(line)) notify.undoable(t('line.removed', { number: at + 1 }), () => insert(at, line))
  }

  function clear() {
    const before = structuredClone(getValues())
    form.reset(readCart(''))
    // the cart no longer belongs to a sample cart; without one leave the URL, since another change of it may
    // be under way
    if (sampleCartId) changeParams((now) => now.delete(CART_PARAM), { replace: true, preventScrollReset: true })
    focusLine(0)
    notify.undoable(t('cleared'), () => form.reset(before))
  }

  /** Returns the cart for saving it as a sample cart, or shows what is missing. */
  async function sampleCartContent(): Promise<SampleCartContent | null> {
    if (!(await trigger(undefined, { shouldFocus: true }))) return null
    const [cart] = toQuoteRequest(getValues(), zone)?.body.carts ?? []
    return cart ? toSampleCartContent(cart) : null
  }

  async function calculate() {
    recalculate()
    // complete lines are calculated, incomplete ones show their errors
    await trigger(undefined, { shouldFocus: true })
  }

  useShortcut('n', t('line.add'), addLine)

  const fieldErrors = error instanceof ApiError ? Object.entries(error.fields) : []
  // an unknown partner is reported only at its field
  const otherErrors = fieldErrors.filter(([path]) => !isPartyField(path))
  return (
    <Page title={t('title.list')} intro={t('intro')}>
      <FormScopeContext.Provider value={SCOPE}>
        <FormElement onSubmit={() => void calculate()} pending={false} sx={{ display: 'grid', gap: 2 }}>
          {sampleCartId !== null && !buys && rights.has('price_adjustment.view') && (
            <Suspense fallback={null}>
              <OpenedCart id={sampleCartId} />
            </Suspense>
          )}
          <Card title={t('cart')}>
            <SideChoice control={control} />
            <Box
              sx={{
                display: 'grid',
                gap: 2,
                gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 420px) minmax(0, 340px)' },
                mb: 2.5,
              }}
            >
              <OtherParty control={control} buys={buys} />
              <CalculationTime control={control} />
              {delivers && (
                <Suspense fallback={null}>
                  <DestinationField />
                </Suspense>
              )}
            </Box>
            {wide && (
              <Box aria-hidden sx={{ display: 'grid', columnGap: 1.5, gridTemplateColumns: COLUMNS, pb: 0.5 }}>
                {HEADS.map((name, at) => (
                  <FormLabel
                    key={name}
                    component="span"
                    sx={{ '&&': { fontSize: '0.8125rem', color: 'text.secondary', textAlign: at > 2 ? 'right' : 'left' } }}
                  >
                    {t(`fields.${name}`)}
                    {at < 2 && ' *'}
                  </FormLabel>
                ))}
              </Box>
            )}
            {fields.map((field, at) => (
              <CartLine
                key={field.key}
                form={form}
                at={at}
                line={result?.lines.get(field.key)}
                quote={result?.quote ?? null}
                date={dates.get(field.key)}
                availability={availabilities.get(field.key)}
                outdated={outdated}
                wide={wide}
                buys={buys}
                initiallyOpen={showsExplanation}
                onRemove={() => removeLine(at)}
                onNext={() => focusNextLine(at)}
              />
            ))}
            <Box
              sx={{
                display: 'flex',
                flexWrap: 'wrap',
                gap: 1,
                justifyContent: 'space-between',
                pt: 2,
                borderTop: 1,
                borderColor: 'divider',
              }}
            >
              <Button startIcon={<Plus size={16} aria-hidden />} onClick={addLine}>
                {t('line.add')}
              </Button>
              <Button color="inherit" startIcon={<Eraser size={16} aria-hidden />} disabled={empty} onClick={clear} sx={{ ml: 'auto' }}>
                {t('clear')}
              </Button>
              <BusyButton
                variant="contained"
                busy={pending}
                startIcon={<CalculatorIcon size={18} aria-hidden />}
                title={t('calculateKey')}
                onClick={() => void calculate()}
              >
                {t('calculate')}
              </BusyButton>
            </Box>
          </Card>
          {error && fieldErrors.length === 0 && <LoadFailed error={error} retry={recalculate} pending={pending} />}
          {error && otherErrors.length > 0 && (
            <FormErrors error={new ApiError({ ...error, message: error.message, fields: Object.fromEntries(otherErrors) })} />
          )}
          {!error && result && (
            <Card title={t('result.title')} {...(!buys && { action: <SaveCart quote={result.quote} cart={sampleCartContent} /> })}>
              <Totals quote={result.quote} outdated={outdated} />
              {!buys && (
                <Button
                  startIcon={<Printer size={16} aria-hidden />}
                  onClick={() => setCustomerRequest(toQuoteRequest(getValues(), zone))}
                  sx={{ mt: 1 }}
                >
                  {t('customerView.show')}
                </Button>
              )}
              {quoteRequest && result.quote.lines.some(({ items }) => items.length > 0) && (
                <Button
                  startIcon={<Target size={16} aria-hidden />}
                  disabled={outdated}
                  onClick={() => setTargetDialog({ request: quoteRequest, quote: result.quote })}
                  sx={{ mt: 1 }}
                >
                  {t('target.show')}
                </Button>
              )}
            </Card>
          )}
          {targetDialog && (
            <Suspense fallback={null}>
              <TargetDialog {...targetDialog} onClose={() => setTargetDialog(null)} />
            </Suspense>
          )}
          {customerRequest && (
            <Suspense fallback={null}>
              <CustomerView request={customerRequest} onClose={() => setCustomerRequest(null)} />
            </Suspense>
          )}
        </FormElement>
      </FormScopeContext.Provider>
    </Page>
  )
}
