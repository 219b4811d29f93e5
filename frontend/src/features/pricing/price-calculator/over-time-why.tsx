import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { PriceOverTimeInput, PriceOverTimeStep } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Notice } from '~/kit/ui/notice'
import { Waiting } from '~/kit/ui/waiting'
import { quotes } from './api'

const WhyPrice = lazyWithTexts(() => import('~/features/pricing/shared/why-price/why-price'), 'whyPrice')

interface Props {
  body: PriceOverTimeInput
  step: PriceOverTimeStep
  moment: number
  zone: string
}

/** Explanation of the price at a time. */
export function OverTimeWhy({ body, step: { from, until }, moment, zone }: Props) {
  const { t } = useTranslation('priceOverTime')
  const { weekdayTime } = useFormat()
  const place = useRef<HTMLDivElement>(null)
  // `from` is more precise than a millisecond, which would round to a time before the step
  const explain_at = moment <= Date.parse(from) ? from : new Date(moment).toISOString()
  // requests this step only, since the others are loaded
  const { data, error, isFetching, refetch } = useQuery(quotes.overTime({ ...body, from, until, explain_at }))
  const title = t('why.region', { when: weekdayTime(explain_at, zone) })
  // scrolls to the explanation after a selection above
  useEffect(() => {
    void moment
    place.current?.focus({ preventScroll: true })
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [moment])
  const quote = data?.explained
  const line = quote?.lines[0]
  return (
    <Box
      ref={place}
      role="region"
      aria-label={title}
      tabIndex={-1}
      sx={{ p: { xs: 1.5, md: 2.5 }, border: 1, borderColor: 'divider', borderRadius: 1, minWidth: 0 }}
    >
      <Typography variant="subtitle2" component="h3" gutterBottom>
        {title}
      </Typography>
      {error ? (
        <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      ) : !data ? (
        <Waiting />
      ) : !line ? (
        <Notice tone="info">{t('nothing')}</Notice>
      ) : line.explanation ? (
        <Suspense fallback={<Waiting />}>
          <WhyPrice
            line={{ ...line, explanation: line.explanation }}
            quantity={{ amount: data.quantity, unit: data.unit }}
            cart={quote.explanation}
          />
        </Suspense>
      ) : (
        line.errors.map(({ code, message }) => (
          <Notice key={code} tone="warning">
            {message}
          </Notice>
        ))
      )}
    </Box>
  )
}
