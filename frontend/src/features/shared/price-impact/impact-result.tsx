import Button from '@mui/material/Button'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { PriceImpact } from '~/api/schema'
import { useErrorText } from '~/kit/ui/error-text'
import { Notice } from '~/kit/ui/notice'
import { Working } from '~/kit/ui/working'
import { ImpactFigures } from './figures'
import { Movers } from './movers'
import { SampleCarts } from './sample-carts'
import { Summary } from './summary'

interface Props {
  query: UseQueryResult<PriceImpact>
  /** True if the user can continue without the impact. */
  optional?: boolean
}

/** Impact of a change on prices, or its progress or error. */
export function ImpactResult({ query: { data, error, isFetching, refetch }, optional = true }: Props) {
  const { t } = useTranslation(['priceImpact', 'common'])
  const text = useErrorText()
  const without = optional ? ` ${t('without')}` : ''
  if (isFetching) return <Working>{t('computing') + without}</Working>
  if (error) {
    const retryButton = (
      <Button color="inherit" size="small" onClick={() => void refetch()} sx={{ alignSelf: 'center', ml: 'auto', flexShrink: 0 }}>
        {t('common:actions.retry')}
      </Button>
    )
    return (
      <Notice tone="warning" action={retryButton}>
        {t('failed', { reason: text(error) }) + without}
      </Notice>
    )
  }
  if (!data) return null
  return (
    <>
      <Summary impact={data} />
      <ImpactFigures impact={data} />
      {data.movers.length > 0 && <Movers movers={data.movers} at={data.at} />}
      {data.sample_carts && data.sample_carts.length > 0 && <SampleCarts carts={data.sample_carts} at={data.at} />}
    </>
  )
}
