import { zodResolver } from '@hookform/resolvers/zod'
import Button from '@mui/material/Button'
import FormControl from '@mui/material/FormControl'
import FormLabel from '@mui/material/FormLabel'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, Suspense, useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { BulkOutcome } from '~/api/schema'
import { useLabels } from '~/i18n/labels'
import type { Namespace } from '~/i18n/namespaces'
import { useFormat } from '~/i18n/use-format'
import { FormScopeContext } from '~/kit/form/form-context'
import { FormSkeleton } from '~/kit/form/form-drawer'
import { z } from '~/kit/form/schema'
import type { ListState } from '~/kit/table/list-state'
import type { BulkSelection } from '~/kit/table/selection/use-selection'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { FormErrors } from '~/kit/ui/form-errors'
import { LoadFailed } from '~/kit/ui/load-failed'
import { NativeSelect } from '~/kit/ui/native-select'
import type { Bulk, BulkFieldChange, BulkFields } from './bulk'

interface Props {
  ns: Namespace
  count: number
  change: NonNullable<Bulk['change']>
  /** Selection to change. */
  target: { state: ListState; selection: BulkSelection }
  onClose: () => void
  onDone: (outcome: BulkOutcome) => void
}

/** Dialog that sets one field of all selected records. */
export default function ChangeDialog({ ns, count, change, target: { state, selection }, onClose, onDone }: Props) {
  const { t } = useTranslation(['selection', 'common'])
  const format = useFormat()
  const labels = useLabels(ns)
  const id = useId()
  const fields = useQuery({
    queryKey: ['bulk-fields', ns],
    queryFn: async () => (await change.fields(state)).default,
    staleTime: Number.POSITIVE_INFINITY,
    // not cached: the fields may depend on the filters
    gcTime: 0,
    meta: { fixed: true },
  })
  const [chosen, setChosen] = useState('')
  const save = useMutation({ mutationFn: (changed: BulkFieldChange) => change.run(state, selection, changed), onSuccess: onDone })
  // changes to names or weights of articles are shown for confirmation first
  const preview = useMutation({
    mutationFn: async (changed: BulkFieldChange) => change.effect?.load(state, selection, changed),
    onSuccess: (effect, changed) => {
      if (!effect || effect.changed + effect.refused === 0) save.mutate(changed)
    },
  })
  const [questioned, setQuestioned] = useState<BulkFieldChange | null>(null)
  const submit = (changed: BulkFieldChange) => (change.question?.isAsked(changed) ? setQuestioned(changed) : preview.mutate(changed))
  const pending = save.isPending || preview.isPending
  const effect = preview.data && preview.data.changed + preview.data.refused > 0 ? preview.data : null
  const back = () => {
    preview.reset()
    save.reset()
  }
  const names = Object.keys(fields.data ?? {})
  const name = chosen || names[0]
  const field = name === undefined ? undefined : fields.data?.[name]
  const rows = { count, rows: format.decimal(count) }
  return (
    <DialogFrame
      title={t('change.title', rows)}
      description={
        <>
          {t('change.body')} {!field?.partial && t('change.empties')}
        </>
      }
      pending={pending}
      onClose={onClose}
      maxWidth="xs"
      content={{ sx: { display: 'grid', gap: 2 } }}
      actions={
        <>
          <Button color="inherit" onClick={onClose} disabled={pending}>
            {t('common:actions.cancel')}
          </Button>
          <Button type="submit" form={`${id}-form`} variant="contained" loading={pending} disabled={!field}>
            {t('change.run', rows)}
          </Button>
        </>
      }
    >
      {fields.error ? (
        <LoadFailed error={fields.error} retry={() => void fields.refetch()} />
      ) : name === undefined || !field ? (
        <FormSkeleton />
      ) : (
        <>
          <FormControl fullWidth>
            <FormLabel htmlFor={`${id}-field`}>{t('change.field')}</FormLabel>
            <NativeSelect
              value={name}
              disabled={pending}
              onChange={(event) => {
                back()
                setChosen(event.target.value as string)
              }}
              inputProps={{ id: `${id}-field`, autoFocus: true }}
            >
              {names.map((fieldName) => (
                <option key={fieldName} value={fieldName}>
                  {labels.field(fieldName)}
                </option>
              ))}
            </NativeSelect>
          </FormControl>
          <Value key={name} id={`${id}-form`} ns={ns} name={name} field={field} submit={(value) => submit({ field: name, value })} />
        </>
      )}
      <FormErrors error={preview.error ?? save.error} />
      {effect && preview.variables && change.effect && (
        <Suspense fallback={null}>
          <change.effect.View
            name={t('change.subject', { field: labels.field(preview.variables.field), ...rows })}
            effect={effect}
            error={save.error}
            pending={save.isPending}
            skips
            onConfirm={() => preview.variables && save.mutate(preview.variables)}
            onBack={back}
          />
        </Suspense>
      )}
      {questioned && change.question && (
        <Suspense fallback={null}>
          <change.question.View
            state={state}
            selection={selection}
            change={questioned}
            onAnswer={(confirmed) => {
              setQuestioned(null)
              if (confirmed) preview.mutate(questioned)
            }}
          />
        </Suspense>
      )}
    </DialogFrame>
  )
}

interface ValueProps {
  id: string
  ns: Namespace
  name: string
  field: BulkFields[string]
  submit: (value: unknown) => void
}

/** Form for the new value. */
function Value({ id, ns, name, field: { schema, initial, Field }, submit }: ValueProps) {
  const form = useForm<Record<string, unknown>, unknown, Record<string, unknown>>({
    resolver: zodResolver(z.object({ [name]: schema })) as never,
    defaultValues: { [name]: initial },
  })
  function onSubmit(event: FormEvent) {
    // a dialog over a list is a React child of it, so the event would bubble to the list
    event.stopPropagation()
    void form.handleSubmit((values) => submit(values[name]))(event)
  }
  return (
    <FormScopeContext.Provider value={{ ns, readOnly: false }}>
      <form id={id} noValidate onSubmit={onSubmit}>
        <Field control={form.control} />
      </form>
    </FormScopeContext.Provider>
  )
}
