import { useTranslation } from 'react-i18next'
import { Page } from '~/kit/ui/page'
import { useCan } from '~/session/me'
import { useTenant } from '~/session/tenant'
import { ExternalApis } from './external-apis'
import { FileFeeds } from './file-feeds'
import { Webhooks } from './webhooks'

/**
 * Board with the state of all connections; each kind is visible to users who may configure it, and each row
 * links to where it is fixed.
 */
export default function ConnectionBoard() {
  const { t } = useTranslation('feeds')
  const { tenantId } = useTenant()
  const seesFeeds = useCan('configure-ftp-import')
  const seesApis = useCan('configure-external-api')
  const seesWebhooks = useCan('configure-webhooks')
  return (
    <Page title={t('title.list')} intro={t(tenantId === null ? 'introOfAll' : 'intro')}>
      {seesFeeds && <FileFeeds />}
      {seesApis && <ExternalApis />}
      {seesWebhooks && <Webhooks />}
    </Page>
  )
}
