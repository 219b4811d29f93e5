import { zodResolver } from '@hookform/resolvers/zod'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { DialogFooter } from '~/kit/feedback/dialog-footer'
import { FormErrors } from '~/kit/feedback/form-errors'
import { DateField } from '~/kit/form/date-field'
import { EnumField, TextField } from '~/kit/form/fields'
import { FormScopeContext } from '~/kit/form/form-context'
import { FormElement } from '~/kit/form/form-element'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { warehouses } from './api'
import { type ClosureBody, type ClosureForm, closureSchema, SCOPES } from './schema'
import { useClosures } from './use-closures'

interface Props {
  warehouse: number
  day: string
  /** What a day is so far, as far as that is known. */
  about: (day: string) => string | undefined
  onClose: () => void
}

/** Closes a warehouse, or all of them, for a day. */
export default function ClosureDialog({ warehouse, day, about, onClose }: Props) {
  const { t } = useTranslation(['warehouses', 'common'])
  const id = useId()
  const { closed } = useClosures()
  const form = useForm<ClosureForm, unknown, ClosureBody>({
    resolver: zodResolver(closureSchema as never) as never,
    defaultValues: { date: day, name: '', scope: 'one' },
    mode: 'onTouched',
  })
  const save = useSave({
    save: ({ scope, ...body }: ClosureBody) => warehouses.close({ ...body, warehouse_id: scope === 'one' ? warehouse : null }),
    done(closure) {
      onClose()
      closed(closure)
    },
  })
  const error = useServerErrors(form, save.error)
  const what = about(useWatch({ control: form.control, name: 'date' }))
  return (
    <FormScopeContext.Provider value={{ ns: 'warehouses', readOnly: false }}>
      <Dialog open onClose={() => !save.pending && onClose()} fullWidth maxWidth="xs" aria-labelledby={id}>
        <FormElement
          onSubmit={() => void form.handleSubmit((body) => save.submit(body), save.reset)()}
          pending={save.pending}
          sx={{ display: 'contents' }}
        >
          <DialogTitle id={id}>{t('closures.add')}</DialogTitle>
          <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
            <FormErrors error={error} />
            <DateField control={form.control} name="date" required help={what ? t('closures.is', { what }) : ''} />
            <TextField
              control={form.control}
              name="name"
              required
              max={255}
              autoFocus
              label={t('closures.name')}
              help={t('closures.nameHelp')}
            />
            <EnumField
              control={form.control}
              name="scope"
              required
              label={t('closures.scope')}
              values={SCOPES}
              labelOf={(scope) => t(`closures.${scope as 'one'}`)}
            />
          </DialogContent>
          <DialogFooter>
            <Button color="inherit" onClick={onClose} disabled={save.pending}>
              {t('common:actions.cancel')}
            </Button>
            <Button type="submit" variant="contained" loading={save.pending}>
              {t('closures.save')}
            </Button>
          </DialogFooter>
        </FormElement>
      </Dialog>
    </FormScopeContext.Provider>
  )
}
