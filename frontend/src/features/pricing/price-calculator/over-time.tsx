import { zodResolver } from '@hookform/resolvers/zod'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormLabel from '@mui/material/FormLabel'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Calculator, ChartLine } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { type Resolver, type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import { isApiError } from '~/api/errors'
import { queryClient } from '~/api/query'
import type { Article, PriceOverTime, PriceOverTimeInput } from '~/api/schema'
import { articleRef } from '~/features/catalog/articles/ref'
import { partnerRef } from '~/features/exchange/partners/ref'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import { quantitiesOf } from '~/features/shared/quantity/quantities'
import { QuantityField } from '~/features/shared/quantity/quantity-field'
import { useArticleUnits } from '~/features/shared/quantity/use-article-units'
import { FormScopeContext } from '~/kit/form/form-context'
import { RefField } from '~/kit/form/ref-field'
import { Card } from '~/kit/ui/card'
import { usePageCrumbs } from '~/kit/ui/crumbs'
import { EmptyState } from '~/kit/ui/empty-state'
import { LoadFailed } from '~/kit/ui/load-failed'
import { NativeSelect } from '~/kit/ui/native-select'
import { Notice } from '~/kit/ui/notice'
import { Page } from '~/kit/ui/page'
import { Waiting } from '~/kit/ui/waiting'
import { useAddressParams } from '~/lib/address-params'
import { useNow } from '~/lib/use-now'
import { useConfig } from '~/session/config'
import { useRights } from '~/session/me'
import { useTenant } from '~/session/tenant'
import { quotes } from './api'
import { type CartForm, cartSchema, toQuoteRequest, writeCart } from './cart'
import { type OverTimeParams, readOverTimeParams, readSingleLine, writeOverTimeParams } from './over-time-address'
import { OverTimeChart } from './over-time-chart'
import { MONTH_COUNTS, type MonthCount, stepAt, stepKind, timesOf } from './over-time-scale'
import { OverTimeTable } from './over-time-table'
import { OverTimeWhy } from './over-time-why'
import { OVER_TIME, priceCalculator } from './screen'
import { isPartyField, useCartInUrl, useDebouncedCart } from './use-calculation'

const SCOPE = { ns: 'priceCalculator', readOnly: false } as const

/**
 * Page with the price of an article over time and the explanation of each day. Each seller has a page of its
 * own.
 */
export default function PriceOverTimePage() {
  const { t } = useTranslation('priceOverTime')
  const { tenantId } = useTenant()
  usePageCrumbs([{ path: OVER_TIME, text: t('title') }])
  return (
    <Page title={t('title')} intro={`${t('intro')} ${t('history')}`}>
      <OverTime key={tenantId} />
    </Page>
  )
}

function OverTime() {
  const { t } = useTranslation('priceOverTime')
  const { time_zone: zone } = useConfig()
  const { search } = useLocation()
  const [, changeParams] = useAddressParams()
  const [initialCart] = useState(() => readSingleLine(search))
  const form = useForm<CartForm>({
    defaultValues: initialCart,
    mode: 'onTouched',
    resolver: zodResolver(cartSchema) as unknown as Resolver<CartForm>,
  })
  const cart = useDebouncedCart(form)
  useCartInUrl(cart)
  const overTimeParams = readOverTimeParams(search)
  const changeOverTimeParams = (change: Partial<OverTimeParams>) =>
    changeParams((params) => new URLSearchParams(writeOverTimeParams(params.toString(), change)), {
      replace: true,
      preventScrollReset: true,
    })
  const requestedCart = useMemo(() => toQuoteRequest(cart, zone)?.body.carts[0] ?? null, [cart, zone])
  const line = requestedCart?.lines[0]
  // stays the same during a month
  const { from, until } = timesOf(overTimeParams.span, useNow().getTime(), zone)
  const body = useMemo((): PriceOverTimeInput | null => {
    if (!requestedCart || !line) return null
    const { buyer_id } = requestedCart
    const { article_id, quantity, unit, warehouse_id } = line
    const times = { from: new Date(from).toISOString(), until: new Date(until).toISOString() }
    return { buyer_id, article_id, quantity, unit, warehouse_id, ...times }
  }, [requestedCart, line, from, until])
  const back = new URLSearchParams(writeCart(search, cart))
  for (const name of ['span', 'moment']) back.delete(name)
  return (
    <FormScopeContext.Provider value={SCOPE}>
      <Stack spacing={2}>
        <Card title={t('ask')}>
          <OverTimeFields form={form} span={overTimeParams.span} onSpan={(span) => changeOverTimeParams({ span })} />
          <Button
            component={RouterLink}
            to={{ pathname: priceCalculator.path, search: back.toString() }}
            startIcon={<Calculator size={18} aria-hidden />}
            sx={{ mt: 2 }}
          >
            {t('back')}
          </Button>
        </Card>
        {body ? (
          <OverTimeContent body={body} moment={overTimeParams.moment} onChoose={(moment) => changeOverTimeParams({ moment })} />
        ) : (
          <EmptyState icon={ChartLine} title={t('chooseTitle')}>
            {t('choose')}
          </EmptyState>
        )}
      </Stack>
    </FormScopeContext.Provider>
  )
}

interface OverTimeFieldsProps {
  form: UseFormReturn<CartForm>
  span: MonthCount
  onSpan: (span: MonthCount) => void
}

function OverTimeFields({ form, span, onSpan }: OverTimeFieldsProps) {
  const { t } = useTranslation('priceOverTime')
  const { control, clearErrors, getValues, setValue } = form
  const id = useId()
  const rights = useRights()
  const [article, unit] = useWatch({ control, name: ['lines.0.article_id', 'lines.0.unit'] })
  const equivalentsQuery = useMemo(() => (article === null ? undefined : quantitiesOf(article)), [article])
  const units = useArticleUnits(equivalentsQuery, unit)

  /** Selects pieces as the unit if the article has them, since people count in pieces. */
  async function onPick(picked: Article | null) {
    const base = picked?.article_type.base_unit_of_measure
    setValue('lines.0.unit', base ?? '')
    if (!picked || !base) return
    clearErrors('lines.0.unit')
    if (getValues('lines.0.quantity') === '') setValue('lines.0.quantity', '1')
    const equivalents = await queryClient.fetchQuery(quantitiesOf(picked.id)({ amount: '1', unit: base })).catch(() => null)
    const { article_id, unit: chosen } = getValues('lines.0')
    if (article_id === picked.id && chosen === base && equivalents?.relations.some((relation: { of: string }) => relation.of === 'piece')) {
      setValue('lines.0.unit', 'piece')
    }
  }

  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        alignItems: 'start',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))', lg: '2fr 1fr 1fr 1fr 1fr' },
      }}
    >
      <RefField control={control} name="lines.0.article_id" source={articleRef} required onPick={(_, picked) => void onPick(picked)} />
      <QuantityField
        control={control}
        name="lines.0.quantity"
        unit="lines.0.unit"
        units={units}
        equivalentsQuery={equivalentsQuery}
        required
      />
      <RefField control={control} name="buyer_id" source={partnerRef} />
      {rights.has('warehouse.list') && <RefField control={control} name="lines.0.warehouse_id" source={warehouseRef} />}
      <Box sx={{ display: 'grid', minWidth: { lg: 'max-content' } }}>
        <FormLabel htmlFor={id}>{t('spanLabel')}</FormLabel>
        <NativeSelect
          value={String(span)}
          onChange={(event) => onSpan(MONTH_COUNTS.find((one) => String(one) === event.target.value) ?? span)}
          inputProps={{ id }}
        >
          {MONTH_COUNTS.map((one) => (
            <option key={one} value={String(one)}>
              {t(`span.${one}`)}
            </option>
          ))}
        </NativeSelect>
      </Box>
    </Box>
  )
}

