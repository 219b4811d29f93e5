import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { NamedUnit } from '~/lib/reader'
import { $api } from './client'
import type { Unit, UnitOfMeasure } from './schema'

/** Units never change while the server runs. */
export const unitOptions = () =>
  $api.queryOptions('get', '/api/admin/units', {}, { staleTime: Number.POSITIVE_INFINITY, meta: { fixed: true } })

const NONE: readonly UnitOfMeasure[] = []

export const useUnits = (): readonly UnitOfMeasure[] => useQuery(unitOptions()).data?.data ?? NONE

/** As units are written; their own name as long as they are not loaded. */
export function useUnitSymbols(): (unit: Unit) => string {
  const units = useUnits()
  return useMemo(() => (unit) => units.find((one) => one.unit === unit)?.symbol ?? unit, [units])
}

/** Units as they are chosen and read. */
export const unitChoices = (units: readonly UnitOfMeasure[]): NamedUnit<Unit>[] =>
  units.map(({ unit, symbol, names }) => ({ value: unit, label: symbol, names }))
