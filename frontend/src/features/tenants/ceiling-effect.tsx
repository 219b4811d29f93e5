import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'
import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Permission, Tenant } from '~/api/schema'
import { usePermissionTexts } from '~/features/permissions/texts'
import { useFormat } from '~/i18n/use-format'
import { usePreview } from '~/kit/form/use-preview'
import { type TenantBody, tenants } from './api'
import type { TenantForm } from './schema'

interface Props {
  control: Control<TenantForm, unknown, TenantBody>
  row: Tenant
}

/** What the rights that are about to be added give to whom, before they are saved. */
export function CeilingEffect({ control, row }: Props) {
  const { t } = useTranslation('tenants')
  const texts = usePermissionTexts()
  const format = useFormat()
  const permissions: Permission[] = useWatch({ control, name: 'permissions' })
  const grows = permissions.some((permission) => !row.permissions.includes(permission))
  const effect = usePreview(tenants.effect(row.id), grows ? permissions : null).data
  const total = format.decimal(effect?.user_count ?? 0)
  const count = effect?.gaining_count ?? 0
  return (
    <div aria-live="polite">
      {grows && effect && (
        <Alert severity="info">
          <AlertTitle>
            {t('effect.title', { count: effect.permissions.length, total: format.decimal(effect.permissions.length) })}
          </AlertTitle>
          {effect.user_count === 0
            ? t('effect.noUsers')
            : count === 0
              ? t('effect.none', { total })
              : t('effect.gaining', { count, gaining: format.decimal(count), total })}
          <Box component="ul" sx={{ m: 0, mt: 1, pl: 2.5 }}>
            {effect.permissions.map(({ name, user_count }) => (
              <li key={name}>
                {user_count === 0
                  ? texts.full(name)
                  : t('effect.permission', { permission: texts.full(name), count: user_count, users: format.decimal(user_count) })}
              </li>
            ))}
          </Box>
        </Alert>
      )}
    </div>
  )
}
