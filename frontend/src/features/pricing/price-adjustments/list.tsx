import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import type { PriceAdjustment } from '~/api/schema'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { Impact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { SortableArea, SortableItem, useMoveActions } from '~/kit/form/sortable-area'
import { ResourceList } from '~/kit/records/resource-list'
import { useAllowedOperations } from '~/kit/records/resources'
import { columns } from '~/kit/table/columns'
import { useListState } from '~/kit/table/use-list-state'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { ActiveSwitch } from './active-switch'
import { isChain, priceAdjustments } from './api'
import { Applicability } from './applicability'
import { FindingsButton } from './findings-button'
import { OrderStatus, useOrder } from './order'
import { priceAdjustment } from './resource'
import { useCart } from './use-cart'
import { Validity } from './validity'
import { Value } from './value'

const col = columns<PriceAdjustment>('priceAdjustments')
const COLUMNS = [
  col.text('name'),
  col.enum('operation', { card: false }),
  col.custom('value', (row) => <Value adjustment={row} />, { sort: '', card: 'chosen' }),
  col.custom('applicability', (row) => <Applicability adjustment={row} />, { sort: '', card: 'chosen' }),
  col.custom('validity', (row) => <Validity adjustment={row} />, { sort: '', card: 'chosen' }),
  col.custom('active', (row) => <ActiveSwitch row={row} />, { sort: '', card: 'chosen' }),
  col.custom('tenants', (row) => row.tenants.map(({ company }) => company).join(', '), { sort: '', card: false, optional: true }),
  col.custom('tenant_groups', (row) => row.tenant_groups.map(({ name }) => name).join(', '), { sort: '', card: false, optional: true }),
  col.custom('excluded_tenants', (row) => row.excluded_tenants.map(({ company }) => company).join(', '), {
    sort: '',
    card: false,
    optional: true,
  }),
  col.number('position', { card: false, optional: true }),
  col.instant('updated_at', { card: false, optional: true }),
]

const CartChoice = lazyWithTexts(() => import('./cart-choice'))
const CartSubtotal = lazyWithTexts(() => import('./cart-subtotal'))

const PENDING = '\u2026'
const NO_ADJUSTMENTS: readonly PriceAdjustment[] = []

/** Adjustments of a tenant as a chain in its order, or as an ordinary list if it is filtered or sorted. */
export default function PriceAdjustmentList() {
  const may = useAllowedOperations(priceAdjustment)
  const seesImpact = useMaySeeImpact('price_adjustment')
  const { state } = useListState(priceAdjustment.ns, priceAdjustments.spec)
  const { data } = useQuery({ ...priceAdjustments.list(state), enabled: isChain(state) })
  const isChainLoaded = isChain(state) && data !== undefined
  const order = useOrder(isChainLoaded ? data.data : NO_ADJUSTMENTS)
  const moves = useMoveActions(order.ordered.length, order.move)
  const isMovable = isChainLoaded && may.update
  const ids = order.ordered.map(({ id }) => id)
  const { mayCalculate, cart, choose } = useCart()
  const chain = isChainLoaded ? data.data : NO_ADJUSTMENTS
  const unsaved = ids.join() !== chain.map(({ id }) => id).join()
  const visibleColumns = useMemo(() => {
    if (cart === null || chain.length === 0) return COLUMNS
    // an order that is not saved yet has no subtotals
    const cell = ({ id }: PriceAdjustment) =>
      unsaved ? (
        PENDING
      ) : (
        <Suspense fallback={PENDING}>
          <CartSubtotal cart={cart} chain={chain} id={id} />
        </Suspense>
      )
    const subtotal = col.custom('subtotal', cell, { sort: '', align: 'right', card: 'chosen' })
    return COLUMNS.flatMap((column) => (column.id === 'value' ? [column, subtotal] : [column]))
  }, [cart, chain, unsaved])
  return (
    <SortableArea ids={ids} name={(id) => order.ordered.find((row) => row.id === id)?.name ?? ''} onMove={order.move} fixed={!isMovable}>
      <ResourceList
        resource={priceAdjustment}
        api={priceAdjustments}
        columns={visibleColumns}
        copyable
        {...(mayCalculate && { actions: <FindingsButton /> })}
        {...(seesImpact && { deletes: ({ id }: PriceAdjustment) => <Impact request={impactOf.adjustment({ delete: { id } })} /> })}
        ordering={{ rows: order.ordered, Item: SortableItem, fixed: !isMovable }}
        rowActions={(row) => (isMovable ? moves(ids.indexOf(row.id)) : [])}
      >
        {mayCalculate && chain.length > 0 && (
          <Suspense fallback={<Box sx={{ height: 38 }} />}>
            <CartChoice cart={cart} onChoose={choose} chain={chain} isOrderUnsaved={unsaved} />
          </Suspense>
        )}
        <OrderStatus order={order} mayEdit={may.update} chain={isChain(state)} />
      </ResourceList>
    </SortableArea>
  )
}
