import type { Control } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { usePermissionTexts } from '~/features/shared/permissions/texts'
import { useFormat } from '~/i18n/use-format'
import { ChecksField } from '~/kit/form/checks-field'
import { useRights } from '~/session/me'
import { abilities, REQUIRED_PERMISSIONS, textKey } from './abilities'
import type { TokenForm } from './schema'

/**
 * Field for the abilities of a token, with the permissions that each opens and the reason if one cannot be
 * given.
 */
export function AbilitiesField<C, O>({ control }: { control: Control<TokenForm, C, O> }) {
  const form = control as unknown as Control<TokenForm>
  const { t } = useTranslation('tokens')
  const { list } = useFormat()
  const permissions = usePermissionTexts()
  const rights = useRights()
  return (
    <ChecksField
      control={form}
      name="abilities"
      required
      values={abilities}
      labelOf={(ability) => t(`abilities.${textKey(ability)}.name`)}
      helpOf={(ability) => t(`abilities.${textKey(ability)}.help`)}
      blocked={(ability) => {
        const missing = REQUIRED_PERMISSIONS[ability].filter((permission) => !rights.has(permission))
        return missing.length > 0 ? t('missing', { permissions: list(missing.map(permissions.full)) }) : null
      }}
    />
  )
}
