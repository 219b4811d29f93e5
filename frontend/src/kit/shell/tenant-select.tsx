import Box from '@mui/material/Box'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import { Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Tenant } from '~/api/schema'
import type { RefSource } from '~/kit/form/ref-source'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'

const TenantPicker = lazyWithTexts(() => import('./tenant-picker'))

/** Choice of a tenant for users who belong to none; stored in the address. */
export function TenantSelect({ tenants }: { tenants: RefSource<Tenant> }) {
  const { t } = useTranslation('shell')
  const id = useId()
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: { xs: 'wrap', md: 'nowrap' } }}>
      <FormLabel htmlFor={id} sx={{ mb: 0, whiteSpace: 'nowrap', '&&': { color: 'text.secondary' } }}>
        {t('tenant.choose')}
      </FormLabel>
      <Box sx={{ width: { xs: '100%', md: 260 } }}>
        <Suspense fallback={<OutlinedInput fullWidth disabled />}>
          <TenantPicker id={id} tenants={tenants} />
        </Suspense>
      </Box>
    </Box>
  )
}
