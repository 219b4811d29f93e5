import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Package } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import type { ArticleRow } from '~/api/schema'
import { EmptyState } from '~/kit/feedback/empty-state'
import { useDelete } from '~/kit/feedback/use-delete'
import { columns } from '~/kit/list/columns'
import { CreateButton } from '~/kit/list/create-button'
import { ResourceTable } from '~/kit/list/resource-table'
import { useListState } from '~/kit/list/use-list-state'
import { useRowActions } from '~/kit/list/use-row-actions'
import { Page } from '~/kit/shell/page'
import { useAccess } from '~/session/access'
import { articleList, articles } from './api'
import { WeightText } from './weight'

const col = columns<ArticleRow>('articles')
const COLUMNS = [
  col.text('article_number'),
  col.text('article_name'),
  col.custom('article_type_id', (row) => row.article_type.name),
  col.custom('material_id', (row) => row.material?.name, { card: false }),
  col.custom('weight_per_base_unit', (row) => <WeightText row={row} />, { align: 'right' }),
  col.instant('updated_at', { card: false }),
]

export default function ArticleList() {
  const { t } = useTranslation('articles')
  const may = useAccess('article', { platform: true })
  const list = useListState('articles', articleList)
  const query = useQuery({ ...articles.list(list.state), placeholderData: keepPreviousData })
  const remove = useDelete<ArticleRow>({
    remove: (row) => articles.remove(row.id, row.article_number),
    keys: articles.keys,
    name: (row) => row.article_number,
    retype: (row) => row.article_number,
  })
  const rowActions = useRowActions<ArticleRow>({ may, remove })
  const create = may.create && <CreateButton label={t('actions.new')} />
  return (
    <Page fill title={t('title.list')} actions={create}>
      <ResourceTable
        list={list}
        query={query}
        columns={COLUMNS}
        rowName={(row) => row.article_number}
        rowHref={(row) => String(row.id)}
        rowActions={rowActions}
        empty={
          <EmptyState icon={Package} title={t('empty.title')} action={create}>
            {t('empty.body')}
          </EmptyState>
        }
      />
      <Outlet />
    </Page>
  )
}
