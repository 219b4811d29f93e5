import Button from '@mui/material/Button'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { FtpSettings } from '~/api/schema'
import { FieldShell, useField } from '~/kit/form/field-shell'
import { useConfirm } from '~/kit/ui/confirm'
import { notify } from '~/kit/ui/snackbar'
import { ftpSettingsApi } from './api'
import type { FtpControl, SecretName } from './schema'

interface Props {
  control: FtpControl
  name: SecretName
  row: FtpSettings | null
  disabled: boolean
  /** Shown in several lines, as a key file has them. */
  rows?: number
}

/** A secret that is only written: empty, the stored one stays. */
export function SecretField({ rows, row, ...props }: Props) {
  const { t } = useTranslation('ftpSettings')
  const isSet = row?.[`${props.name}_set`] ?? false
  const { field, id, label, help, error, describedBy, disabled } = useField(props)
  return (
    <FieldShell id={id} label={label} help={help} error={error}>
      <OutlinedInput
        {...field}
        ref={undefined}
        inputRef={field.ref}
        id={id}
        disabled={disabled}
        type={rows ? 'text' : 'password'}
        placeholder={t(isSet ? 'secret.unchanged' : 'secret.none')}
        multiline={rows !== undefined}
        {...(rows !== undefined && { minRows: rows, maxRows: 6 })}
        inputProps={{ autoComplete: 'new-password', spellCheck: false, 'aria-describedby': describedBy }}
      />
      {row && isSet && <RemoveButton control={props.control} row={row} name={props.name} />}
    </FieldShell>
  )
}

/** Removes the stored secret after a question. What is typed but not saved would be met by another version. */
function RemoveButton({ control, row, name }: Pick<Props, 'control' | 'name'> & { row: FtpSettings }) {
  const { t } = useTranslation('ftpSettings')
  const { isDirty } = useFormState({ control })
  const confirm = useConfirm()
  const remove = async () => {
    const removed = await confirm({
      title: t(`secret.remove.${name}`),
      body: t('secret.removeBody'),
      action: t('actions.remove'),
      run: () => ftpSettingsApi.removeSecret(row.id, row.version, name),
    })
    if (removed) notify.success(t(`secret.removed.${name}`))
  }
  return (
    <Button
      size="small"
      color="inherit"
      disabled={isDirty}
      onClick={() => void remove()}
      aria-label={t(`secret.remove.${name}`)}
      sx={{ justifySelf: 'start', alignSelf: 'flex-start', mt: 0.5 }}
    >
      {t('actions.remove')}
    </Button>
  )
}
