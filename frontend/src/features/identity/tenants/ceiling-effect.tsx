import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'
import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { type Control, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { CeilingEffect as EffectView, Permission, Tenant } from '~/api/schema'
import { usePermissionTexts } from '~/features/shared/permissions/texts'
import { useFormat } from '~/i18n/use-format'
import { usePreview } from '~/kit/form/use-preview'
import { tenants } from './api'
import type { TenantBody, TenantForm } from './schema'

interface Props {
  control: Control<TenantForm, unknown, TenantBody>
  row: Tenant
}

/** Permissions that are added to the maximum. */
export const added = (row: Tenant, permissions: readonly Permission[]) =>
  permissions.filter((permission) => !row.permissions.includes(permission))

/** Preview of how many users gain which permissions, while the maximum is edited. */
export function CeilingEffect({ control, row }: Props) {
  const permissions: Permission[] = useWatch({ control, name: 'permissions' })
  const addsPermissions = added(row, permissions).length > 0
  const effect = usePreview(
    (permissions: Permission[]) => tenants.effect(row.id, { permissions }),
    addsPermissions ? permissions : null,
  ).data
  return <div aria-live="polite">{addsPermissions && effect && <Effect effect={effect} />}</div>
}

/** Effect of a maximum in the confirmation before it is saved. */
export function EffectOf({ row, permissions }: { row: Tenant; permissions: Permission[] }) {
  const { data } = useQuery(tenants.effect(row.id, { permissions }))
  // a preview that cannot be loaded must not prevent saving
  return data ? <Effect effect={data} /> : null
}

function Effect({ effect: { user_count: userCount, gaining_count: gainingCount, permissions } }: { effect: EffectView }) {
  const { t } = useTranslation('tenants')
  const texts = usePermissionTexts()
  const format = useFormat()
  const users = { total: format.decimal(userCount), gaining: format.decimal(gainingCount) }
  return (
    <Alert severity="info">
      <AlertTitle>{t('effect.title', { count: permissions.length, total: format.decimal(permissions.length) })}</AlertTitle>
      {userCount === 0
        ? t('effect.noUsers')
        : gainingCount === 0
          ? t('effect.none', { count: userCount, ...users })
          : userCount === 1
            ? t('effect.only')
            : t('effect.gaining', { count: gainingCount, ...users })}
      <Box component="ul" sx={{ m: 0, mt: 1, pl: 2.5 }}>
        {permissions.map(({ name, user_count }) => (
          <li key={name}>
            {user_count === 0
              ? texts.full(name)
              : t('effect.permission', { permission: texts.full(name), count: user_count, users: format.decimal(user_count) })}
          </li>
        ))}
      </Box>
    </Alert>
  )
}
