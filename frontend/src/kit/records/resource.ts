import type { LucideIcon } from 'lucide-react'
import type { AuditRecord, Permission } from '~/api/schema'
import type { Named, Namespace, Texts } from '~/i18n/namespaces'
import type { ListSpec, ListState } from '~/kit/table/list-state'
import type { Area } from '~/session/access'
import type { Flag } from '~/session/config'
import type { HandbookPage } from '../../../handbook/chapters'
import type { ListedOf, ListPath, RecordOf } from './contract'
import type { Load } from './lazy-page'

interface Description<Row> {
  /** Its texts, which name it in singular (`title.one`) and plural (`title.list`) and say by which other words it is found (`title.also`); what is kept of its list goes by it, too. */
  ns: Named
  /** Where its list lies, and below it its records. */
  path: `/${string}`
  /** The part of the navigation that it belongs to. */
  group: keyof Texts['shell']['groups']
  /** Whose rows they are: of the platform, which only users without a tenant write; of tenants; or of either. */
  whose: 'platform' | 'tenants' | 'either'
  /** Its screens make sense for one tenant only: who has none chooses one first. */
  tenant?: 'required'
  /** What its permissions begin with; null where `permission` stands for all of them. */
  rights: Area | null
  /** What is needed besides to see any of it. */
  besides?: readonly Permission[]
  /** Its permissions are those of another resource, after which they are called. */
  shares?: true
  /** Its records are parts of others: creating and deleting them takes the right to update those. */
  isPart?: true
  /** Changing its records takes the permission to create them: there is no other. */
  changedBy?: 'create'
  /** The one permission for all of it, where there is none for each operation. */
  permission?: Permission
  /** What the history calls one; null of what has none. */
  record: AuditRecord | null
  icon: LucideIcon
  /** The handbook's page about its screens. */
  help: HandbookPage
  /** What of its records does not come back once it is done, if not everything can be undone. */
  lasting?: 'deletion' | 'everything'
  /** What a record is called. */
  title: (row: Row) => string
  /** What else tells it apart, where it is found. */
  detail?: (row: Row) => string | null | undefined
  flag?: Flag
}

/** A resource whose records are these, as its list or its form has them. */
export interface Of<Row> extends Description<Row> {
  /** Its list in the contract. */
  wire: ListPath
}

type Row<P extends ListPath> = ListedOf<P> | RecordOf<P>

/**
 * Says once what a resource is. Navigation, breadcrumbs, palette, history, links to its records and the browser's tests follow;
 * its routes from its `screens`.
 */
export const resource = <P extends ListPath, const D extends Description<Row<P>>>(wire: P, description: D & Description<Row<P>>) => ({
  wire,
  ...description,
})

/** A list's queries, as far as others ask: the first page, and what a search finds. */
interface Listing {
  spec: ListSpec
  list: (state: ListState) => object
  /** What its page asks for first, if not for a page of the list. */
  preload?: () => object
}

interface Screens {
  /** Texts that they need besides the resource's own. */
  texts?: readonly Namespace[]
  api: () => Promise<Listing>
  list: Load
  /** What makes a record and shows one, over the list; only what makes one, where a record has a page. None of what cannot be opened. */
  form?: Load | { create: Load; record?: Load }
  /** A record's own page: its frame, and its tabs by their path below it; the first one is the record's own address. */
  page?: { frame: Load; tabs: Readonly<Record<string, Load>> }
  /** Others over the list, by their path below it. */
  over?: Readonly<Record<string, Load>>
  /** Pages of their own, by their path below it. */
  pages?: Readonly<Record<string, Load>>
}

/** A screen with texts that the others of its resource do not need. */
export const withTexts = (load: Load, ...texts: Namespace[]): Load => Object.assign(load, { texts })

/** Where a resource's code lies. */
export const screens = <D>(of: D, loads: Screens): D & Screens => ({ ...of, ...loads })

/** A resource with its screens, of whatever records. */
export type Resource = Of<never> & Screens

/** Who sees its list: the permissions that are all needed. */
export const seenBy = ({ rights, permission, besides = [] }: Pick<Resource, 'rights' | 'permission' | 'besides'>): Permission[] => [
  ...(permission ? [permission] : []),
  ...(rights && !permission ? ([`${rights}.list`, `${rights}.view`] as const) : []),
  ...besides,
]
