import { zodResolver } from '@hookform/resolvers/zod'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { type FormEvent, useId } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { IssuedToken, PersonalAccessToken } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { DialogFooter } from '~/kit/feedback/dialog-footer'
import { FormErrors } from '~/kit/feedback/form-errors'
import { EnumField } from '~/kit/form/fields'
import { FormScopeContext } from '~/kit/form/form-context'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { useConfig } from '~/session/config'
import { tokens } from './api'
import { OVERLAPS, worksUntil } from './expiry'
import { LifetimeField } from './lifetime'
import { type RotationBody, type RotationForm, rotationForm, rotationSchema } from './schema'

interface Props {
  token: PersonalAccessToken
  onClose: () => void
  onDone: (issued: IssuedToken) => void
}

/** Asks how long the old token works on and the new one is valid. */
export default function RotateDialog({ token, onClose, onDone }: Props) {
  const { t } = useTranslation(['tokens', 'common'])
  const format = useFormat()
  const id = useId()
  const form = useForm<RotationForm, unknown, RotationBody>({
    resolver: zodResolver(rotationSchema(useConfig().time_zone) as never) as never,
    defaultValues: rotationForm,
    mode: 'onTouched',
  })
  const save = useSave({
    save: (body: RotationBody) => tokens.rotate(token, body),
    message: () => t('rotate.done', { name: token.name }),
    done: onDone,
  })
  const error = useServerErrors(form, save.error)
  const overlap = useWatch({ control: form.control, name: 'overlap_hours' })
  const until = worksUntil(token.expires_at, Number(overlap))

  function submit(event: FormEvent) {
    event.preventDefault()
    // a dialog over a list is a React child of it
    event.stopPropagation()
    if (!save.pending) void form.handleSubmit((body) => save.submit(body), save.reset)()
  }

  return (
    <FormScopeContext.Provider value={{ ns: 'tokens', readOnly: false }}>
      <Dialog
        open
        onClose={() => !save.pending && onClose()}
        fullWidth
        maxWidth="sm"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-body`}
      >
        <form noValidate onSubmit={submit} style={{ display: 'contents' }}>
          <DialogTitle id={`${id}-title`} sx={{ overflowWrap: 'anywhere' }}>
            {t('rotate.title', { name: token.name })}
          </DialogTitle>
          <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
            <DialogContentText id={`${id}-body`}>{t('rotate.body')}</DialogContentText>
            <FormErrors error={error} />
            <EnumField
              control={form.control}
              name="overlap_hours"
              required
              values={OVERLAPS}
              labelOf={(hours) => t(`overlaps.${hours as '24'}`)}
            />
            <Alert severity={until ? 'info' : 'warning'} variant="outlined" role="status">
              {until ? t('rotate.until', { until: format.dateTime(until) }) : t('rotate.atOnce')}
            </Alert>
            <LifetimeField control={form.control} />
          </DialogContent>
          <DialogFooter>
            <Button color="inherit" onClick={onClose} disabled={save.pending}>
              {t('common:actions.cancel')}
            </Button>
            <Button type="submit" variant="contained" loading={save.pending}>
              {t('rotate.action')}
            </Button>
          </DialogFooter>
        </form>
      </Dialog>
    </FormScopeContext.Provider>
  )
}
