import { zodResolver } from '@hookform/resolvers/zod'
import Alert from '@mui/material/Alert'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { PriceDifference, PriceList, PriceListChange } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { CheckField, EnumField } from '~/kit/form/fields'
import { FormDialog } from '~/kit/form/form-dialog'
import { RefField } from '~/kit/form/ref-field'
import { nullableRef, z } from '~/kit/form/schema'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import type { ListState } from '~/kit/table/list-state'
import { useOfferUndoAll } from '~/kit/ui/use-undo'
import { useDebounced } from '~/lib/use-debounced'
import { CHANGES, ChangeFields, type ChangeForm, changeOf, changeRule, changeShape, fieldOf, noChange } from './change-fields'
import { Difference } from './difference'
import { errorsAtFields } from './errors-at-fields'
import { listPrices } from './prices-api'
import { priceListRef } from './ref'

const SCOPES = ['all', 'filtered', 'chosen'] as const
const schema = z
  .object({ which: z.enum(SCOPES), from_price_list_id: nullableRef(), discard_waiting: z.boolean(), ...changeShape })
  .check(changeRule)
type Body = z.output<typeof schema>

interface Form extends ChangeForm {
  which: (typeof SCOPES)[number]
  from_price_list_id: number | null
  discard_waiting: boolean
}

interface Props {
  list: PriceList
  /** Filters of the sheet. */
  state: ListState
  /** Prices of the selected rows, if more than one is selected. */
  chosen: readonly number[]
  onClose: () => void
}

/** Requested change; null while the form is incomplete. */
function toChange(values: Form | Body, chosen: readonly number[]): PriceListChange | null {
  const change = changeOf(values)
  const { which, from_price_list_id, discard_waiting } = values
  // selected rows are changed themselves, not taken from another list
  const from = which === 'chosen' ? null : from_price_list_id
  if (!change || (Object.keys(change.change).length === 0 && !change.rounding && from === null)) return null
  return { ...change, from_price_list_id: from, price_ids: which === 'chosen' ? [...chosen] : null, discard_waiting, dry_run: true }
}

/** Changes many prices of a list together, with a preview of the result. */
export default function ChangeDialog({ list, state, chosen, onClose }: Props) {
  const { t } = useTranslation(['priceLists', 'common'])
  const { decimal } = useFormat()
  const all = state.filters.length > 0 ? 'filtered' : 'all'
  const form = useForm<Form, unknown, Body>({
    resolver: zodResolver(schema as never) as never,
    // errors are shown while typing, since they prevent the preview
    mode: 'onChange',
    defaultValues: { which: chosen.length > 0 ? 'chosen' : all, from_price_list_id: null, discard_waiting: false, ...noChange('percent') },
  })
  const { control } = form
  const values = useWatch({ control }) as Form
  const debouncedChange = useDebounced(JSON.stringify(toChange(values, chosen)), 300)
  const listState = values.which === 'chosen' ? { ...state, filters: [] } : state
  const preview = useQuery({
    queryKey: ['price-list-change', list.id, list.version, debouncedChange, listState.filters],
    queryFn: () => listPrices.tryChange(list.id, listState, JSON.parse(debouncedChange)),
    enabled: debouncedChange !== 'null',
    placeholderData: keepPreviousData,
    retry: false,
  })
  const offer = useOfferUndoAll()
  const save = useSave({
    save: (body: Body) =>
      listPrices
        .change(list.id, listState, {
          discard_waiting: false,
          ...toChange(body, chosen),
          dry_run: false,
          count: previewCount(preview.data),
        })
        .catch((error: unknown) => {
          throw errorsAtFields(error, fieldOf)
        }),
    done(result) {
      const number = result.changed + result.created
      if (result.held > 0) offer(t('sheet.heldBack', { count: result.held, number: decimal(result.held) }), [result], 'warning')
      else offer(t('sheet.saved', { count: number, number: decimal(number) }), [result])
      onClose()
    },
  })
  const saveError = useServerErrors(form, save.error)
  const previewRefusal = useMemo(() => errorsAtFields(preview.error, fieldOf), [preview.error])
  const previewError = useServerErrors(form, debouncedChange === 'null' ? null : previewRefusal, false)
  const difference = debouncedChange === 'null' ? undefined : preview.data
  const isCurrent = difference !== undefined && !preview.isFetching && !preview.isPlaceholderData
  return (
    <FormDialog
      ns="priceLists"
      title={t('sheet.change')}
      description={
        values.which === 'chosen'
          ? t('change.chosen', { count: chosen.length, number: decimal(chosen.length) })
          : t(`change.${values.which}`)
      }
      maxWidth="md"
      pending={save.pending}
      error={saveError ?? previewError}
      action={t('change.action')}
      disabled={!isCurrent}
      onSubmit={() => void form.handleSubmit((body) => isCurrent && save.submit(body), save.reset)()}
      onClose={onClose}
    >
      {chosen.length > 0 && <EnumField control={control} name="which" values={['chosen', all]} required />}
      <ChangeFields control={control} kinds={CHANGES} />
      {values.which !== 'chosen' && <RefField control={control} name="from_price_list_id" source={priceListRef} />}
      {difference && <Difference difference={difference} />}
      {difference && difference.waiting > 0 && (
        <>
          <Alert severity="warning" role="note">
            {t('change.waiting', { count: difference.waiting, number: decimal(difference.waiting) })}
          </Alert>
          <CheckField control={control} name="discard_waiting" />
        </>
      )}
    </FormDialog>
  )
}

/** Number of prices in the preview. */
const previewCount = (difference: PriceDifference | undefined) =>
  difference ? difference.created + difference.changed + difference.unchanged + difference.held + difference.impossible : null
