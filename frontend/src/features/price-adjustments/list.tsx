import { useQuery } from '@tanstack/react-query'
import type { PriceAdjustment } from '~/api/schema'
import { columns } from '~/kit/list/columns'
import { ResourceList } from '~/kit/list/resource-list'
import { useListState } from '~/kit/list/use-list-state'
import { SortableArea, SortableItem, useMoves } from '~/kit/reorder/sortable-area'
import { useMay } from '~/kit/resource/resources'
import { ActiveSwitch } from './active-switch'
import { isChain, priceAdjustments } from './api'
import { AppliesTo } from './applies-to'
import { ConditionsSummary } from './conditions/summary'
import { OrderStatus, useOrder } from './order'
import { priceAdjustment } from './resource'
import { Validity } from './validity'
import { Value } from './value'

const col = columns<PriceAdjustment>('priceAdjustments')
const COLUMNS = [
  col.text('name'),
  col.enum('operation', { card: false }),
  col.custom('value', (row) => <Value of={row} />, { sort: '', card: 'chosen', whole: true }),
  col.custom('conditions', (row) => <ConditionsSummary of={row.conditions} />, { sort: '', card: 'chosen' }),
  col.custom('apply_to', (row) => <AppliesTo of={row.apply_to} />, { sort: '', card: false, optional: true }),
  col.custom('validity', (row) => <Validity of={row} />, { sort: '', card: 'chosen' }),
  col.custom('active', (row) => <ActiveSwitch row={row} />, { sort: '', card: 'chosen' }),
  col.custom('tenants', (row) => row.tenants.map(({ company }) => company).join(', '), { sort: '', card: false, optional: true }),
  col.custom('tenant_groups', (row) => row.tenant_groups.map(({ name }) => name).join(', '), { sort: '', card: false, optional: true }),
  col.number('position', { card: false, optional: true }),
  col.instant('updated_at', { card: false, optional: true }),
]

const NOTHING: readonly PriceAdjustment[] = []

/** The chain of a tenant in its order, and as a list like any other where it is filtered or sorted. */
export default function PriceAdjustmentList() {
  const may = useMay(priceAdjustment)
  const { state } = useListState(priceAdjustment.ns, priceAdjustments.spec)
  const { data } = useQuery({ ...priceAdjustments.list(state), enabled: isChain(state) })
  const whole = isChain(state) && data !== undefined
  const order = useOrder(whole ? data.data : NOTHING)
  const moves = useMoves(order.ordered.length, order.move)
  const movable = whole && may.update
  const ids = order.ordered.map(({ id }) => id)
  return (
    <SortableArea ids={ids} name={(id) => order.ordered.find((row) => row.id === id)?.name ?? ''} onMove={order.move} fixed={!movable}>
      <ResourceList
        of={priceAdjustment}
        api={priceAdjustments}
        columns={COLUMNS}
        copyable
        ordering={movable ? { rows: order.ordered, Item: SortableItem } : null}
        rowActions={(row) => (movable ? moves(ids.indexOf(row.id)) : [])}
      >
        <OrderStatus order={order} may={may.update} chain={isChain(state)} />
      </ResourceList>
    </SortableArea>
  )
}