interface OverTimeContentProps {
  body: PriceOverTimeInput
  moment: number | null
  onChoose: (moment: number) => void
}

function OverTimeContent({ body, moment, onChoose }: OverTimeContentProps) {
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery({
    ...quotes.overTime(body),
    placeholderData: keepPreviousData,
  })
  if (error) return <OverTimeError error={error} retry={() => void refetch()} pending={isFetching} />
  if (!data) return <Waiting />
  return (
    <Box aria-busy={isPlaceholderData} sx={{ display: 'grid', gap: 2, minWidth: 0, opacity: isPlaceholderData ? 0.55 : 1 }}>
      <OverTimeResult result={data} body={body} moment={moment} onChoose={onChoose} />
    </Box>
  )
}

/** Shows errors of the input; other errors can be retried. */
function OverTimeError({ error, retry, pending }: { error: unknown; retry: () => void; pending: boolean }) {
  const { t } = useTranslation('priceCalculator')
  const texts = isApiError(error)
    ? Object.entries(error.fields).flatMap(([path, messages]) => (isPartyField(path) ? t('unknownBuyer') : messages))
    : []
  if (texts.length === 0) return <LoadFailed error={error} retry={retry} pending={pending} />
  return <Notice tone="error">{texts.join(' ')}</Notice>
}

function OverTimeResult({ result: { article, steps, cut }, body, moment, onChoose }: OverTimeContentProps & { result: PriceOverTime }) {
  const { t } = useTranslation('priceOverTime')
  const { time_zone: zone } = useConfig()
  const now = useNow().getTime()
  const step = moment === null ? undefined : stepAt(steps, moment)
  const futureSteps = steps.filter(({ until }) => Date.parse(until) > now)
  const gaps = futureSteps.filter((one) => stepKind(one) === 'gap').length
  const overlaps = futureSteps.filter((one) => stepKind(one) === 'overlap').length
  return (
    <>
      <Card title={`${article.article_number} · ${article.article_name}`}>
        <Stack spacing={2}>
          {gaps > 0 && <Notice tone="warning">{t('ahead.gap', { count: gaps })}</Notice>}
          {overlaps > 0 && <Notice tone="info">{t('ahead.overlap', { count: overlaps })}</Notice>}
          {cut && <Notice tone="info">{t('cut', { count: steps.length })}</Notice>}
          <OverTimeChart steps={steps} now={now} zone={zone} moment={moment} onChoose={onChoose} />
          {step && moment !== null && <OverTimeWhy body={body} step={step} moment={moment} zone={zone} />}
        </Stack>
      </Card>
      <Card title={t('table')}>
        <OverTimeTable steps={steps} now={now} zone={zone} chosen={step?.from ?? null} onChoose={onChoose} />
        {steps.length === 0 && <Typography>{t('noPrice')}</Typography>}
      </Card>
    </>
  )
}
