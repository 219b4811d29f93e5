import { useCallback, useMemo } from 'react'
import type { Namespace } from '~/i18n/namespaces'
import { useAddressParams } from '~/lib/address-params'
import { applyChange, type Filter, isDefaultState, type ListSpec, type ListState, readListState, writeListState } from './list-state'

export interface List {
  ns: Namespace
  spec: ListSpec
  state: ListState
  filtered: boolean
  /** True if the address has no list parameters, so that everything is at its default. */
  isDefault: boolean
  set: (change: Partial<ListState>, replace: boolean) => void
  setPage: (page: number, replace?: boolean) => void
  setSize: (size: number) => void
  setSort: (sort: string | null) => void
  setFilters: (filters: Filter[]) => void
}

/** Reads and writes a list's state, which is stored in the address. */
export function useListState(ns: Namespace, spec: ListSpec): List {
  const [params, changeParams] = useAddressParams()
  const search = params.toString()
  const state = useMemo(() => readListState(spec, search), [spec, search])
  const set = useCallback(
    (change: Partial<ListState>, replace: boolean) =>
      changeParams((before) => writeListState(spec, applyChange(spec, readListState(spec, before.toString()), change), before), {
        replace,
        preventScrollReset: true,
      }),
    [spec, changeParams],
  )
  return useMemo(
    () => ({
      ns,
      spec,
      state,
      filtered: state.filters.length > 0,
      isDefault: isDefaultState(spec, state),
      set,
      setPage: (page, replace = false) => set({ page }, replace),
      setSize: (size) => set({ size, page: 1 }, false),
      setSort: (sort) => set({ sort, page: 1 }, false),
      setFilters: (filters) => set({ filters, page: 1 }, true),
    }),
    [ns, spec, state, set],
  )
}
