import OutlinedInput from '@mui/material/OutlinedInput'
import { useTranslation } from 'react-i18next'
import { FieldShell, useField } from '~/kit/form/field-shell'
import type { FtpControl } from './schema'

interface Props {
  control: FtpControl
  name: 'password' | 'private_key'
  /** True if one is stored. */
  isSet: boolean
  disabled: boolean
  /** Shown in several lines, as a key file has them. */
  rows?: number
}

/** A secret that is only written: empty, the stored one stays. */
export function SecretField({ rows, isSet, ...props }: Props) {
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
        placeholder={t(isSet ? 'secret.unchanged' : 'secret.none')}
        multiline={rows !== undefined}
        {...(rows !== undefined && { minRows: rows, maxRows: 6 })}
        inputProps={{ autoComplete: 'new-password', spellCheck: false, 'aria-describedby': describedBy }}
      />
    </FieldShell>
  )
}
