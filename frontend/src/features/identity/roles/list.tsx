import { useTranslation } from 'react-i18next'
import { permissionValues, type Role } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { roles } from './api'
import { role } from './resource'

function Owner({ role }: { role: Role }) {
  const { t } = useTranslation()
  return role.tenant?.company ?? t('states.platform')
}

function PermissionCount({ role }: { role: Role }) {
  const format = useFormat()
  return `${format.decimal(role.permissions.length)} / ${format.decimal(permissionValues.length)}`
}

const col = columns<Role>('roles')
const COLUMNS = [
  col.text('name'),
  col.custom('tenant', (role) => <Owner role={role} />, { sort: '' }),
  col.custom('permission_count', (role) => <PermissionCount role={role} />, { align: 'right', sort: '' }),
  col.number('user_count'),
  col.instant('updated_at', { card: false }),
]

export default function RoleList() {
  return <ResourceList resource={role} api={roles} columns={COLUMNS} writable={(role) => role.writable} copyable />
}
