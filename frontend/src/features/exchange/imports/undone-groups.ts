import type { Import, ImportRow } from '~/api/schema'

/** What becomes of what an import has done, by how its records come out. */
export const GROUPS = {
  reversed: ['created', 'updated', 'removed'],
  kept: ['kept'],
  refused: ['refused'],
} as const satisfies Record<string, readonly ImportRow['outcome'][]>

export type Group = keyof typeof GROUPS
export const groups = Object.keys(GROUPS) as Group[]

/** In the address: which group is shown. */
export const GROUP_PARAM = 'rows'

export const inGroup = (row: Import, group: Group): number => GROUPS[group].reduce((sum, outcome) => sum + row[`rows_${outcome}`], 0)
