import type { Unit } from '~/api/schema'
import { useLabels } from '~/i18n/labels'

export const UnitName = ({ unit }: { unit: Unit }) => useLabels('articleTypes').enum('base_unit_of_measure', unit)
