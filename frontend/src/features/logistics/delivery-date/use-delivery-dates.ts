import { useEffect, useEffectEvent, useMemo } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useNavigation } from 'react-router'
import { ApiError } from '~/api/errors'
import { usePreview } from '~/kit/form/use-preview'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { useAddressParams } from '~/lib/address-params'
import { useDebounced } from '~/lib/use-debounced'
import { useConfig } from '~/session/config'
import { type DateForm, writeQuestion } from './address'
import { deliveryDates } from './api'
import { type DeliveryDateRequests, dayStartOf, toDeliveryDateRequests } from './requests'

const REST = 300

/** Keeps the request in the URL, so that a reload and a link restore it. */
function useFormInAddress(form: DateForm) {
  const [params, changeParams] = useAddressParams()
  const before = params.toString()
  const debouncedForm = JSON.parse(useDebounced(JSON.stringify(form), REST)) as DateForm
  const questionParams = writeQuestion(before, debouncedForm)
  const write = useEffectEvent(() =>
    changeParams((now) => new URLSearchParams(writeQuestion(now.toString(), debouncedForm)), { replace: true, preventScrollReset: true }),
  )
  // during a navigation the URL already belongs to the next page
  const isResting = useNavigation().state === 'idle'
  useEffect(() => {
    if (isResting && questionParams !== before) write()
  }, [isResting, before, questionParams])
}

/**
 * Maps the server's errors to the fields of the form: `from.warehouse_id` is `warehouse_id`, both times are
 * the day.
 */
function atFields(error: ApiError | null): ApiError | null {
  if (error === null) return null
  const fields = Object.entries(error.fields).map(([path, messages]) => [
    path.replace(/^from\./, '').replace(/^(at|arrive_by)$/, 'day'),
    messages,
  ])
  return new ApiError({ ...error, message: error.message, fields: Object.fromEntries(fields) })
}

const routeOf = ({ itinerary: { from, to_node_id } }: DeliveryDateRequests) => ({ from, to_node_id })

/** Answers to the form's requests, updated after each complete change. */
export function useDeliveryDates(form: UseFormReturn<DateForm>) {
  const { time_zone: zone } = useConfig()
  const values = useWatch({ control: form.control }) as DateForm
  useFormInAddress(values)
  const question = toDeliveryDateRequests(values, zone)
  const itinerary = usePreview(deliveryDates.itinerary, question?.itinerary ?? null)
  const ordered = itinerary.isPlaceholderData ? null : (itinerary.data?.ordered_at ?? null)
  const defaultDays = question && ordered !== null ? { ...routeOf(question), at: dayStartOf(ordered, zone) } : null
  const days = usePreview(deliveryDates.orderDays, question?.days ?? defaultDays)
  const { error } = itinerary
  const fieldError = useMemo(() => atFields(error instanceof ApiError ? error : null), [error])
  const remainingError = useServerErrors(form, fieldError, false)
  return { isComplete: question !== null, itinerary, days, error: fieldError === null ? error : remainingError }
}
