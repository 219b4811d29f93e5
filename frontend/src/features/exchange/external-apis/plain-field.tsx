import OutlinedInput from '@mui/material/OutlinedInput'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldShell } from '~/kit/form/field-shell'

interface Props {
  label: string
  help: string
  value: string
  required?: boolean
  isMissing?: boolean
  onChange: (value: string) => void
}

/** Text field of a test, which is not part of the form. */
export function PlainField({ label, help, value, required = false, isMissing = false, onChange }: Props) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <FieldShell id={id} label={label} help={help} error={isMissing ? t('validation.required') : null} required={required}>
      <OutlinedInput
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        inputProps={{ autoComplete: 'off', maxLength: 255, 'aria-required': required, 'aria-describedby': `${id}-help` }}
      />
    </FieldShell>
  )
}
