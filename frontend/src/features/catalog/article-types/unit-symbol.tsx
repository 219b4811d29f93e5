import type { Unit } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'

export const UnitSymbol = ({ unit }: { unit: Unit }) => useUnitSymbols()(unit)
