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
import { useCountedIn } from '~/features/shared/quantity/use-counted-in'
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
  const ask = useMemo(() => (article === null ? undefined : quantitiesOf(article)), [article])
  const units = useCountedIn(ask, unit)
  const typed = useMemo((): RequestedQuantity | null => {
    const complete = article !== null && unit !== '' && AMOUNT.test(amount) && Number(amount) > 0
    return complete ? { article_id: article, quantity: amount, unit } : null
  }, [article, amount, unit])
  const wanted = useDebounced(typed, 300)
  const onPick = (picked: Article | null) => setValue('unit', picked?.article_type.base_unit_of_measure ?? '')
  return (
    <Card title={t('net.title')}>
      <FormScopeContext.Provider value={SCOPE}>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 3fr) minmax(0, 2fr)' } }}>
          <RefField control={control} name="article_id" source={articleRef} onPick={(_, picked) => onPick(picked)} />
          <QuantityField control={control} name="amount" unit="unit" units={units} ask={ask} />
        </Box>
      </FormScopeContext.Provider>
      <Box sx={{ mt: 2 }}>
        {wanted ? (
          <Answer partner={partner} wanted={wanted} />
        ) : (
          <Typography variant="body2" color="textSecondary">
            {t('net.none')}
          </Typography>
        )}
      </Box>
    </Card>
  )
}

function Answer({ partner, wanted }: { partner: number; wanted: RequestedQuantity }) {
  const { data, error, refetch, isFetching } = useQuery({ ...partnerList.net(partner, wanted), placeholderData: keepPreviousData })
  if (error) return <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
  return (
    <Box role="status" aria-busy={isFetching} sx={{ minHeight: 48, opacity: isFetching ? 0.55 : 1 }}>
      {data && <Price quote={data} partner={partner} wanted={wanted} />}
    </Box>
  )
}

function Price({ quote, partner, wanted }: { quote: Quote; partner: number; wanted: RequestedQuantity }) {
  const { t } = useTranslation('partners')
  const euro = useEuro()
  const symbol = useUnitSymbols()
  const pathname = useCalculator()
  const { search } = useLocation()
  const [line] = quote.lines
  const [item] = line?.items ?? []
  const faults = line?.errors ?? []
  if (!item || faults.length > 0) {
    return (
      <Typography variant="body2" color="error">
        {faults.map(({ message }) => message).join(' ')}
      </Typography>
    )
  }
  const each = unitPrice(item.exact, wanted.quantity)
  const why = new URLSearchParams({ buyer: String(partner), line: [wanted.article_id, wanted.quantity, wanted.unit].join('_'), why: '' })
  const tenant = new URLSearchParams(search).get(TENANT_PARAM)
  if (tenant) why.set(TENANT_PARAM, tenant)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 1, alignItems: 'baseline', fontVariantNumeric: 'tabular-nums' }}>
      {each && (
        <Typography component="p" sx={{ fontSize: '1.25rem', fontWeight: 650 }}>
          {`${euro(each, { places: 4 })}\u00a0/\u00a0${symbol(wanted.unit)}`}
        </Typography>
      )}
      <Typography variant="body2">{`${t('net.total')}: ${euro(item.total)}`}</Typography>
      <Typography variant="body2" color="textSecondary">{`${t('net.base')}: ${euro(item.base)}`}</Typography>
      {pathname && (
        <Link component={RouterLink} to={{ pathname, search: why.toString() }} variant="body2">
          {t('net.why')}
        </Link>
      )}
    </Box>
  )
}
