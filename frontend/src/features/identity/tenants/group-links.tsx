import Box from '@mui/material/Box'
import FormLabel from '@mui/material/FormLabel'
import Link from '@mui/material/Link'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { Tenant } from '~/api/schema'
import { useRights } from '~/session/me'
import { keepTenant } from '~/session/tenant'

/** Groups of a tenant, read-only: membership is edited in the group. */
export function GroupLinks({ groups }: { groups: Tenant['tenant_groups'] }) {
  const { t } = useTranslation('tenants')
  const search = keepTenant(useLocation().search)
  const mayViewGroups = useRights().has('tenant-group.view')
  const names = groups.map(({ id, name }, at) => (
    <Fragment key={id}>
      {at > 0 && ', '}
      {mayViewGroups ? (
        <Link component={RouterLink} to={{ pathname: `/tenant-groups/${id}`, search }}>
          {name}
        </Link>
      ) : (
        name
      )}
    </Fragment>
  ))
  return (
    <Box>
      <FormLabel component="div">{t('fields.tenant_groups')}</FormLabel>
      <Box sx={{ typography: 'body2', overflowWrap: 'anywhere' }}>{groups.length > 0 ? names : t('noGroups')}</Box>
    </Box>
  )
}
