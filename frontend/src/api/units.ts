import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { NamedUnit } from '~/lib/reader'
import { $api } from './client'
import type { Unit, UnitOfMeasure } from './schema'

/** Query for the units, which never change while the server runs. */
export const unitOptions = () =>
  $api.queryOptions('get', '/api/admin/units', {}, { staleTime: Number.POSITIVE_INFINITY, meta: { fixed: true } })

const NONE: readonly UnitOfMeasure[] = []

export const useUnits = (): readonly UnitOfMeasure[] => useQuery(unitOptions()).data?.data ?? NONE

/** Returns the symbol of a unit; its API name until the units are loaded. */
export function useUnitSymbols(): (unit: Unit) => string {
  const units = useUnits()
  return useMemo(() => (unit) => units.find((row) => row.unit === unit)?.symbol ?? unit, [units])
}

/** Units for choices and for the parser. */
export const unitChoices = (units: readonly UnitOfMeasure[]): NamedUnit<Unit>[] =>
  units.map(({ unit, symbol, names }) => ({ value: unit, label: symbol, names }))
