import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { SavedView } from '~/api/schema'
import type { Column } from '../columns'
import type { ColumnChoice } from '../use-columns'
import type { List } from '../use-list-state'
import { views } from './api'
import { apply } from './view-state'

/** A list that is opened as it is begins with its user's own view. True as soon as it is known what to ask for. */
export function useStartView<Row>(list: List, columns: readonly Column<Row>[], choice: ColumnChoice<Row>): boolean {
  const [starting, setStarting] = useState(list.plain)
  const waits = starting && list.plain
  const { data, isError } = useQuery({ ...views.list(list.ns), enabled: waits })
  const first = data?.data.find((view) => view.default)
  const begin = useEffectEvent((view: SavedView) =>
    apply({ list, known: columns.map(({ id }) => id), showColumns: choice.show }, view, true),
  )
  const known = data !== undefined || isError
  useEffect(() => {
    if (waits && first) begin(first)
    else if (!waits || known) setStarting(false)
  }, [waits, known, first])
  return !waits || (known && !first)
}
