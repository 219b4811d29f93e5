import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import { externalApiKindValues, type Permission, type Tenant } from '~/api/schema'
import { PermissionField } from '~/features/identity/shared/permission-field'
import { useBlocked } from '~/features/identity/shared/use-blocked'
import { useWorded } from '~/features/identity/shared/use-worded'
import { DecimalField, EnumField, TextField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/records/record-form'
import { useAllowedOperations } from '~/kit/records/resources'
import { useConfirm } from '~/kit/ui/confirm'
import { tenants } from './api'
import { added, CeilingEffect, EffectOf } from './ceiling-effect'
import { GroupLinks } from './group-links'
import { tenant } from './resource'
import type { TenantBody } from './schema'
import { tenantSchema, toForm } from './schema'

const COLUMNS = { display: 'grid', gap: 2.5, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }

export default function TenantForm() {
  const { t } = useTranslation('tenants')
  const may = useAllowedOperations(tenant)
  const notOwn = useBlocked()
  const confirm = useConfirm()
  // permissions added to a tenant's maximum cannot be removed later
  const ask = async ({ permissions }: TenantBody, row: Tenant | null) =>
    row === null ||
    added(row, permissions).length === 0 ||
    confirm({
      title: t('ceiling.title', { name: row.company }),
      body: t('ceiling.warning'),
      detail: <EffectOf row={row} permissions={permissions} />,
      action: t('ceiling.action'),
    })
  return (
    <RecordForm of={tenant} api={useWorded(tenants)} schema={tenantSchema} toForm={toForm} width="md" confirm={ask}>
      {({ control }, row) => {
        const kept = new Set(row?.permissions)
        const blocked = (permission: Permission, held: boolean) => (kept.has(permission) ? t('ceiling.kept') : notOwn(permission, held))
        return (
          <>
            <TextField control={control} name="company" required max={255} autoFocus={row === null} />
            <Box sx={COLUMNS}>
              <TextField control={control} name="name" max={255} />
              <TextField control={control} name="short_code" required max={255} />
            </Box>
            <TextField control={control} name="address" max={255} />
            <Box sx={COLUMNS}>
              <TextField control={control} name="email" max={255} />
              <TextField control={control} name="phone" max={255} />
            </Box>
            <Box sx={COLUMNS}>
              <EnumField control={control} name="external_api_type" values={externalApiKindValues} />
              <DecimalField control={control} name="price_guard_percent" unit="%" />
            </Box>
            {row && <GroupLinks groups={row.tenant_groups} />}
            {(row ? may.update : may.create) && <Alert severity="warning">{t('ceiling.warning')}</Alert>}
            <PermissionField control={control} name="permissions" blocked={blocked} />
            {row && may.update && <CeilingEffect control={control} row={row} />}
          </>
        )
      }}
    </RecordForm>
  )
}
