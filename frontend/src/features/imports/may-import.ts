import type { ImportType } from '~/api/schema'
import { type Area, accessOf, useAccess } from '~/session/access'
import { useMe, useRights } from '~/session/me'

interface Rule {
  area: readonly Area[]
  platform: boolean
  /** Its rows name what goes. */
  deletes?: true
}

/** What the server accepts by now, and the records that it writes. Articles are the platform's. */
const ACCEPTED = {
  Article: { area: ['article'], platform: true },
  Listing: { area: ['listing', 'stock'], platform: false },
  Price: { area: ['listing'], platform: false },
  Stock: { area: ['stock'], platform: false },
  Matching: { area: ['matching'], platform: false },
  DeleteMatchings: { area: ['matching'], platform: false, deletes: true },
} as const satisfies Partial<Record<ImportType, Rule>>

type Accepted = keyof typeof ACCEPTED

export const isAccepted = (type: ImportType): type is Accepted => type in ACCEPTED

/** Whether one may take back what an import of this type has written. */
export function useMayUndo(type: ImportType): boolean {
  const me = useMe()
  const rights = useRights()
  const mayImport = useImportable().some((mine) => mine === type)
  if (!mayImport || !isAccepted(type)) return false
  const { area, platform } = ACCEPTED[type]
  return area.every((each) => accessOf(me, rights, each, { platform }).remove)
}

/** The types that one may import; none for who looks on. */
export function useImportable(): Accepted[] {
  const me = useMe()
  const rights = useRights()
  const imports = useAccess('import')
  const types = Object.keys(ACCEPTED) as Accepted[]
  return types.filter((type) => {
    const { area, platform, deletes }: Rule = ACCEPTED[type]
    const access = area.map((each) => accessOf(me, rights, each, { platform }))
    return imports.create && access.every(({ create, update, remove }) => (deletes ? remove : create && update))
  })
}
