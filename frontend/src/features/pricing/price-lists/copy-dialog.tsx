import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useMemo } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { PriceList, PriceListCopyPreview } from '~/api/schema'
import { InstantField } from '~/features/pricing/shared/instant-field'
import { fromMoment, moment, nullableMoment, toMoment } from '~/features/pricing/shared/moment'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { useImpact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { useFormat } from '~/i18n/use-format'
import { TextField } from '~/kit/form/fields'
import { FormDialog } from '~/kit/form/form-dialog'
import { text, z } from '~/kit/form/schema'
import { usePreview } from '~/kit/form/use-preview'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { notify } from '~/kit/ui/snackbar'
import { addMonths, monthOf } from '~/lib/months'
import { dayIn } from '~/lib/zone'
import { installationZone, useConfig } from '~/session/config'
import { keepTenant } from '~/session/tenant'
import { priceLists } from './api'
import {
  CHANGES,
  ChangeFields,
  type ChangeForm,
  type ChangeKind,
  changeOf,
  changeRule,
  changeShape,
  fieldOf,
  noChange,
} from './change-fields'
import { Difference } from './difference'
import { errorsAtFields } from './errors-at-fields'
import { priceList } from './resource'

const schema = z.object({ name: text(), valid_from: moment(), valid_until: nullableMoment(), ...changeShape }).check(changeRule)
type Body = z.output<typeof schema>

/** Kinds of change without "set": one price for all articles makes no sense in a list. */
const KINDS = CHANGES.filter((kind) => kind !== 'set')

interface Form extends ChangeForm {
  name: string
  valid_from: string
  valid_until: string
}

interface Props {
  row: PriceList
  /** True if the copy is the next version, at whose start the original ends. */
  next: boolean
  onClose: () => void
}

/** Creates a duplicate of a list or its next version, with a preview of the prices. */
export default function CopyDialog({ row, next, onClose }: Props) {
  const { t } = useTranslation(['priceLists', 'common'])
  const { dateTime } = useFormat()
  const { time_zone } = useConfig()
  const navigate = useNavigate()
  const form = useForm<Form, unknown, Body>({
    resolver: zodResolver(schema as never) as never,
    // errors are shown while typing, since they prevent the preview
    mode: 'onChange',
    defaultValues: {
      name: t(next ? 'copy.nextName' : 'copy.name', { name: row.name }),
      valid_from: firstOfNextMonth(),
      valid_until: endAfter(row.valid_until, firstOfNextMonth()),
      ...noChange('none'),
    },
  })
  const { control } = form
  const values = useWatch({ control }) as Form
  useRoundedChanges(form, values.change)
  const priceChange = changeOf(values)
  const preview = usePreview((body: PriceListCopyPreview) => priceLists.previewCopy(row.id, body), priceChange)
  const seesImpact = useMaySeeImpact('price_list')
  const [confirmImpact, dialog] = useImpact()
  const save = useSave({
    async save({ name, valid_from, valid_until, ...change }: Body) {
      const copy = { name, valid_from, valid_until, ...changeOf(change), ends_original: next, version: row.version }
      try {
        if (
          seesImpact &&
          !(await confirmImpact({
            changeKind: next ? 'next' : 'copy',
            name,
            request: impactOf.list(row.id, { copy }),
            skipsIfUnchanged: true,
          }))
        )
          return null
        return await priceLists.copy(row.id, copy)
      } catch (error) {
        throw errorsAtFields(error, fieldOf)
      }
    },
    done(copied) {
      if (!copied) return
      const { price_list } = copied
      notify.success(t('copy.done', { name: price_list.name }))
      onClose()
      void navigate({ pathname: `${priceList.path}/${price_list.id}/prices`, search: keepTenant(location.search) })
    },
  })
  const saveError = useServerErrors(form, save.error)
  const previewRefusal = useMemo(() => errorsAtFields(preview.error, fieldOf), [preview.error])
  const previewError = useServerErrors(form, priceChange && previewRefusal, false)
  const start = fromMoment(values.valid_from)
  return (
    <>
      <FormDialog
        ns="priceLists"
        title={t(next ? 'copy.nextTitle' : 'copy.title', { name: row.name })}
        description={
          next
            ? start
              ? t('copy.nextAbout', { name: row.name, when: dateTime(start, time_zone) })
              : t('copy.nextAboutOpen', { name: row.name })
            : t('copy.about')
        }
        maxWidth="md"
        pending={save.pending}
        error={saveError ?? previewError}
        action={t(next ? 'copy.nextAction' : 'copy.action')}
        onSubmit={() => void form.handleSubmit((body) => save.submit(body), save.reset)()}
        onClose={onClose}
      >
        <TextField control={control} name="name" required max={255} autoFocus />
        <InstantField control={control} name="valid_from" required />
        <InstantField control={control} name="valid_until" />
        <ChangeFields control={control} kinds={KINDS} />
        {priceChange && preview.data && !preview.isPlaceholderData && <Difference difference={preview.data} />}
      </FormDialog>
      {dialog}
    </>
  )
}

/**
 * Rounds changed prices to whole cents and leaves copied ones unchanged, unless the user has chosen a
 * rounding.
 */
function useRoundedChanges({ formState, setValue }: UseFormReturn<Form, unknown, Body>, kind: ChangeKind) {
  const isChosen = formState.dirtyFields.rounding === true
  useEffect(() => {
    if (!isChosen) setValue('rounding', noChange(kind).rounding)
  }, [isChosen, kind, setValue])
}

/** Default start of a new version: prices usually change at the beginning of a month. */
const firstOfNextMonth = () => `${addMonths(monthOf(dayIn(installationZone(), Date.now())), 1)}-01T00:00`

/** End of the original if it is after the start of the copy; otherwise none. */
function endAfter(end: string | null, begin: string): string {
  const from = fromMoment(begin)
  return toMoment(end !== null && from !== null && Date.parse(end) > Date.parse(from) ? end : null)
}
