import type { Control } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Role } from '~/api/schema'
import { PermissionField } from '~/features/identity/shared/permission-field'
import { useWorded } from '~/features/identity/shared/use-worded'
import { tenantRef } from '~/features/identity/tenants/ref'
import { TextField } from '~/kit/form/fields'
import { ShownField } from '~/kit/form/shown-field'
import { ShownReference } from '~/kit/form/shown-reference'
import { RecordForm } from '~/kit/records/record-form'
import { useMe } from '~/session/me'
import { useTenant } from '~/session/tenant'
import { roles } from './api'
import { role } from './resource'
import type { RoleBody } from './schema'
import { roleSchema, toForm } from './schema'
import { useRoleBlocked } from './use-role-blocked'

type Form = ReturnType<typeof toForm>

/** Whose role it is, and what it may therefore hold. */
function Owned({ control, row }: { control: Control<Form, unknown, RoleBody>; row: Role | null }) {
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
      <PermissionField control={control} name="permissions" blocked={blocked} />
    </>
  )
}

export default function RoleForm() {
  const { t } = useTranslation('roles')
  const api = useWorded(roles)
  return (
    <RecordForm
      of={role}
      api={api}
      schema={roleSchema}
      toForm={toForm}
      copy={(row) => toForm({ ...row, name: t('copyOf', { name: row.name }).slice(0, 255) })}
      writable={(row) => row.writable}
      width="md"
    >
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          <Owned control={control} row={row} />
        </>
      )}
    </RecordForm>
  )
}
