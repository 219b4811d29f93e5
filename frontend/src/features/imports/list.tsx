import Chip from '@mui/material/Chip'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Ban, Eye, FileInput } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation, useNavigate } from 'react-router'
import type { Import } from '~/api/schema'
import { EmptyState } from '~/kit/feedback/empty-state'
import { columns } from '~/kit/list/columns'
import { CreateButton } from '~/kit/list/create-button'
import { ResourceTable } from '~/kit/list/resource-table'
import { useListState } from '~/kit/list/use-list-state'
import { Page } from '~/kit/shell/page'
import { useMe } from '~/session/me'
import { imports } from './api'
import { useImportName } from './import-name'
import { useImportable } from './may-import'
import { ImportProgress } from './progress'
import { ImportStatusChip } from './status-chip'
import { useCancel } from './use-cancel'

function Name({ row }: { row: Import }) {
  const { t } = useTranslation('imports')
  const name = useImportName()
  return (
    <>
      {name(row)}
      {row.dry_run && <Chip size="small" label={t('dryRun.mark')} sx={{ ml: 1 }} />}
    </>
  )
}

const col = columns<Import>('imports')
const COLUMNS = [
  col.custom('name', (row) => <Name row={row} />),
  col.custom('status', (row) => <ImportStatusChip status={row.status} />),
  col.enum('type', { card: false }),
  col.custom('rows', (row) => <ImportProgress row={row} />, { align: 'right' }),
  col.text('upload_file', { optional: true }),
  col.custom('tenant', (row) => row.tenant.company, { card: false }),
  col.custom('created_by', (row) => row.created_by?.name, { card: false }),
  col.instant('created_at', { optional: true }),
  col.instant('updated_at', { card: true }),
]
const WITHOUT_TENANT = COLUMNS.filter(({ id }) => id !== 'tenant')

export default function ImportList() {
  const { t } = useTranslation('imports')
  const { t: common } = useTranslation()
  const me = useMe()
  const mayImport = useImportable().length > 0
  const list = useListState('imports', imports.spec)
  const query = useQuery({ ...imports.list(list.state), placeholderData: keepPreviousData })
  const name = useImportName()
  const navigate = useNavigate()
  const { search } = useLocation()
  const cancel = useCancel()
  const create = mayImport && <CreateButton label={t('actions.new')} />
  return (
    <Page fill title={t('title.list')} actions={create}>
      <ResourceTable
        list={list}
        query={query}
        columns={me.tenant_id === null ? COLUMNS : WITHOUT_TENANT}
        rowName={name}
        rowHref={(row) => String(row.id)}
        rowActions={(row) => [
          { label: common('actions.view'), icon: Eye, onClick: () => void navigate({ pathname: String(row.id), search }) },
          ...(cancel.may
            ? [{ label: t('cancel.action'), icon: Ban, danger: true, blocked: cancel.blocked(row), onClick: () => void cancel.ask(row) }]
            : []),
        ]}
        exporter={imports.export}
        empty={
          <EmptyState icon={FileInput} title={t('empty.title')} action={create}>
            {t(mayImport ? 'empty.body' : 'empty.lookOn')}
          </EmptyState>
        }
      />
      <Outlet />
    </Page>
  )
}
