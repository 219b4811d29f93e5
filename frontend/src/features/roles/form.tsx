import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { Role } from '~/api/schema'
import { PermissionField } from '~/features/permissions/permission-field'
import { useBlocked } from '~/features/permissions/use-blocked'
import { TextField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/form/record-form'
import { roles } from './api'
import { role } from './resource'
import { roleSchema, toForm } from './schema'

export default function RoleForm() {
  const { t } = useTranslation('roles')
  const blocked = useBlocked()
  const template = (useLocation().state as { template?: Role } | null)?.template
  const copy = template && { ...template, name: t('copyOf', { name: template.name }).slice(0, 255) }
  return (
    <RecordForm
      of={role}
      api={roles}
      schema={roleSchema}
      toForm={(row: Role | null) => toForm(row ?? copy ?? null)}
      writable={(row) => row.writable}
      width="md"
    >
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          <PermissionField control={control} name="permissions" blocked={blocked} />
        </>
      )}
    </RecordForm>
  )
}
