import type { LucideIcon } from 'lucide-react'
import type { AuditRecord, Permission } from '~/api/schema'
import type { Namespace, RecordNamespace, Texts } from '~/i18n/namespaces'
import type { ListSpec, ListState } from '~/kit/table/list-state'
import type { Area } from '~/session/access'
import type { Flag } from '~/session/config'
import type { HandbookPage } from '../../../handbook/chapters'
import type { ListedOf, ListPath, RecordOf } from './contract'
import type { Load } from './lazy-route'

interface Description<Row> {
  /**
   * Namespace of its texts, with names in singular (`title.one`) and plural (`title.list`) and further
   * search words (`title.also`). Also the key of stored list settings.
   */
  ns: RecordNamespace
  /** Path of the list; its records are below it. */
  path: `/${string}`
  /** Group in the navigation. */
  group: keyof Texts['shell']['groups']
  /** Owner of the rows: the platform, where only users without a tenant write; tenants; or either. */
  owner: 'platform' | 'tenants' | 'either'
  /** Set if the screens need a tenant: a user without one chooses one first. */
  tenant?: 'required'
  /** Prefix of its permissions; null if `permission` replaces all of them. */
  rights: Area | null
  /** Further permissions that are needed to see it. */
  alsoRequires?: readonly Permission[]
  /** Set if it uses the permissions of another resource, whose name they carry. */
  sharesPermissions?: true
  /**
   * Set if its records are parts of others: creating and deleting them needs the permission to update those.
   */
  isPart?: true
  /** Set if changing records needs the permission to create them, because there is no other. */
  changedBy?: 'create'
  /** Single permission for everything, instead of one for each operation. */
  permission?: Permission
  /** Record type in the history; null if it has none. */
  record: AuditRecord | null
  icon: LucideIcon
  /** Handbook page about its screens. */
  help: HandbookPage
  /** Operations that cannot be undone, if there are any. */
  irreversible?: 'deletion' | 'everything'
  /** Name of a record. */
  title: (row: Row) => string
  /** Second line that distinguishes records in search results. */
  detail?: (row: Row) => string | null | undefined
  flag?: Flag
}

/** Resource whose list or form has these records. */
export interface ResourceOf<Row> extends Description<Row> {
  /** List endpoint in the contract. */
  apiPath: ListPath
}

type Row<P extends ListPath> = ListedOf<P> | RecordOf<P>

/**
 * Defines a resource. Navigation, breadcrumbs, palette, history, links to its records and the browser tests
 * derive from it; its routes derive from its `screens`.
 */
export const resource = <P extends ListPath, const D extends Description<Row<P>>>(apiPath: P, description: D & Description<Row<P>>) => ({
  apiPath,
  ...description,
})

/** Part of a list's API that the router and the palette need: the first page, and search. */
interface Listing {
  spec: ListSpec
  list: (state: ListState) => object
  /** First query of the page, if it is not a page of the list. */
  preload?: () => object
}

interface Screens {
  /** Text namespaces needed besides the resource's own. */
  texts?: readonly Namespace[]
  api: () => Promise<Listing>
  list: Load
  /**
   * Drawer over the list that creates and edits records; `create` alone if a record has a page. Absent if
   * records cannot be opened.
   */
  form?: Load | { create: Load; record?: Load }
  /**
   * Page of a record: its frame, and its tabs by their path below it. The first tab also has the record's
   * own address.
   */
  page?: { frame: Load; tabs: Readonly<Record<string, Load>> }
  /** Further screens over the list, by their path below it. */
  overlays?: Readonly<Record<string, Load>>
  /** Separate pages, by their path below the list's. */
  pages?: Readonly<Record<string, Load>>
}

/** Adds texts that only this screen of the resource needs. */
export const withTexts = (load: Load, ...texts: Namespace[]): Load => Object.assign(load, { texts })

/** Adds the lazily loaded screens to a resource. */
export const screens = <D>(definition: D, screenLoaders: Screens): D & Screens => ({ ...definition, ...screenLoaders })

/** Resource with its screens, for any type of record. */
export type Resource = ResourceOf<never> & Screens

/** Permissions that are all needed to see the list. */
export const viewPermissions = ({
  rights,
  permission,
  alsoRequires = [],
}: Pick<Resource, 'rights' | 'permission' | 'alsoRequires'>): Permission[] => [
  ...(permission ? [permission] : []),
  ...(rights && !permission ? ([`${rights}.list`, `${rights}.view`] as const) : []),
  ...alsoRequires,
]
