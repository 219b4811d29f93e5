import Link from '@mui/material/Link'
import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink, useLocation } from 'react-router'
import { $api } from '~/api/client'
import { seenBy } from '~/kit/records/resource'
import { allResources, useNames } from '~/kit/records/resources'
import { useRights } from '~/session/me'
import { keepTenant } from '~/session/tenant'

interface Props {
  /** What the history calls it. */
  record: string
  id: number
  /** Asked for where it is not known. */
  name?: string | undefined
}

type Alike = '/api/admin/materials/{id}'

/** A record by its name, with the way to it for who may see it. */
export function RecordLink({ record, id, name }: Props) {
  const names = useNames()
  const rights = useRights()
  const { search } = useLocation()
  const resource = allResources().find((one) => one.record === record)
  const sees = resource !== undefined && seenBy(resource).every((right) => rights.has(right))
  const ask = $api.queryOptions('get', `${resource?.wire}/{id}` as Alike, { params: { path: { id } } })
  const { data } = useQuery({ ...ask, enabled: sees && name === undefined })
  const text = name ?? (data && resource?.title(data as never)) ?? (resource ? `${names.one(resource.ns)} ${id}` : String(id))
  if (!sees) return text
  return (
    <Link component={RouterLink} to={{ pathname: `${resource.path}/${id}`, search: keepTenant(search) }} sx={{ overflowWrap: 'anywhere' }}>
      {text}
    </Link>
  )
}
