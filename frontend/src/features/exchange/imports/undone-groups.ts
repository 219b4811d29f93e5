import type { Import, ImportRow } from '~/api/schema'

/** Groups of results of an undo, by the outcomes of its rows. */
export const UNDO_RESULT_GROUPS = {
  reversed: ['created', 'updated', 'removed'],
  kept: ['kept'],
  refused: ['refused'],
} as const satisfies Record<string, readonly ImportRow['outcome'][]>

export type Group = keyof typeof UNDO_RESULT_GROUPS
export const groups = Object.keys(UNDO_RESULT_GROUPS) as Group[]

/** Query parameter for the group that is shown. */
export const GROUP_PARAM = 'rows'

export const countInGroup = (row: Import, group: Group): number =>
  UNDO_RESULT_GROUPS[group].reduce((sum, outcome) => sum + row[`rows_${outcome}`], 0)
