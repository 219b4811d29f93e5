import { zodResolver } from '@hookform/resolvers/zod'
import { CalendarClock } from 'lucide-react'
import { useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { isApiError } from '~/api/errors'
import type { ItineraryAlternative } from '~/api/schema'
import { lastMinute } from '~/features/logistics/shared/itinerary/moments'
import { FormScopeContext } from '~/kit/form/form-context'
import { FormElement } from '~/kit/form/form-element'
import { Card } from '~/kit/ui/card'
import { EmptyState } from '~/kit/ui/empty-state'
import { FormErrors } from '~/kit/ui/form-errors'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Page } from '~/kit/ui/page'
import { Waiting } from '~/kit/ui/waiting'
import { useNow } from '~/lib/use-now'
import { minuteIn } from '~/lib/zone'
import { useConfig } from '~/session/config'
import { useTenant } from '~/session/tenant'
import { type DateForm, readQuestion } from './address'
import { OrderDays } from './order-days'
import { QuestionFields } from './question-fields'
import { dateSchema } from './requests'
import { Result } from './result'
import { useDeliveryDates } from './use-delivery-dates'

const SCOPE = { ns: 'deliveryDate', readOnly: false } as const

/**
 * Page with the delivery date of an order and its reasons. Each tenant has a page of its own, since the
 * warehouses differ.
 */
export default function DeliveryDatePage() {
  const { t } = useTranslation('deliveryDate')
  const { tenantId } = useTenant()
  return (
    <Page title={t('title.list')} intro={t('intro')}>
      <DeliveryDate key={tenantId} />
    </Page>
  )
}

function DeliveryDate() {
  const { t } = useTranslation('deliveryDate')
  const { time_zone: zone } = useConfig()
  const { search } = useLocation()
  const now = useNow().getTime()
  const [initialQuestion] = useState(() => readQuestion(search))
  const form = useForm<DateForm>({
    defaultValues: initialQuestion,
    mode: 'onTouched',
    resolver: zodResolver(dateSchema as never) as unknown as Resolver<DateForm>,
  })
  const { isComplete, itinerary, days, error } = useDeliveryDates(form)

  function tryOrder({ order_by }: ItineraryAlternative) {
    const [day = '', time = ''] = minuteIn(zone, lastMinute(order_by)).split('T')
    form.setValue('mode', 'order')
    form.setValue('day', day, { shouldValidate: true })
    form.setValue('time', time)
  }

  return (
    <FormScopeContext.Provider value={SCOPE}>
      <FormElement onSubmit={() => void form.trigger(undefined, { shouldFocus: true })} pending={false} sx={{ display: 'grid', gap: 2 }}>
        <Card title={t('ask')}>
          <QuestionFields form={form} />
        </Card>
        {!isComplete ? (
          <EmptyState icon={CalendarClock} title={t('choose.title')}>
            {t('choose.body')}
          </EmptyState>
        ) : itinerary.error ? (
          isApiError(itinerary.error) && Object.keys(itinerary.error.fields).length > 0 ? (
            error != null && <FormErrors error={error} />
          ) : (
            <LoadFailed error={itinerary.error} retry={() => void itinerary.refetch()} pending={itinerary.isFetching} />
          )
        ) : itinerary.data ? (
          <Result itinerary={itinerary.data} now={now} isOutdated={itinerary.isPlaceholderData} onTry={tryOrder} />
        ) : (
          <Waiting />
        )}
        {isComplete && !itinerary.error && itinerary.data?.arrives_at != null && days.data && days.data.days.length > 0 && (
          <Card title={t('orderDays.title')} intro={t('orderDays.intro')}>
            <OrderDays days={days.data.days} zone={zone} now={now} />
          </Card>
        )}
      </FormElement>
    </FormScopeContext.Provider>
  )
}
