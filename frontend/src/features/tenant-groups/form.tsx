import { TextField } from '~/kit/form/fields'
import type { Entries } from '~/kit/form/form-context'
import { RecordForm } from '~/kit/form/record-form'
import { tenantGroups } from './api'
import { MembersEditor } from './members-editor'
import { tenantGroup } from './resource'
import { type TenantGroupForm as Form, tenantGroupSchema, toForm } from './schema'

const members: Entries<Form['tenant_ids'][number]> = { key: ({ id }) => id, text: ({ company }) => company }

export default function TenantGroupForm() {
  return (
    <RecordForm of={tenantGroup} api={tenantGroups} schema={tenantGroupSchema} toForm={toForm} entries={{ tenant_ids: members }}>
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          <TextField control={control} name="description" max={255} />
          <MembersEditor control={control} />
        </>
      )}
    </RecordForm>
  )
}
