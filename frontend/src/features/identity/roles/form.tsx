import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Control } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Permission, Role } from '~/api/schema'
import { PermissionField } from '~/features/identity/shared/permission-field'
import { useReadableErrors } from '~/features/identity/shared/use-readable-errors'
import { tenantRef } from '~/features/identity/tenants/ref'
import { FieldShell } from '~/kit/form/field-shell'
import { TextField } from '~/kit/form/fields'
import { ShownField } from '~/kit/form/shown-field'
import { ShownReference } from '~/kit/form/shown-reference'
import { RecordForm } from '~/kit/records/record-form'
import { NativeSelect } from '~/kit/ui/native-select'
import { useMe } from '~/session/me'
import { useTenant } from '~/session/tenant'
import { roles } from './api'
import { rolesFor } from './ref'
import { role } from './resource'
import type { RoleBody } from './schema'
import { roleSchema, toForm } from './schema'
import { useRoleBlocked } from './use-role-blocked'

type Form = ReturnType<typeof toForm>

/** Props of the fields that depend on the owner of the role: tenant and permissions. */
interface OwnedProps {
  control: Control<Form, unknown, RoleBody>
  row: Role | null
  onCopy: (permissions: Permission[]) => void
}

function RoleFields({ control, row, onCopy }: OwnedProps) {
  const { t } = useTranslation('roles')
  const me = useMe()
  const { tenantId } = useTenant()
  const owner = row ? (row.tenant?.id ?? null) : tenantId
  const blocked = useRoleBlocked(owner)
  const label = t('fields.tenant')
  return (
    <>
      {owner === null ? (
        <ShownField label={label} value={t('ofPlatform')} />
      ) : row?.tenant || me.tenant ? (
        <ShownField label={label} value={row?.tenant?.company ?? me.tenant?.company ?? ''} />
      ) : (
        <ShownReference label={label} source={tenantRef} id={owner} />
      )}
      {row === null && (
        <CopyFrom
          tenantId={owner}
          onPick={({ permissions }) => onCopy(permissions.filter((permission) => blocked(permission, false) === null))}
        />
      )}
      <PermissionField control={control} name="permissions" blocked={blocked} />
    </>
  )
}

/** Copies the permissions of another role as a starting point. */
function CopyFrom({ tenantId, onPick }: { tenantId: number | null; onPick: (role: Role) => void }) {
  const { t } = useTranslation('roles')
  const id = useId()
  const [chosen, setChosen] = useState<number | null>(null)
  const { data } = useQuery(rolesFor(tenantId))
  const roles = data?.data ?? []
  if (roles.length === 0) return null
  return (
    <FieldShell id={id} label={t('copyFrom.label')} help={t('copyFrom.help')} error={null}>
      <NativeSelect
        value={chosen ?? ''}
        onChange={(event) => {
          const role = roles.find((candidate) => candidate.id === Number(event.target.value))
          setChosen(role?.id ?? null)
          if (role) onPick(role)
        }}
        inputProps={{ id, 'aria-describedby': `${id}-help` }}
      >
        <option value="">{t('copyFrom.none')}</option>
        {roles.map(({ id, name, tenant }) => (
          <option key={id} value={id}>
            {tenant ? name : t('copyFrom.ofPlatform', { name })}
          </option>
        ))}
      </NativeSelect>
    </FieldShell>
  )
}

export default function RoleForm() {
  const { t } = useTranslation('roles')
  const api = useReadableErrors(roles)
  return (
    <RecordForm
      resource={role}
      api={api}
      schema={roleSchema}
      toForm={toForm}
      copy={(row) => toForm({ ...row, name: t('copyOf', { name: row.name }).slice(0, 255) })}
      writable={(row) => row.writable}
      width="md"
    >
      {({ control, setValue }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          <RoleFields
            control={control}
            row={row}
            onCopy={(permissions) => setValue('permissions', permissions, { shouldDirty: true, shouldTouch: true })}
          />
        </>
      )}
    </RecordForm>
  )
}
