import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { Article, Quote, Unit } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { articleRef } from '~/features/catalog/articles/ref'
import { useCalculator } from '~/features/pricing/price-calculator/ref'
import { unitPrice } from '~/features/pricing/price-calculator/unit-price'
import { useEuro } from '~/features/shared/money/use-euro'
import { quantitiesOf } from '~/features/shared/quantity/quantities'
import { QuantityField } from '~/features/shared/quantity/quantity-field'
import { useArticleUnits } from '~/features/shared/quantity/use-article-units'
import { FormScopeContext } from '~/kit/form/form-context'
import { RefField } from '~/kit/form/ref-field'
import { Card } from '~/kit/ui/card'
import { LoadFailed } from '~/kit/ui/load-failed'
import { useDebounced } from '~/lib/use-debounced'
import { TENANT_PARAM } from '~/session/tenant'
import { partnerList, type RequestedQuantity } from './api'

interface NetForm {
  article_id: number | null
  amount: string
  unit: Unit | ''
}

const SCOPE = { ns: 'partners', readOnly: false } as const
const AMOUNT = /^\d+(\.\d+)?$/

/** Net price of any article for a partner, as the partner sees it. */
export function NetPrice({ partner }: { partner: number }) {
  const { t } = useTranslation('partners')
  const { control, setValue } = useForm<NetForm>({ defaultValues: { article_id: null, amount: '1', unit: '' } })
  const [article, amount, unit] = useWatch({ control, name: ['article_id', 'amount', 'unit'] })
  const equivalentsQuery = useMemo(() => (article === null ? undefined : quantitiesOf(article)), [article])
  const units = useArticleUnits(equivalentsQuery, unit)
  const typedRequest = useMemo((): RequestedQuantity | null => {
    const complete = article !== null && unit !== '' && AMOUNT.test(amount) && Number(amount) > 0
    return complete ? { article_id: article, quantity: amount, unit } : null
  }, [article, amount, unit])
  const request = useDebounced(typedRequest, 300)
  const onPick = (picked: Article | null) => setValue('unit', picked?.article_type.base_unit_of_measure ?? '')
  return (
    <Card title={t('net.title')}>
      <FormScopeContext.Provider value={SCOPE}>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 3fr) minmax(0, 2fr)' } }}>
          <RefField control={control} name="article_id" source={articleRef} onPick={(_, picked) => onPick(picked)} />
          <QuantityField control={control} name="amount" unit="unit" units={units} equivalentsQuery={equivalentsQuery} />
        </Box>
      </FormScopeContext.Provider>
      <Box sx={{ mt: 2 }}>
        {request ? (
          <NetPriceResult partner={partner} request={request} />
        ) : (
          <Typography variant="body2" color="textSecondary">
            {t('net.none')}
          </Typography>
        )}
      </Box>
    </Card>
  )
}

function NetPriceResult({ partner, request }: { partner: number; request: RequestedQuantity }) {
  const { data, error, refetch, isFetching } = useQuery({ ...partnerList.net(partner, request), placeholderData: keepPreviousData })
  if (error) return <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
  return (
    <Box role="status" aria-busy={isFetching} sx={{ minHeight: 48, opacity: isFetching ? 0.55 : 1 }}>
      {data && <Price quote={data} partner={partner} request={request} />}
    </Box>
  )
}

function Price({ quote, partner, request }: { quote: Quote; partner: number; request: RequestedQuantity }) {
  const { t } = useTranslation('partners')
  const euro = useEuro()
  const symbol = useUnitSymbols()
  const pathname = useCalculator()
  const { search } = useLocation()
  const [line] = quote.lines
  const [item] = line?.items ?? []
  const errors = line?.errors ?? []
  if (!item || errors.length > 0) {
    return (
      <Typography variant="body2" color="error">
        {errors.map(({ message }) => message).join(' ')}
      </Typography>
    )
  }
  const perUnit = unitPrice(item.exact, request.quantity)
  const params = new URLSearchParams({
    buyer: String(partner),
    line: [request.article_id, request.quantity, request.unit].join('_'),
    why: '',
  })
  const tenant = new URLSearchParams(search).get(TENANT_PARAM)
  if (tenant) params.set(TENANT_PARAM, tenant)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1, alignItems: 'baseline', fontVariantNumeric: 'tabular-nums' }}>
      {perUnit && (
        <Typography component="p" sx={{ fontSize: '1.25rem', fontWeight: 650 }}>
          {`${euro(perUnit, { places: 4 })}\u00a0/\u00a0${symbol(request.unit)}`}
        </Typography>
      )}
      <Typography variant="body2">{`${t('net.total')}: ${euro(item.total)}`}</Typography>
      <Typography variant="body2" color="textSecondary">{`${t('net.base')}: ${euro(item.base)}`}</Typography>
      {pathname && (
        <Link component={RouterLink} to={{ pathname, search: params.toString() }} variant="body2">
          {t('net.why')}
        </Link>
      )}
    </Box>
  )
}
