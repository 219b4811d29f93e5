import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Shapes } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import type { ArticleType } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { EmptyState } from '~/kit/feedback/empty-state'
import { useDelete } from '~/kit/feedback/use-delete'
import { columns } from '~/kit/list/columns'
import { CreateButton } from '~/kit/list/create-button'
import { ResourceTable } from '~/kit/list/resource-table'
import { useListState } from '~/kit/list/use-list-state'
import { useRowActions } from '~/kit/list/use-row-actions'
import { Page } from '~/kit/shell/page'
import { useAccess } from '~/session/access'
import { articleTypeList, articleTypes } from './api'
import { UnitName } from './unit-fields'

const col = columns<ArticleType>('articleTypes')
const COLUMNS = [
  col.text('name'),
  col.custom('attributes', (row) => row.attributes.map((one) => one.name).join(', ')),
  col.text('article_number_template', { card: false }),
  col.text('article_name_template', { optional: true }),
  col.enum('base_unit_of_measure'),
  col.custom('listing_unit_of_measure', (row) => <UnitName unit={row.listing_unit_of_measure} />, { optional: true }),
  col.custom('price_unit_of_measure', (row) => <UnitName unit={row.price_unit_of_measure} />, { optional: true }),
  col.number('article_count'),
  col.instant('updated_at', { card: false }),
]

export default function ArticleTypeList() {
  const { t } = useTranslation('articleTypes')
  const format = useFormat()
  const may = useAccess('article_type', { platform: true })
  const list = useListState('articleTypes', articleTypeList)
  const query = useQuery({ ...articleTypes.list(list.state), placeholderData: keepPreviousData })
  const remove = useDelete<ArticleType>({
    remove: (row) => articleTypes.remove(row.id, row.name),
    keys: articleTypes.keys,
    name: (row) => row.name,
    retype: (row) => row.name,
  })
  const kept = ({ article_count: count }: ArticleType) => (count > 0 ? t('inUse', { count, articles: format.decimal(count) }) : null)
  const rowActions = useRowActions<ArticleType>({ may, remove, kept })
  const create = may.create && <CreateButton label={t('actions.new')} />
  return (
    <Page fill title={t('title.list')} actions={create}>
      <ResourceTable
        list={list}
        query={query}
        columns={COLUMNS}
        rowName={(row) => row.name}
        rowHref={(row) => String(row.id)}
        rowActions={rowActions}
        empty={
          <EmptyState icon={Shapes} title={t('empty.title')} action={create}>
            {t('empty.body')}
          </EmptyState>
        }
      />
      <Outlet />
    </Page>
  )
}
