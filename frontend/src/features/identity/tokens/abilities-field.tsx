import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import { type Control, get, useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Ability } from '~/api/schema'
import { usePermissionTexts } from '~/features/shared/permissions/texts'
import { useFormat } from '~/i18n/use-format'
import { useFieldError } from '~/kit/form/field-error'
import { useField } from '~/kit/form/field-shell'
import { useRights } from '~/session/me'
import { abilities, NEEDS, textKey } from './abilities'
import type { TokenForm } from './schema'

/** What a token is for, with what each ability opens and why one cannot be given. */
export function AbilitiesField<C, O>({ control }: { control: Control<TokenForm, C, O> }) {
  const form = control as unknown as Control<TokenForm>
  const { t } = useTranslation('tokens')
  const format = useFormat()
  const permissions = usePermissionTexts()
  const rights = useRights()
  const { field, id, label, help } = useField({ control: form, name: 'abilities' }, (held: Ability[]) =>
    format.list(held.map((ability) => t(`abilities.${textKey(ability)}.name`))),
  )
  const { errors } = useFormState({ control: form, name: 'abilities' })
  const error = useFieldError(get(errors, 'abilities'))
  const chosen = field.value as Ability[]
  return (
    <FormControl component="fieldset" error={error !== null} aria-describedby={`${id}-help`}>
      <FormLabel component="legend">
        {label}
        <span aria-hidden>{' *'}</span>
      </FormLabel>
      <FormHelperText id={`${id}-help`} sx={{ mx: 0 }}>
        {error ?? help}
      </FormHelperText>
      <FormGroup sx={{ gap: 1, mt: 1 }}>
        {abilities.map((ability, at) => {
          const missing = NEEDS[ability].filter((permission) => !rights.has(permission))
          const about = `${id}-${textKey(ability)}`
          return (
            <Box key={ability}>
              <FormControlLabel
                label={t(`abilities.${textKey(ability)}.name`)}
                disabled={missing.length > 0}
                control={
                  <Checkbox
                    size="small"
                    checked={chosen.includes(ability)}
                    onChange={(_, on) =>
                      field.onChange(
                        on ? abilities.filter((one) => one === ability || chosen.includes(one)) : chosen.filter((one) => one !== ability),
                      )
                    }
                    onBlur={field.onBlur}
                    slotProps={{ input: { 'aria-describedby': about, ...(at === 0 && { ref: field.ref }) } }}
                    sx={{ py: 0.5 }}
                  />
                }
              />
              <FormHelperText id={about} error={false} sx={{ mt: 0, ml: 3.5 }}>
                {t(`abilities.${textKey(ability)}.help`)}
                {missing.length > 0 && ` ${t('missing', { permissions: format.list(missing.map(permissions.full)) })}`}
              </FormHelperText>
            </Box>
          )
        })}
      </FormGroup>
    </FormControl>
  )
}
