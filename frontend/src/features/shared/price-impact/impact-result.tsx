import Button from '@mui/material/Button'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { PriceImpact } from '~/api/schema'
import { useErrorText } from '~/kit/ui/error-text'
import { Notice } from '~/kit/ui/notice'
import { Working } from '~/kit/ui/working'
import { Figures } from './figures'
import { Movers } from './movers'
import { SampleCarts } from './sample-carts'
import { Summary } from './summary'

interface Props {
  of: UseQueryResult<PriceImpact>
  /** True if the user can continue without the impact. */
  optional?: boolean
}

/** Impact of a change on prices, or its progress or error. */
export function ImpactResult({ of: { data, error, isFetching, refetch }, optional = true }: Props) {
  const { t } = useTranslation(['priceImpact', 'common'])
  const text = useErrorText()
  const without = optional ? ` ${t('without')}` : ''
  if (isFetching) return <Working>{t('computing') + without}</Working>
  if (error) {
    const again = (
      <Button color="inherit" size="small" onClick={() => void refetch()} sx={{ alignSelf: 'center', ml: 'auto', flexShrink: 0 }}>
        {t('common:actions.retry')}
      </Button>
    )
    return (
      <Notice tone="warning" action={again}>
        {t('failed', { reason: text(error) }) + without}
      </Notice>
    )
  }
  if (!data) return null
  return (
    <>
      <Summary of={data} />
      <Figures of={data} />
      {data.movers.length > 0 && <Movers of={data.movers} at={data.at} />}
      {data.sample_carts && data.sample_carts.length > 0 && <SampleCarts of={data.sample_carts} at={data.at} />}
    </>
  )
}
