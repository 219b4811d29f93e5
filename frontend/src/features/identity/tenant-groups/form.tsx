import { companiesIn, tenantRef } from '~/features/identity/tenants/ref'
import { TextField } from '~/kit/form/fields'
import { RefsField, refEntries } from '~/kit/form/refs-field'
import { RecordForm } from '~/kit/records/record-form'
import { useRights } from '~/session/me'
import { tenantGroups } from './api'
import { tenantGroup } from './resource'
import { MEMBERS_MAX, tenantGroupSchema, toForm } from './schema'

const ENTRIES = { tenant_ids: refEntries(tenantRef, companiesIn) }

export default function TenantGroupForm() {
  const rights = useRights()
  return (
    <RecordForm resource={tenantGroup} api={tenantGroups} schema={tenantGroupSchema} toForm={toForm} entries={ENTRIES}>
      {({ control }, row) => (
        <>
          <TextField control={control} name="name" required max={255} autoFocus={row === null} />
          <TextField control={control} name="description" max={255} />
          <RefsField
            control={control}
            name="tenant_ids"
            source={tenantRef}
            names={companiesIn(row)}
            canSearch={rights.has('tenant.list')}
            max={MEMBERS_MAX}
          />
        </>
      )}
    </RecordForm>
  )
}
