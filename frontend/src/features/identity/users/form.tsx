import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Permission, Role, User } from '~/api/schema'
import { rolesFor } from '~/features/identity/roles/ref'
import { PermissionField } from '~/features/identity/shared/permission-field'
import { useBlocked } from '~/features/identity/shared/use-blocked'
import { useReadableErrors } from '~/features/identity/shared/use-readable-errors'
import { tenantRef } from '~/features/identity/tenants/ref'
import { CheckField, TextField } from '~/kit/form/fields'
import { RefField } from '~/kit/form/ref-field'
import { ShownField } from '~/kit/form/shown-field'
import { RecordForm } from '~/kit/records/record-form'
import { useMe, useRights } from '~/session/me'
import { useTenant } from '~/session/tenant'
import { users } from './api'
import { InviteButton } from './invite-button'
import { isPending } from './may-invite'
import { user } from './resource'
import { RolesField } from './roles-field'
import type { UserBody } from './schema'
import { type UserForm as Form, toForm, userSchema } from './schema'
import { UserStatusChip } from './status-chip'
import { TaskField, type TaskRights } from './task-field'

export default function UserForm() {
  const me = useMe()
  const { tenantId } = useTenant()
  const api = useReadableErrors({
    ...users,
    update: (id: number, body: UserBody & { version: number }) => users.update(id, body, id === me.id),
  })
  return (
    <RecordForm
      resource={user}
      api={api}
      schema={userSchema}
      toForm={(row: User | null) => toForm(row, tenantId)}
      writable={(row) => row.writable}
      width="md"
    >
      {(form, row) => (
        <>
          <TextField control={form.control} name="name" required max={255} autoFocus={row === null} />
          <TextField control={form.control} name="email" required max={255} />
          {row && <Invitation user={row} />}
          <Tenant form={form} row={row} />
          <Rights form={form} row={row} />
        </>
      )}
    </RecordForm>
  )
}

interface Props {
  form: UseFormReturn<Form, unknown, UserBody>
}

/** Status of the user's invitation, until they have a password. */
function Invitation({ user }: { user: User }) {
  const { t } = useTranslation('users')
  if (!isPending(user)) return null
  return (
    <Stack direction="row" useFlexGap sx={{ gap: 1.5, flexWrap: 'wrap', alignItems: 'center' }}>
      <UserStatusChip user={user} />
      <InviteButton user={user} label={t('actions.sendInvitation')} />
    </Stack>
  )
}

/** Tenant of the user: can only be set on creation, and only by the platform. */
function Tenant({ form, row }: Props & { row: User | null }) {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  const { mayChoose } = useTenant()
  if (row) return mayChoose && <ShownField label={t('fields.tenant_id')} value={row.tenant?.company ?? common('states.platform')} />
  if (!mayChoose) return null
  return (
    <RefField
      control={form.control}
      name="tenant_id"
      source={tenantRef}
      // another tenant has other roles, and a task restricts their permissions
      onPick={() => {
        form.setValue('role_ids', [], { shouldDirty: true })
        form.setValue('narrowed', false, { shouldDirty: true })
        form.setValue('permissions', [], { shouldDirty: true })
      }}
    />
  )
}

function Rights({ form, row }: Props & { row: User | null }) {
  const { control } = form
  const own = useMe().id === row?.id
  const currentRoleIds = row?.roles.map(({ id }) => id) ?? []
  const { t } = useTranslation('users')
  const rights = useRights()
  const [tenantId, roleIds, narrowed] = useWatch({ control, name: ['tenant_id', 'role_ids', 'narrowed'] })
  const { data } = useQuery(rolesFor(tenantId))
  const usable = data?.data.filter(({ tenant }) => tenant === null || tenant.id === tenantId)
  const rolePermissions = new Set(usable?.filter(({ id }) => roleIds.includes(id)).flatMap(({ permissions }) => permissions))
  const blockedReason = useBlocked()
  const blocked = (permission: Permission, isGranted: boolean) =>
    own ? t('own') : !isGranted && !rolePermissions.has(permission) ? t('notInRoles') : blockedReason(permission, isGranted)
  // a role can be given only with all its permissions, even those beyond the tenant's maximum; roles given by
  // others can stay
  const roleBlocked = ({ id, permissions }: Role) =>
    narrowed || currentRoleIds.includes(id) || permissions.every((permission) => rights.has(permission)) ? null : t('roleBeyond')
  const leave = (permissions: Iterable<Permission>) =>
    form.setValue('permissions', [...new Set(permissions)], { shouldDirty: true, shouldTouch: true })
  const grantable = (permissions: Iterable<Permission>) => [...permissions].filter((permission) => rights.has(permission))
  function pickTask({ roles, permissions }: TaskRights) {
    const changed = { shouldDirty: true, shouldTouch: true } as const
    form.setValue('narrowed', permissions !== null, changed)
    form.setValue('permissions', permissions ?? [], changed)
    form.setValue('role_ids', roles, { ...changed, shouldValidate: true })
  }
  return (
    <>
      {row === null && usable && <TaskField key={tenantId} roles={usable} onPick={pickTask} />}
      <RolesField
        control={control}
        roles={usable}
        disabled={own}
        blocked={roleBlocked}
        onAssign={({ permissions }) => narrowed && leave([...form.getValues('permissions'), ...grantable(permissions)])}
      />
      <CheckField
        control={control}
        name="narrowed"
        disabled={own}
        // starts with all permissions of the roles, from which the user removes some
        onPick={(on) => on && !row?.narrowed && !form.getFieldState('permissions').isTouched && leave(grantable(rolePermissions))}
      />
      {narrowed && <PermissionField control={control} name="permissions" blocked={blocked} />}
    </>
  )
}
