import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { DateField } from '~/kit/form/date-field'
import { EnumField, TextField } from '~/kit/form/fields'
import { FormDialog } from '~/kit/form/form-dialog'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { type ClosureBody, type ClosureForm, closureSchema, SCOPES } from './closure-schema'
import type { ClosedDay } from './days-off'
import { type ClosureCalls, useClosures } from './use-closures'

interface Props {
  calls: ClosureCalls<ClosedDay>
  day: string
  /** Closures can also be made for all places. */
  hasScopes: boolean
  /** The reason why the day is off already; unknown while the year loads. */
  about: (day: string) => string | undefined
  onClose: () => void
}

/** Closes a place, or all of them, for a day. */
export default function ClosureDialog({ calls, day, hasScopes, about, onClose }: Props) {
  const { t } = useTranslation(['warehouses', 'common'])
  const { closed } = useClosures(calls)
  const form = useForm<ClosureForm, unknown, ClosureBody>({
    resolver: zodResolver(closureSchema as never) as never,
    defaultValues: { date: day, name: '', scope: 'one' },
    mode: 'onTouched',
  })
  const save = useSave({
    save: calls.close,
    done(closure) {
      onClose()
      closed(closure)
    },
  })
  const error = useServerErrors(form, save.error)
  const what = about(useWatch({ control: form.control, name: 'date' }))
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
      <DateField control={form.control} name="date" required help={what ? t('closures.is', { what }) : ''} />
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
