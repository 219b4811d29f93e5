import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { NamedUnit } from '~/lib/reader'
import { $api } from './client'
import type { Unit, UnitOfMeasure } from './schema'

/**
 * Query for the units. While the server runs they change only with the language, which invalidates all
 * queries.
 */
export const unitOptions = () =>
  $api.queryOptions('get', '/api/admin/units', {}, { staleTime: Number.POSITIVE_INFINITY, meta: { fixed: true } })

const NONE: readonly UnitOfMeasure[] = []

export const useUnits = (): readonly UnitOfMeasure[] => useQuery(unitOptions()).data?.data ?? NONE

/** Returns a function that gives the symbol of a unit, or its API name until the units are loaded. */
export function useUnitSymbols(): (unit: Unit) => string {
  const units = useUnits()
  return useMemo(() => (unit) => units.find((row) => row.unit === unit)?.symbol ?? unit, [units])
}

/** Converts units to options of a picker, which the quantity parser (`lib/reader`) accepts as well. */
export const unitChoices = (units: readonly UnitOfMeasure[]): NamedUnit<Unit>[] =>
  units.map(({ unit, symbol, names }) => ({ value: unit, label: symbol, names }))
