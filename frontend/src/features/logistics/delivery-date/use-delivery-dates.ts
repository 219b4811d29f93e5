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
function useInAddress(form: DateForm) {
  const [params, changeParams] = useAddressParams()
  const before = params.toString()
  const settled = JSON.parse(useDebounced(JSON.stringify(form), REST)) as DateForm
  const written = writeQuestion(before, settled)
  const write = useEffectEvent(() =>
    changeParams((now) => new URLSearchParams(writeQuestion(now.toString(), settled)), { replace: true, preventScrollReset: true }),
  )
  // during a navigation the URL already belongs to the next page
  const isResting = useNavigation().state === 'idle'
  useEffect(() => {
    if (isResting && written !== before) write()
  }, [isResting, before, written])
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

const wayOf = ({ itinerary: { from, to_node_id } }: DeliveryDateRequests) => ({ from, to_node_id })

/** Answers to the form's requests, updated after each complete change. */
export function useDeliveryDates(form: UseFormReturn<DateForm>) {
  const { time_zone: zone } = useConfig()
  const values = useWatch({ control: form.control }) as DateForm
  useInAddress(values)
  const question = toDeliveryDateRequests(values, zone)
  const itinerary = usePreview(deliveryDates.itinerary, question?.itinerary ?? null)
  const ordered = itinerary.isPlaceholderData ? null : (itinerary.data?.ordered_at ?? null)
  const found = question && ordered !== null ? { ...wayOf(question), at: dayStartOf(ordered, zone) } : null
  const days = usePreview(deliveryDates.orderDays, question?.days ?? found)
  const { error } = itinerary
  const placed = useMemo(() => atFields(error instanceof ApiError ? error : null), [error])
  const left = useServerErrors(form, placed, false)
  return { isComplete: question !== null, itinerary, days, error: placed === null ? error : left }
}
