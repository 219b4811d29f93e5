import { Compass } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '~/kit/feedback/empty-state'
import { Page } from '~/kit/shell/page'
import { useMe } from '~/session/me'

export default function Home() {
  const { t } = useTranslation('shell')
  const me = useMe()
  return (
    <Page title={t('homePage.title', { name: me.name })}>
      <EmptyState icon={Compass} title={t('homePage.hintTitle')}>
        {t('homePage.hint')}
      </EmptyState>
    </Page>
  )
}
