import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'react-router'
import { isApiError } from '~/api/errors'
import type { Partner } from '~/api/schema'
import { partnerRef } from '~/features/exchange/partners/ref'
import { TabLinks } from '~/kit/records/tab-links'
import { usePageCrumbs } from '~/kit/ui/crumbs'
import { EmptyState } from '~/kit/ui/empty-state'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Page } from '~/kit/ui/page'
import { Waiting } from '~/kit/ui/waiting'
import { useCan } from '~/session/me'
import { partners } from './screen'

interface Props {
  actions?: (partner: Partner) => ReactNode
  children: (partner: Partner) => ReactNode
}

/** Page of the partner in the URL, with its tabs. */
export function PartnerPage(props: Props) {
  const { t } = useTranslation(['partners', 'common'])
  const id = Number(useParams().id)
  const isValidId = Number.isSafeInteger(id)
  const { data, error, refetch, isFetching } = useQuery({ ...partnerRef.one(id), enabled: isValidId })
  if (data) return <PartnerTabs {...props} partner={data} />
  return (
    <Page title={t('title.one')}>
      {!isValidId || (isApiError(error) && error.status === 404) ? (
        <EmptyState icon={partners.icon} title={t('common:errors.recordGone')} />
      ) : error ? (
        <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      ) : (
        <Waiting />
      )}
    </Page>
  )
}

function PartnerTabs({ partner, actions, children }: Props & { partner: Partner }) {
  const { t } = useTranslation('partners')
  const { pathname } = useLocation()
  const seesPrices = useCan('listing.view')
  const partnerPath = `${partners.path}/${partner.id}`
  const tabs = [
    { path: partnerPath, text: t('tabs.terms') },
    ...(seesPrices ? [{ path: `${partnerPath}/sheet`, text: t('tabs.sheet') }] : []),
  ]
  const current = tabs.find(({ path }) => path === pathname.replace(/\/$/, ''))
  usePageCrumbs([{ path: partnerPath, text: partner.company }, ...(current && current.path !== partnerPath ? [current] : [])])
  return (
    <Page
      title={partner.company}
      part={current?.text}
      intro={[partner.short_code, partner.place].filter(Boolean).join(' · ')}
      actions={actions?.(partner)}
    >
      <TabLinks label={partner.company} tabs={tabs} current={current?.path ?? ''} />
      {children(partner)}
    </Page>
  )
}
