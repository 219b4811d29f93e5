import { Globe, type LucideIcon } from 'lucide-react'
import type { Concern, MenuLink, Permission } from '~/api/schema'
import type { Named, Texts } from '~/i18n/namespaces'
import { useFormat } from '~/i18n/use-format'
import { type Resource, seenBy } from '~/kit/records/resource'
import { useNames } from '~/kit/records/resources'
import type { Lang } from '~/lib/lang'
import type { Flag } from '~/session/config'

/** A short mark behind an entry's name. */
type MenuChip = NonNullable<MenuLink['chip']>

/** One entry of the side navigation; the same table guards the route behind it. */
export interface MenuItem {
  /** Also names it, if it has no title. */
  id: Named | `link.${number}`
  /** Its name in both languages, where the operator has added it. */
  title?: Readonly<Record<Lang, string>>
  path: string
  icon: LucideIcon
  /** All of them are needed. */
  permissions: readonly Permission[]
  /** One of them is needed as well. */
  anyOf?: readonly Permission[]
  flag?: Flag
  /** Only users without tenant see it. */
  operators?: true
  /** The page makes sense only for one tenant. */
  tenant?: 'required'
  external?: boolean
  newTab?: boolean
  disabled?: boolean
  chip?: MenuChip
  /** The number of records that wait behind it. */
  waiting?: number
  /** False keeps it out of the navigation. */
  menu?: false
}

export interface MenuGroup {
  id: keyof Texts['shell']['groups']
  permissions: readonly Permission[]
  items: readonly MenuItem[]
}

/** The entry of a page that is no resource: it stands behind that of one, or in a group after all of them. */
export type FurtherItem = MenuItem & ({ after: Named } | { in: MenuGroup['id'] })

const itemOf = ({ ns, path, icon, flag, tenant, ...resource }: Resource): MenuItem => ({
  id: ns,
  path,
  icon,
  permissions: seenBy(resource),
  ...(flag && { flag }),
  ...(tenant && { tenant }),
})

/** Each resource in its group, in their order, and what else there is. */
export const menuOf = (groups: readonly MenuGroup['id'][], resources: readonly Resource[], further: readonly FurtherItem[]): MenuGroup[] =>
  groups.map((id) => ({
    id,
    permissions: ['access-admin'],
    items: [
      ...resources
        .filter(({ group }) => group === id)
        .flatMap((resource) => [itemOf(resource), ...further.filter((item) => 'after' in item && item.after === resource.ns)]),
      ...further.filter((item) => 'in' in item && item.in === id),
    ],
  }))

/** The menu with the operator's own entries, each behind the others of its group. */
export const addLinks = (groups: readonly MenuGroup[], links: readonly MenuLink[]): MenuGroup[] =>
  groups.map((group) => ({
    ...group,
    items: [
      ...group.items,
      ...links.flatMap(({ title, url, group: id, new_tab, disabled, permissions = [], chip }, at): MenuItem[] =>
        id === group.id
          ? [
              {
                id: `link.${at}`,
                title,
                path: url,
                icon: Globe,
                permissions,
                external: true,
                newTab: new_tab,
                disabled,
                ...(chip && { chip }),
              },
            ]
          : [],
      ),
    ],
  }))

/** The server counts no more. */
export const ATTENTION_MAX = 1000

/** Entries behind which records may wait, with what is counted. */
export const WAITING = {
  heldPrices: 'held_prices',
  unresolvedNumbers: 'open_numbers',
  shippingNodes: 'shipping_findings',
  feeds: 'troubled_feeds',
  externalApis: 'troubled_external_apis',
  webhooks: 'troubled_webhooks',
} as const satisfies Partial<Record<Named, Concern>>

/** The menu with the numbers of records that wait. */
export const addCounts = (groups: readonly MenuGroup[], counts: ReadonlyMap<Concern, number>): MenuGroup[] =>
  groups.map((group) => ({
    ...group,
    items: group.items.map((item) => {
      const waiting = item.id in WAITING && counts.get(WAITING[item.id as keyof typeof WAITING])
      return waiting ? { ...item, waiting } : item
    }),
  }))

/** The name of an entry, in the reader's language. */
export function useItemName(): (item: Pick<MenuItem, 'id' | 'title'>) => string {
  const names = useNames()
  const { lang } = useFormat()
  return ({ id, title }) => title?.[lang] ?? names.many(id)
}

export interface Viewer {
  rights: ReadonlySet<Permission>
  flags: Readonly<Record<Flag, boolean>>
  isOperator: boolean
}

export const mayOpen = (item: MenuItem, { rights, flags, isOperator }: Viewer): boolean =>
  item.permissions.every((name) => rights.has(name)) &&
  (item.anyOf?.some((name) => rights.has(name)) ?? true) &&
  (!item.operators || isOperator) &&
  (!item.flag || flags[item.flag])

/** What this user finds in the navigation; groups without entries vanish. */
export function visibleMenu(groups: readonly MenuGroup[], viewer: Viewer): MenuGroup[] {
  return groups
    .filter((group) => group.permissions.every((name) => viewer.rights.has(name)))
    .map((group) => ({ ...group, items: group.items.filter((item) => item.menu !== false && mayOpen(item, viewer)) }))
    .filter((group) => group.items.length > 0)
}

/** The entry a path belongs to: the longest one that it starts with. */
export function currentItem(groups: readonly MenuGroup[], pathname: string): { group: MenuGroup; item: MenuItem } | null {
  const found = groups
    .flatMap((group) => group.items.map((item) => ({ group, item })))
    .filter(({ item }) => pathname === item.path || pathname.startsWith(`${item.path}/`))
    .sort((a, b) => b.item.path.length - a.item.path.length)
  return found[0] ?? null
}
