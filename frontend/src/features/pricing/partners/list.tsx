import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Partner } from '~/api/schema'
import { columns } from '~/kit/table/columns'
import { ResourceTable } from '~/kit/table/resource-table'
import { useColumns } from '~/kit/table/use-columns'
import { useListState } from '~/kit/table/use-list-state'
import { EmptyState } from '~/kit/ui/empty-state'
import { Page } from '~/kit/ui/page'
import { partnerList } from './api'
import { partners } from './screen'

const col = columns<Partner>('partners')
const COLUMNS = [col.text('company'), col.text('short_code'), { ...col.text('place'), sort: null }]

/** Companies that can be named as customers, each with a link to its terms. */
export default function PartnerList() {
  const { t } = useTranslation('partners')
  const list = useListState('partners', partnerList.spec)
  const choice = useColumns('partners', COLUMNS)
  const query = useQuery({ ...partnerList.list(list.state), placeholderData: keepPreviousData })
  return (
    <Page fill title={t('title.list')} intro={t('intro')}>
      <ResourceTable
        list={list}
        query={query}
        columns={COLUMNS}
        choice={choice}
        rowName={(row) => row.company}
        rowHref={(row) => `${partners.path}/${row.id}`}
        empty={
          <EmptyState icon={partners.icon} title={t('empty.title')}>
            {t('empty.body')}
          </EmptyState>
        }
      />
    </Page>
  )
}
