import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Suspense } from 'react'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import type { TableColumn } from './columns'
import type { Exporter } from './exporter'
import { useColumns } from './use-columns'
import type { List } from './use-list-state'
import { useStartView } from './views/use-start-view'

const ListTools = lazyWithTexts(() => import('./list-tools'), 'listTools')

/** Empty, because a sheet's columns are not changed by views. */
const NONE: readonly TableColumn<unknown>[] = []

interface Props {
  list: List
  /** Number of rows on all pages. */
  total: number
  exporter: Exporter
}

/** Saved views and export of a list that is shown as a sheet. */
export function SheetListTools({ list, total, exporter }: Props) {
  const phone = useMediaQuery(useTheme().breakpoints.down('sm'), { noSsr: true })
  const choice = useColumns(list.ns, NONE)
  useStartView(list, NONE, choice)
  return (
    <Suspense fallback={null}>
      <ListTools list={list} columns={NONE} choice={choice} total={total} exporter={exporter} phone={phone} />
    </Suspense>
  )
}
