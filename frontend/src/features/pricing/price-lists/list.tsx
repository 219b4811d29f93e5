import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import { Archive, ChartGantt, CopyPlus, GitBranchPlus, Table2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import type { PriceList } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { ResourceList } from '~/kit/records/resource-list'
import { useAllowedOperations } from '~/kit/records/resources'
import { columns } from '~/kit/table/columns'
import { FilterSwitch } from '~/kit/table/filter-switch'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import type { RowAction } from '~/kit/ui/row-menu'
import { useAddressParams } from '~/lib/address-params'
import { useMe } from '~/session/me'
import { keepTenant } from '~/session/tenant'
import { deletable, priceLists } from './api'
import { priceList } from './resource'
import { PriceListStatus } from './status-chip'
import { TIMELINE } from './timeline-address'
import { useArchive } from './use-archive'
import { useBulkDeletionImpact, useDeletionImpact } from './use-deletion-impact'

const CopyDialog = lazyWithTexts(() => import('./copy-dialog'))

function Audience({ row }: { row: PriceList }) {
  const { t } = useTranslation('priceLists')
  const { decimal } = useFormat()
  const except = row.excluded_tenants.length
  if (row.scope === 'global') return except > 0 ? t('audience.allBut', { count: except, number: decimal(except) }) : t('audience.all')
  if (row.audience_count === null) return t('audience.us')
  return t('audience.count', { count: row.audience_count, number: decimal(row.audience_count) })
}

/** Owner of a list, marking it as one's own or a supplier's. */
function Owner({ row: { own, owner_tenant, owner_tenant_group } }: { row: PriceList }) {
  const { t } = useTranslation('priceLists')
  const me = useMe()
  const isMine = owner_tenant !== null && owner_tenant.id === me.tenant_id
  return (
    <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 0.75 }}>
      <Chip size="small" variant={own ? 'filled' : 'outlined'} label={t(own ? 'ownership.own' : 'ownership.supplier')} />
      {!isMine && (owner_tenant?.company ?? owner_tenant_group?.name)}
    </Box>
  )
}

/** Shows the owner's badge on phones too, since lists of several owners may have the same name. */
const ON_CARD = { card: 'chosen' } as const

const col = columns<PriceList>('priceLists')
const columnsOf = (sorted: boolean) => [
  col.text('name'),
  col.custom('customer_name', (row) => row.customer_name, { sort: '', card: false, optional: true }),
  // without expired lists, sorting by start puts valid lists before planned ones
  col.custom('status', (row) => <PriceListStatus row={row} />, { sort: sorted ? 'valid_from' : '', ...ON_CARD }),
  col.enum('type', { card: false }),
  col.custom('owner', (row) => <Owner row={row} />, { sort: '', ...ON_CARD }),
  col.custom('audience_count', (row) => <Audience row={row} />, { sort: '', card: false }),
  col.moment('valid_from', ON_CARD),
  col.moment('valid_until', ON_CARD),
  col.number('price_count', { card: false }),
  col.instant('updated_at', { card: false, optional: true }),
]

const COLUMNS = { current: columnsOf(true), chosen: columnsOf(false) }

/** Status of expired lists; the archive is the same list filtered by it. */
const ARCHIVE = 'inactive'

function TimelineLink() {
  const { t } = useTranslation('priceLists')
  const { search } = useLocation()
  return (
    <Button
      variant="outlined"
      component={Link}
      to={{ pathname: TIMELINE, search: keepTenant(search) }}
      startIcon={<ChartGantt size={18} aria-hidden />}
    >
      {t('timeline.show')}
    </Button>
  )
}

export default function PriceListList() {
  const { t } = useTranslation('priceLists')
  const may = useAllowedOperations(priceList)
  const navigate = useNavigate()
  const archive = useArchive()
  const deletes = useDeletionImpact()
  const bulkDeletes = useBulkDeletionImpact()
  // if expired lists are included, the start does not sort by status
  const isFilteredByStatus = [...useAddressParams()[0].keys()].some((name) => name.startsWith('f.status'))
  const [copyDialog, setCopyDialog] = useState<{ row: PriceList; next: boolean } | null>(null)
  const actions = (row: PriceList): RowAction[] => [
    {
      label: t(row.writable && may.update && row.status !== 'inactive' ? 'actions.prices' : 'actions.showPrices'),
      icon: Table2,
      onClick: () => void navigate({ pathname: `${priceList.path}/${row.id}/prices`, search: keepTenant(location.search) }),
    },
    ...(may.create && row.own
      ? [{ label: t('actions.duplicate'), icon: CopyPlus, onClick: () => setCopyDialog({ row, next: false }) }]
      : []),
    ...(may.create && may.update && row.writable && row.status !== 'inactive'
      ? [
          { label: t('actions.newVersion'), icon: GitBranchPlus, onClick: () => setCopyDialog({ row, next: true }) },
          { label: t('actions.archive'), icon: Archive, onClick: () => void archive(row) },
        ]
      : []),
  ]
  return (
    <>
      <ResourceList
        resource={priceList}
        api={priceLists}
        tab="prices"
        columns={isFilteredByStatus ? COLUMNS.chosen : COLUMNS.current}
        writable={(row) => row.writable}
        deletable={deletable}
        deletes={deletes}
        bulkDeletes={bulkDeletes}
        rowActions={actions}
        actions={
          <>
            <TimelineLink />
            <FilterSwitch field="status" value={ARCHIVE} icon={Archive} show={t('archive.show')} hide={t('archive.leave')} />
          </>
        }
      />
      {copyDialog && (
        <Suspense fallback={null}>
          <CopyDialog row={copyDialog.row} next={copyDialog.next} onClose={() => setCopyDialog(null)} />
        </Suspense>
      )}
    </>
  )
}
