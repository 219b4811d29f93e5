import Button from '@mui/material/Button'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowDownUp, Ruler } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, Outlet, useLocation } from 'react-router'
import type { Attribute } from '~/api/schema'
import { EmptyState } from '~/kit/feedback/empty-state'
import { useDelete } from '~/kit/feedback/use-delete'
import { columns } from '~/kit/list/columns'
import { CreateButton } from '~/kit/list/create-button'
import { ResourceTable } from '~/kit/list/resource-table'
import { useListState } from '~/kit/list/use-list-state'
import { useRowActions } from '~/kit/list/use-row-actions'
import { Page } from '~/kit/shell/page'
import { useAccess } from '~/session/access'
import { attributeList, attributes } from './api'
import { TypeDetail } from './type-detail'

const col = columns<Attribute>('attributes')
const COLUMNS = [
  col.text('name'),
  col.enum('type'),
  col.custom('detail', (row) => <TypeDetail row={row} />, { sort: '' }),
  col.bool('primary'),
  col.number('position', { optional: true }),
  col.text('placeholder', { card: false }),
  col.instant('updated_at', { card: false }),
]

export default function AttributeList() {
  const { t } = useTranslation('attributes')
  const { search } = useLocation()
  const may = useAccess('attribute', { platform: true })
  const list = useListState('attributes', attributeList)
  const query = useQuery({ ...attributes.list(list.state), placeholderData: keepPreviousData })
  const remove = useDelete<Attribute>({ remove: (row) => attributes.remove(row.id), keys: attributes.keys, name: (row) => row.name })
  const rowActions = useRowActions<Attribute>({ may, remove })
  const create = may.create && <CreateButton label={t('actions.new')} />
  const reorder = may.update && (
    <Button component={Link} to={{ pathname: 'order', search }} color="inherit" startIcon={<ArrowDownUp size={18} />}>
      {t('actions.order')}
    </Button>
  )
  return (
    <Page
      fill
      title={t('title.list')}
      actions={
        <>
          {reorder}
          {create}
        </>
      }
    >
      <ResourceTable
        list={list}
        query={query}
        columns={COLUMNS}
        rowName={(row) => row.name}
        rowHref={(row) => String(row.id)}
        rowActions={rowActions}
        empty={
          <EmptyState icon={Ruler} title={t('empty.title')} action={create}>
            {t('empty.body')}
          </EmptyState>
        }
      />
      <Outlet />
    </Page>
  )
}
