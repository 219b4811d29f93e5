import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { DateField } from '~/kit/form/date-field'
import { EnumField, TextField } from '~/kit/form/fields'
import { FormDialog } from '~/kit/form/form-dialog'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { type ClosureForm, closureSchema, closuresOf, type RangeOutput, SCOPES } from './closure-schema'
import type { ClosedDay } from './days-off'
import { type ClosureCalls, useClosures } from './use-closures'

interface Props {
  calls: ClosureCalls<ClosedDay>
  day: string
  /** True if closures can also be made for all places. */
  hasScopes: boolean
  /** Returns the reason why the day is off already; undefined while the year loads. */
  describeDay: (day: string) => string | undefined
  /** True if the day is off anyway. */
  isOff: (day: string) => boolean
  onClose: () => void
}

/** Closes a place, or all of them, for a day. */
export default function ClosureDialog({ calls, day, hasScopes, describeDay, isOff, onClose }: Props) {
  const { t } = useTranslation(['warehouses', 'common'])
  const { closed, closeMany } = useClosures(calls)
  const form = useForm<ClosureForm, unknown, RangeOutput>({
    resolver: zodResolver(closureSchema as never) as never,
    defaultValues: { date: day, until: '', name: '', scope: 'one' },
    mode: 'onTouched',
  })
  const save = useSave({
    save: async (body: RangeOutput) => {
      const bodies = closuresOf(body, isOff)
      const [onlyBody] = bodies
      return bodies.length === 1 && onlyBody ? [await calls.close(onlyBody)] : closeMany(bodies)
    },
    done(closures) {
      onClose()
      const [onlyClosure] = closures
      if (closures.length === 1 && onlyClosure) closed(onlyClosure)
    },
  })
  const error = useServerErrors(form, save.error)
  const dayDescription = describeDay(useWatch({ control: form.control, name: 'date' }))
  return (
    <FormDialog
      ns="warehouses"
      title={t('closures.add')}
      maxWidth="xs"
      pending={save.pending}
      error={error}
      action={t('closures.save')}
      onSubmit={() => void form.handleSubmit((body) => save.submit(body), save.reset)()}
      onClose={onClose}
    >
      <DateField control={form.control} name="date" required help={dayDescription ? t('closures.is', { what: dayDescription }) : ''} />
      <DateField control={form.control} name="until" label={t('closures.until')} help={t('closures.untilHelp')} />
      <TextField control={form.control} name="name" required max={255} autoFocus label={t('closures.name')} help={t('closures.nameHelp')} />
      {hasScopes && (
        <EnumField
          control={form.control}
          name="scope"
          required
          label={t('closures.scope')}
          values={SCOPES}
          labelOf={(scope) => t(`closures.${scope as 'one'}`)}
        />
      )}
    </FormDialog>
  )
}
