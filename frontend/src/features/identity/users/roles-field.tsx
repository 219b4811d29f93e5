import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import Skeleton from '@mui/material/Skeleton'
import type { Control } from 'react-hook-form'
import type { Role } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { useListError } from '~/kit/form/field-error'
import { useField } from '~/kit/form/field-shell'
import type { UserForm } from './schema'

interface Props<C, O> {
  control: Control<UserForm, C, O>
  /** Roles that the user's tenant can use; undefined while they are loading. */
  roles: readonly Role[] | undefined
  disabled: boolean
  /** Returns the reason why a role cannot be given and is therefore not offered, or null. */
  blocked: (role: Role) => string | null
  onAssign: (role: Role) => void
}

/** Field for the roles of a user; they are few enough to show all. */
export function RolesField<C, O>({ control, roles, disabled, blocked, onAssign }: Props<C, O>) {
  const form = control as unknown as Control<UserForm>
  const format = useFormat()
  const {
    field,
    id,
    label,
    help,
    disabled: readOnly,
  } = useField({ control: form, name: 'role_ids' }, (ids: number[]) =>
    format.list(ids.map((roleId) => roles?.find((role) => role.id === roleId)?.name ?? String(roleId))),
  )
  const error = useListError(form, 'role_ids' as never)
  const chosen = field.value as number[]
  const reasonOf = (role: Role) => (chosen.includes(role.id) ? null : blocked(role))
  const reason = (!disabled && roles?.map(reasonOf).find((one) => one !== null)) || null
  const assignableRoles = roles?.filter((role) => reasonOf(role) === null)
  const text = error ?? reason ?? help
  return (
    <FormControl component="fieldset" error={error !== null} {...(text && { 'aria-describedby': `${id}-help` })}>
      <FormLabel component="legend">{label}</FormLabel>
      <FormGroup>
        {assignableRoles?.map((role, at) => (
          <FormControlLabel
            key={role.id}
            label={role.name}
            disabled={disabled || readOnly}
            control={
              <Checkbox
                size="small"
                checked={chosen.includes(role.id)}
                onChange={(_, on) => {
                  field.onChange(on ? [...chosen, role.id] : chosen.filter((id) => id !== role.id))
                  if (on) onAssign(role)
                }}
                onBlur={field.onBlur}
                slotProps={{ input: at === 0 ? { ref: field.ref } : {} }}
                sx={{ py: 0.5 }}
              />
            }
          />
        )) ?? <Skeleton height={96} />}
      </FormGroup>
      {text && (
        <FormHelperText id={`${id}-help`} sx={{ mx: 0 }}>
          {text}
        </FormHelperText>
      )}
    </FormControl>
  )
}
