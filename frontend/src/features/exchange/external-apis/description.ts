import { resource } from '~/kit/records/resource'
import { externalApisItem } from './screen'

export const externalApi = resource('/api/admin/external-apis', {
  ns: 'externalApis',
  path: externalApisItem.path,
  group: 'exchange',
  owner: 'tenants',
  tenant: 'required',
  rights: null,
  permission: 'configure-external-api',
  record: 'external_api',
  icon: externalApisItem.icon,
  help: 'feeds',
  title: (row) => row.base_url.replace(/^https:\/\//, ''),
})
