import type { UseQueryOptions } from '@tanstack/react-query'
import { articleTypeGroupList, articleTypeGroups } from '~/features/article-type-groups/api'
import { articleTypeList, articleTypes } from '~/features/article-types/api'
import { articleList, articles } from '~/features/articles/api'
import { attributeList, attributes } from '~/features/attributes/api'
import { categories, categoryList } from '~/features/categories/api'
import { materialList, materials } from '~/features/materials/api'
import { processingList, processings } from '~/features/processings/api'
import { roleList, roles } from '~/features/roles/api'
import { tenantGroupList, tenantGroups } from '~/features/tenant-groups/api'
import { tenantList, tenants } from '~/features/tenants/api'
import { tokenList, tokens } from '~/features/tokens/api'
import { tradeDimensionList, tradeDimensions } from '~/features/trade-dimensions/api'
import { userList, users } from '~/features/users/api'
import { changed, type ListSpec, type ListState, readListState } from '~/kit/list/list-state'
import type { MenuItem } from '~/kit/shell/menu'
import type { Area } from '~/session/access'

export interface FoundRecord {
  id: number
  label: string
  detail?: string | undefined
}

export interface FoundRecords {
  records: FoundRecord[]
  total: number
}

interface Records {
  /** The list's field that a search fills. */
  field: string
  /** The first that a search finds. */
  find: (search: string, tenantId: number | null) => UseQueryOptions<FoundRecords>
}

interface PaletteArea {
  /** What people also call it, in both languages; never shown. */
  words: string
  records?: Records
  /** Who may make a new one, of platform-wide master data if nothing else is said; its texts are those of the menu entry's name. */
  create?: Area
  /** A tenant's users make new ones as well. */
  ofTenants?: true
}

const SHOWN = 5

interface Listable<Row> {
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  list: (state: ListState) => UseQueryOptions<any, any, { data: Row[]; meta: { total: number } }, any>
}

function records<Row extends { id: number }>(
  api: Listable<Row>,
  spec: ListSpec,
  text: (row: Row) => [label: string, detail?: string | null],
): Records {
  const field = spec.search ?? ''
  return {
    field,
    find: (search, tenantId) => {
      const filters = [{ field, op: 'is' as const, values: [search] }]
      const state = changed(spec, readListState(spec, ''), { size: SHOWN, tenantId, filters })
      return {
        ...(api.list(state) as unknown as UseQueryOptions<FoundRecords>),
        select: (found: unknown) => {
          const { data, meta } = found as { data: Row[]; meta: { total: number } }
          const record = (row: Row): FoundRecord => {
            const [label, detail] = text(row)
            return { id: row.id, label, detail: detail ?? undefined }
          }
          return { records: data.map(record), total: meta.total }
        },
      }
    },
  }
}

/** How the palette finds areas and their records: one entry for each of the menu, in the order in which records are shown. */
export const areas: Record<MenuItem['id'], PaletteArea> = {
  articles: {
    words: 'articles products items stock numbers Produkte Waren Sortiment Artikelnummern',
    records: records(articles, articleList, (row) => [row.article_number, row.article_name]),
    create: 'article',
  },
  articleTypes: {
    words: 'article types profiles sections templates Profile Querschnitte Vorlagen Typen',
    records: records(articleTypes, articleTypeList, (row) => [row.name]),
    create: 'article_type',
  },
  materials: {
    words: 'materials steel grades alloys Materialien Güten Stahlsorten Legierungen WNr',
    records: records(materials, materialList, (row) => [row.name, row.material_number]),
    create: 'material',
  },
  attributes: {
    words: 'attributes properties dimensions characteristics Merkmale Eigenschaften Maße',
    records: records(attributes, attributeList, (row) => [row.name]),
    create: 'attribute',
  },
  tradeDimensions: {
    words: 'trade dimensions lengths clusters Längen Handelslängen Staffeln Fixlängen Lagerlängen',
    records: records(tradeDimensions, tradeDimensionList, (row) => [row.name]),
    create: 'trade_dimension',
  },
  articleTypeGroups: {
    words: 'article type groups families Gruppen Warengruppen',
    records: records(articleTypeGroups, articleTypeGroupList, (row) => [row.name, row.description]),
    create: 'article-type-group',
  },
  processings: {
    words: 'processings sawing cutting machining Sägen Zuschnitt Anarbeitung',
    records: records(processings, processingList, (row) => [row.name, row.display_name]),
    create: 'processing',
  },
  categories: {
    words: 'categories tree shop navigation Baum Sortimentsbaum Warengruppen Rubriken',
    records: records(categories, categoryList, (row) => [row.name, row.parent?.name]),
    create: 'category',
  },
  users: {
    words: 'users people staff accounts invitations Benutzer Mitarbeiter Konten Einladungen',
    records: records(users, userList, (row) => [row.name, row.email]),
    create: 'user',
    ofTenants: true,
  },
  tenants: {
    words: 'tenants companies customers suppliers Firmen Kunden Lieferanten Händler',
    records: records(tenants, tenantList, (row) => [row.company, row.short_code]),
    create: 'tenant',
  },
  tenantGroups: {
    words: 'tenant groups associations Verbünde Einkaufsverband Firmengruppen',
    records: records(tenantGroups, tenantGroupList, (row) => [row.name, row.description]),
    create: 'tenant-group',
  },
  roles: {
    words: 'roles permissions rights access Rechte Berechtigungen Zugriff',
    records: records(roles, roleList, (row) => [row.name, row.tenant?.company]),
    create: 'roles',
    ofTenants: true,
  },
  audit: { words: 'history audit log changes sign-ins Protokoll Änderungen Anmeldungen Historie' },
  tokens: {
    words: 'personal access tokens keys api swagger Zugriffstoken Schlüssel Schnittstelle',
    records: records(tokens, tokenList, (row) => [row.name, row.user.name]),
    create: 'token',
    ofTenants: true,
  },
  imports: { words: 'imports uploads files csv excel xlsx Dateien Hochladen Einlesen' },
}
