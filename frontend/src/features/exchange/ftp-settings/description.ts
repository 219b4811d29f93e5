import { resource } from '~/kit/records/resource'
import { ftpSettingsItem } from './screen'

export const ftpSettings = resource('/api/admin/ftp-settings', {
  ns: 'ftpSettings',
  path: ftpSettingsItem.path,
  group: 'exchange',
  owner: 'tenants',
  tenant: 'required',
  rights: 'import',
  permission: 'configure-ftp-import',
  record: 'ftp_settings',
  icon: ftpSettingsItem.icon,
  help: 'feeds',
  title: (row) => row.host,
})
