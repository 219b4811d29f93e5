import Button from '@mui/material/Button'
import OutlinedInput from '@mui/material/OutlinedInput'
import { type Control, type FieldValues, useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type FieldProps, FieldShell, useField } from '~/kit/form/field-shell'
import { useConfirm } from '~/kit/ui/confirm'
import { notify } from '~/kit/ui/snackbar'

/** Texts for the removal of a stored secret. */
interface Removal {
  title: string
  body: string
  removed: string
  run: () => Promise<unknown>
}

interface Props<T extends FieldValues, C> extends FieldProps<T, C> {
  /** Removal of the stored secret; null if none is stored. */
  removal: Removal | null
  /** Number of lines, for secrets such as a key file. */
  rows?: number
}

/**
 * Write-only field for a secret: left empty, the stored one stays. Its texts are those of the FTP settings.
 */
export function SecretField<T extends FieldValues, C>({ rows, removal, ...props }: Props<T, C>) {
  const { t } = useTranslation('ftpSettings')
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
        placeholder={t(removal ? 'secret.unchanged' : 'secret.none')}
        multiline={rows !== undefined}
        {...(rows !== undefined && { minRows: rows, maxRows: 6 })}
        inputProps={{ autoComplete: 'new-password', spellCheck: false, 'aria-describedby': describedBy }}
      />
      {removal && <RemoveButton control={props.control as unknown as Control} removal={removal} />}
    </FieldShell>
  )
}

/**
 * Removes the stored secret after confirmation. Disabled while the form has changes: saving them would then
 * fail on an outdated version.
 */
function RemoveButton({ control, removal }: { control: Control; removal: Removal }) {
  const { t } = useTranslation('ftpSettings')
  const { isDirty } = useFormState({ control })
  const confirm = useConfirm()
  const { title, body, removed, run } = removal
  const remove = async () => {
    if (await confirm({ title, body, action: t('actions.remove'), run })) notify.success(removed)
  }
  return (
    <Button
      size="small"
      color="inherit"
      disabled={isDirty}
      onClick={() => void remove()}
      aria-label={title}
      sx={{ justifySelf: 'start', alignSelf: 'flex-start', mt: 0.5 }}
    >
      {t('actions.remove')}
    </Button>
  )
}
