import { Globe, type LucideIcon } from 'lucide-react'
import type { Concern, MenuLink, Permission } from '~/api/schema'
import type { RecordNamespace, Texts } from '~/i18n/namespaces'
import { useFormat } from '~/i18n/use-format'
import { type Resource, viewPermissions } from '~/kit/records/resource'
import { useResourceNames } from '~/kit/records/resources'
import type { Lang } from '~/lib/lang'
import type { Flag } from '~/session/config'

/** Short mark behind an entry's name. */
type MenuChip = NonNullable<MenuLink['chip']>

/** Entry of the side navigation; the same table guards the route behind it. */
export interface MenuItem {
  /** Id; also the namespace of its name, if it has no title. */
  id: RecordNamespace | `link.${number}`
  /** Name in both languages, for entries that the operator has added. */
  title?: Readonly<Record<Lang, string>>
  path: string
  icon: LucideIcon
  /** Permissions that are all required. */
  permissions: readonly Permission[]
  /** Permissions of which one is required in addition. */
  anyOf?: readonly Permission[]
  flag?: Flag
  /** Set if only users without a tenant see it. */
  operators?: true
  /** Set if the page needs a tenant. */
  tenant?: 'required'
  external?: boolean
  newTab?: boolean
  disabled?: boolean
  chip?: MenuChip
  /** Number of records behind it that need attention. */
  waiting?: number
  /** False hides it from the navigation. */
  menu?: false
}

export interface MenuGroup {
  id: keyof Texts['shell']['groups']
  permissions: readonly Permission[]
  items: readonly MenuItem[]
}

/** Entry of a page that is not a resource: placed after a resource's entry, or at the end of a group. */
export type PageItem = MenuItem & ({ after: RecordNamespace } | { in: MenuGroup['id'] })

const itemOf = ({ ns, path, icon, flag, tenant, ...resource }: Resource): MenuItem => ({
  id: ns,
  path,
  icon,
  permissions: viewPermissions(resource),
  ...(flag && { flag }),
  ...(tenant && { tenant }),
})

/** Builds the menu: resources in their groups and order, and the further entries. */
export const menuOf = (groups: readonly MenuGroup['id'][], resources: readonly Resource[], further: readonly PageItem[]): MenuGroup[] =>
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

/** Adds the operator's own entries at the end of their groups. */
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

/** Maximum that the server counts to. */
export const ATTENTION_MAX = 1000

/** Entries with a count of records that need attention, and the count's name in the API. */
export const WAITING = {
  heldPrices: 'held_prices',
  unresolvedNumbers: 'open_numbers',
  shippingNodes: 'shipping_findings',
  feeds: 'troubled_feeds',
  externalApis: 'troubled_external_apis',
  webhooks: 'troubled_webhooks',
} as const satisfies Partial<Record<RecordNamespace, Concern>>

/** Adds the counts of records that need attention. */
export const addCounts = (groups: readonly MenuGroup[], counts: ReadonlyMap<Concern, number>): MenuGroup[] =>
  groups.map((group) => ({
    ...group,
    items: group.items.map((item) => {
      const waiting = item.id in WAITING && counts.get(WAITING[item.id as keyof typeof WAITING])
      return waiting ? { ...item, waiting } : item
    }),
  }))

/** Returns the name of an entry in the user's language. */
export function useItemName(): (item: Pick<MenuItem, 'id' | 'title'>) => string {
  const names = useResourceNames()
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

/** Menu for this user; groups without entries are left out. */
export function visibleMenu(groups: readonly MenuGroup[], viewer: Viewer): MenuGroup[] {
  return groups
    .filter((group) => group.permissions.every((name) => viewer.rights.has(name)))
    .map((group) => ({ ...group, items: group.items.filter((item) => item.menu !== false && mayOpen(item, viewer)) }))
    .filter((group) => group.items.length > 0)
}

/** Returns the entry of a path: the one with the longest matching prefix. */
export function currentItem(groups: readonly MenuGroup[], pathname: string): { group: MenuGroup; item: MenuItem } | null {
  const matches = groups
    .flatMap((group) => group.items.map((item) => ({ group, item })))
    .filter(({ item }) => pathname === item.path || pathname.startsWith(`${item.path}/`))
    .sort((a, b) => b.item.path.length - a.item.path.length)
  return matches[0] ?? null
}
