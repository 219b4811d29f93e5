import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { SavedView } from '~/api/schema'
import { loadChunk } from '~/kit/ui/lazy-with-texts'
import type { TableColumn } from '../columns'
import type { ColumnChoice } from '../use-columns'
import type { List } from '../use-list-state'
import { views } from './api'
import type { apply } from './view-state'

type Apply = typeof apply

/**
 * Applies the user's default view to a list that is opened without parameters. Returns true as soon as it is
 * clear which rows to request.
 */
export function useStartView<Row>(list: List, columns: readonly TableColumn<Row>[], choice: ColumnChoice<Row>): boolean {
  const [starting, setStarting] = useState(list.isDefault)
  const loadsStartView = starting && list.isDefault
  const { data, isError } = useQuery({ ...views.list(list.ns), enabled: loadsStartView })
  const first = data?.data.find((view) => view.default)
  const begin = useEffectEvent((apply: Apply, view: SavedView) =>
    apply({ list, columnIds: columns.map(({ id }) => id), showColumns: choice.show }, view, true),
  )
  const isLoaded = data !== undefined || isError
  useEffect(() => {
    if (!loadsStartView || (isLoaded && !first)) setStarting(false)
    if (!loadsStartView || !first) return
    let isCancelled = false
    // loaded on demand, because few users have a default view
    void loadChunk(() => import('./view-state')).then(
      ({ apply }) => isCancelled || begin(apply, first),
      () => setStarting(false),
    )
    return () => {
      isCancelled = true
    }
  }, [loadsStartView, isLoaded, first])
  return !loadsStartView || (isLoaded && !first)
}
