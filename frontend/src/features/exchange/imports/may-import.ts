import type { ImportType, Permission } from '~/api/schema'
import { holdsPrices } from '~/features/exchange/shared/use-inspection'
import { type Area, accessOf, useAccess } from '~/session/access'
import { useMe, useRights } from '~/session/me'

interface Rule {
  area: readonly Area[]
  platform: boolean
  /** Rows of this type name records to delete. */
  deletes?: true
  /** Permission that is required instead of those of records. */
  requiredPermission?: Permission
  /** Rows of this type belong to a price list, which the user selects. */
  list?: true
}

/**
 * Types of imports that the server accepts, and the records that each writes. Articles, shipping nodes and
 * legs belong to the platform.
 */
const ACCEPTED = {
  Article: { area: ['article'], platform: true },
  Listing: { area: ['listing', 'stock'], platform: false },
  Price: { area: ['listing'], platform: false },
  PriceList: { area: [], platform: false, requiredPermission: 'price_list.update', list: true },
  Stock: { area: ['stock'], platform: false },
  Matching: { area: ['matching'], platform: false },
  DeleteMatchings: { area: ['matching'], platform: false, deletes: true },
  ExternalApiMetaData: { area: [], platform: false, requiredPermission: 'configure-external-api' },
  ShippingNode: { area: ['shipping_node'], platform: true },
  ShippingLeg: { area: [], platform: true, requiredPermission: 'shipping_node.update' },
} as const satisfies Record<ImportType, Rule>

/** True if files of the type are tables; metadata of an external API is a JSON document. */
export const holdsTable = (type: ImportType): boolean => type !== 'ExternalApiMetaData'

/** True if the rows of its files name records to delete. */
export function isDeletion(type: ImportType): boolean {
  const { deletes }: Rule = ACCEPTED[type]
  return deletes === true
}

/** Types whose files can replace all existing records. */
export const REPLACEABLE: readonly ImportType[] = ['Listing', 'Price', 'PriceList', 'Stock', 'Matching']

/** True if a file of the type that replaces all only affects the warehouses that it names. */
export const isInWarehouses = (type: ImportType): boolean => ['Listing', 'Price', 'Stock'].includes(type)

/** Accepted file extensions. */
export const endings = (type: ImportType) => {
  if (!holdsTable(type)) return '.json'
  return holdsPrices(type) ? '.csv,.txt,.xlsx,.xml,.001' : '.csv,.txt,.xlsx'
}

/** Returns a function that says if the user may undo an import of a type. */
export function useMayUndo(): (type: ImportType) => boolean {
  const me = useMe()
  const rights = useRights()
  const importable = useImportable()
  return (type) => {
    const { area, platform } = ACCEPTED[type]
    return importable.includes(type) && area.every((each) => accessOf(me, rights, each, { platform }).remove)
  }
}

/** Returns a function that says if the user may delete records that a file of the type does not name. */
export function useMayReplace(): (type: ImportType) => boolean {
  const me = useMe()
  const rights = useRights()
  return (type) => {
    const { area, platform, list }: Rule = ACCEPTED[type]
    if (list) return rights.has('price_list.delete')
    return area.every((each) => accessOf(me, rights, each, { platform }).remove)
  }
}

/** True if the user may import files of the type, perhaps only into a price list. */
export function useMayImport(type: ImportType): boolean {
  return useImportable().some((mine) => mine === type)
}

/** True if the rows of the type belong to a price list. */
export function isOfList(type: ImportType): boolean {
  const { list }: Rule = ACCEPTED[type]
  return list === true
}

/** Types that the user may import; none for read-only users. */
export function useImportable(): ImportType[] {
  const me = useMe()
  const rights = useRights()
  const imports = useAccess('import')
  const types = Object.keys(ACCEPTED) as ImportType[]
  return types.filter((type) => {
    const { area, platform, deletes, requiredPermission }: Rule = ACCEPTED[type]
    if (requiredPermission && (!rights.has(requiredPermission) || (platform && me.tenant_id !== null))) return false
    const access = area.map((each) => accessOf(me, rights, each, { platform }))
    return imports.create && access.every(({ create, update, remove }) => (deletes ? remove : create && update))
  })
}
