import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import type { Material } from '~/api/schema'
import { EmptyState } from '~/kit/feedback/empty-state'
import { useDelete } from '~/kit/feedback/use-delete'
import { columns } from '~/kit/list/columns'
import { CreateButton } from '~/kit/list/create-button'
import { ResourceTable } from '~/kit/list/resource-table'
import { useListState } from '~/kit/list/use-list-state'
import { useRowActions } from '~/kit/list/use-row-actions'
import { Page } from '~/kit/shell/page'
import { useAccess } from '~/session/access'
import { materialList, materials } from './api'

const col = columns<Material>('materials')
const COLUMNS = [
  col.text('name'),
  col.text('material_number'),
  col.text('display_name', { card: false }),
  col.text('article_number_name', { card: false }),
  col.decimal('density'),
  col.instant('updated_at', { card: false }),
]

export default function MaterialList() {
  const { t } = useTranslation('materials')
  const may = useAccess('material', { platform: true })
  const list = useListState('materials', materialList)
  const query = useQuery({ ...materials.list(list.state), placeholderData: keepPreviousData })
  const remove = useDelete<Material>({ remove: (row) => materials.remove(row.id), keys: materials.keys, name: (row) => row.name })
  const rowActions = useRowActions<Material>({ may, remove })
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
          <EmptyState icon={FlaskConical} title={t('empty.title')} action={create}>
            {t('empty.body')}
          </EmptyState>
        }
      />
      <Outlet />
    </Page>
  )
}
