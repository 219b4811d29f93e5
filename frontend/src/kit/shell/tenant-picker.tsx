import { useTranslation } from 'react-i18next'
import type { Tenant } from '~/api/schema'
import { RefPicker } from '~/kit/form/ref-picker'
import type { RefSource } from '~/kit/form/ref-source'
import { useTenant } from '~/session/tenant'

/** Field to choose a tenant; loaded only for users without one. */
export default function TenantPicker({ id, tenants }: { id: string; tenants: RefSource<Tenant> }) {
  const { t } = useTranslation('shell')
  const { tenantId, choose } = useTenant()
  return <RefPicker id={id} source={tenants} value={tenantId} onChange={choose} placeholder={tenantId === null ? t('tenant.none') : ''} />
}
