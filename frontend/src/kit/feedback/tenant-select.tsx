import Box from '@mui/material/Box'
import FormLabel from '@mui/material/FormLabel'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Tenant } from '~/api/schema'
import { useTenant } from '~/session/tenant'
import { RefPicker } from '../form/ref-picker'
import type { RefSource } from '../list/ref-source'

/** For users without a tenant of their own; the choice lives in the address. */
export function TenantSelect({ tenants }: { tenants: RefSource<Tenant> }) {
  const { t } = useTranslation('shell')
  const id = useId()
  const { tenantId, choose } = useTenant()
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: { xs: 'wrap', md: 'nowrap' } }}>
      <FormLabel htmlFor={id} sx={{ mb: 0, whiteSpace: 'nowrap', '&&': { color: 'text.secondary' } }}>
        {t('tenant.choose')}
      </FormLabel>
      <Box sx={{ width: { xs: '100%', md: 260 } }}>
        <RefPicker id={id} source={tenants} value={tenantId} onChange={choose} placeholder={t('tenant.none')} />
      </Box>
    </Box>
  )
}
