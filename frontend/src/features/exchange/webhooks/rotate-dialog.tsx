import Alert from '@mui/material/Alert'
import { useMutation } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '~/api/schema'
import { EnumField } from '~/kit/form/fields'
import { FormDialog } from '~/kit/form/form-dialog'
import { notify } from '~/kit/ui/snackbar'
import { webhooks } from './api'
import { SecretDialog } from './secret-dialog'

/** Hours for which the previous secret still signs as well. */
const OVERLAPS = ['0', '1', '24', '72', '168'] as const

/** Asks how long the previous secret stays valid, then shows the new one. */
export default function RotateDialog({ row, onClose }: { row: Webhook; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  const form = useForm<{ overlap_hours: string }>({ defaultValues: { overlap_hours: '24' } })
  const overlap = useWatch({ control: form.control, name: 'overlap_hours' })
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: (hours: number) => webhooks.rotate(row, hours),
    onSuccess: () => notify.success(t('rotate.done')),
  })
  if (data) return <SecretDialog secret={data.secret} onClose={onClose} />
  return (
    <FormDialog
      ns="webhooks"
      title={t('rotate.title')}
      description={t('rotate.body')}
      pending={isPending}
      error={error}
      action={t('rotate.action')}
      onSubmit={() => mutate(Number(overlap))}
      onClose={onClose}
    >
      <EnumField
        control={form.control}
        name="overlap_hours"
        required
        values={OVERLAPS}
        labelOf={(hours) => t(`overlaps.${hours as '24'}`)}
      />
      <Alert severity={overlap === '0' ? 'warning' : 'info'} variant="outlined" role="status">
        {t(overlap === '0' ? 'rotate.atOnce' : 'rotate.both')}
      </Alert>
    </FormDialog>
  )
}
