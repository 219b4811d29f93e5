import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import { externalApiKindValues, type Permission, type Tenant } from '~/api/schema'
import { PermissionField } from '~/features/identity/shared/permission-field'
import { useBlocked } from '~/features/identity/shared/use-blocked'
import { useReadableErrors } from '~/features/identity/shared/use-readable-errors'
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
  const blockedReason = useBlocked()
  const confirm = useConfirm()
  // permissions added to a tenant's maximum cannot be removed later
  const confirmCeiling = async ({ permissions }: TenantBody, row: Tenant | null) =>
    row === null ||
    added(row, permissions).length === 0 ||
    confirm({
      title: t('ceiling.title', { name: row.company }),
      body: t('ceiling.warning'),
      detail: <EffectOf row={row} permissions={permissions} />,
      action: t('ceiling.action'),
    })
  return (
    <RecordForm
      resource={tenant}
      api={useReadableErrors(tenants)}
      schema={tenantSchema}
      toForm={toForm}
      width="md"
      confirm={confirmCeiling}
    >
      {({ control }, row) => {
        const currentPermissions = new Set(row?.permissions)
        const blocked = (permission: Permission, isGranted: boolean) =>
          currentPermissions.has(permission) ? t('ceiling.kept') : blockedReason(permission, isGranted)
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
