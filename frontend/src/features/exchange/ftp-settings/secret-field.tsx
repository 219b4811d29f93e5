import { useTranslation } from 'react-i18next'
import type { FtpSettings } from '~/api/schema'
import { SecretField } from '~/features/exchange/shared/secret-field'
import { ftpSettingsApi } from './api'
import type { FtpControl, SecretName } from './schema'

interface Props {
  control: FtpControl
  name: SecretName
  row: FtpSettings | null
  disabled: boolean
  /** Number of lines, for secrets such as a key file. */
  rows?: number
}

/** Field for a secret of the connection. */
export function FtpSecretField({ row, ...props }: Props) {
  const { t } = useTranslation('ftpSettings')
  const { name } = props
  const removal = row?.[`${name}_set`]
    ? {
        title: t(`secret.remove.${name}`),
        body: t('secret.removeBody'),
        removed: t(`secret.removed.${name}`),
        run: () => ftpSettingsApi.removeSecret(row.id, row.version, name),
      }
    : null
  return <SecretField {...props} removal={removal} />
}
