import Link from '@mui/material/Link'
import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink, useLocation } from 'react-router'
import { $api } from '~/api/client'
import { viewPermissions } from '~/kit/records/resource'
import { allResources, useResourceNames } from '~/kit/records/resources'
import { useRights } from '~/session/me'
import { keepTenant } from '~/session/tenant'

interface Props {
  /** Kind of record, as the history names it. */
  record: string
  id: number
  /** Name of the record; loaded if it is not given. */
  name?: string | undefined
}

type RecordPath = '/api/admin/materials/{id}'

/** Name of a record, as a link for users who may view it. */
export function RecordLink({ record, id, name }: Props) {
  const names = useResourceNames()
  const rights = useRights()
  const { search } = useLocation()
  const resource = allResources().find((one) => one.record === record)
  const mayView = resource !== undefined && viewPermissions(resource).every((right) => rights.has(right))
  const query = $api.queryOptions('get', `${resource?.apiPath}/{id}` as RecordPath, { params: { path: { id } } })
  const { data } = useQuery({ ...query, enabled: mayView && name === undefined })
  const text = name ?? (data && resource?.title(data as never)) ?? (resource ? `${names.one(resource.ns)} ${id}` : String(id))
  if (!mayView) return text
  return (
    <Link component={RouterLink} to={{ pathname: `${resource.path}/${id}`, search: keepTenant(search) }} sx={{ overflowWrap: 'anywhere' }}>
      {text}
    </Link>
  )
}
