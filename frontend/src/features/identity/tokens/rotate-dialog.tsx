import { zodResolver } from '@hookform/resolvers/zod'
import Alert from '@mui/material/Alert'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { IssuedToken, PersonalAccessToken } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { EnumField } from '~/kit/form/fields'
import { FormDialog } from '~/kit/form/form-dialog'
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

/** Asks for the overlap of the old token and the validity of the new one. */
export default function RotateDialog({ token, onClose, onDone }: Props) {
  const { t } = useTranslation(['tokens', 'common'])
  const format = useFormat()
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

  return (
    <FormDialog
      ns="tokens"
      title={t('rotate.title', { name: token.name })}
      description={t('rotate.body')}
      pending={save.pending}
      error={error}
      action={t('rotate.action')}
      onSubmit={() => void form.handleSubmit((body) => save.submit(body), save.reset)()}
      onClose={onClose}
    >
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
    </FormDialog>
  )
}
