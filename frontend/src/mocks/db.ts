import {
  type Article,
  type ArticleType,
  type ArticleTypeGroup,
  type Attribute,
  type BackgroundWork,
  type Category,
  type Closure,
  type CurrentUser,
  type ExternalApi,
  type ExternalApiCall,
  type ExternalApiTest,
  type ExternalApiTestInput,
  type FeedState,
  type FtpFeedRun,
  type FtpSettings,
  type FtpTest,
  type FtpTestInput,
  type Import,
  type ImportProfile,
  type Matching,
  type Material,
  type OwnSession,
  type Permission,
  type PersonalAccessToken,
  type Processing,
  permissionValues,
  type RefusedRow,
  type Role,
  type SavedView,
  type ShippingFinding,
  type ShippingLeg,
  type ShippingNode,
  type ShippingNodeClosure,
  type Tenant,
  type TenantGroup,
  type TradeDimension,
  type UnitOfMeasure,
  type Warehouse,
  type Webhook,
  type WebhookDeliveryDetail,
} from '~/api/schema'

const at = (day: number) => new Date(Date.UTC(2026, 9, day, 8, 30)).toISOString()
const record = (id: number) => ({ id, version: 1, created_at: at(1), updated_at: at(1 + (id % 27)) })

const GRADES: [string, string, string][] = [
  ['S235JR', '1.0038', '7.85'],
  ['S275JR', '1.0044', '7.85'],
  ['S355J2', '1.0577', '7.85'],
  ['S355J2H', '1.0576', '7.85'],
  ['S460N', '1.8901', '7.85'],
  ['C45', '1.0503', '7.85'],
  ['42CrMo4', '1.7225', '7.85'],
  ['16MnCr5', '1.7131', '7.85'],
  ['11SMn30', '1.0715', '7.85'],
  ['X5CrNi18-10', '1.4301', '7.9'],
  ['X6CrNiMoTi17-12-2', '1.4571', '8'],
  ['P235GH', '1.0345', '7.85'],
]

function materials(length: number): Material[] {
  return Array.from({ length }, (_, index) => {
    const [grade = '', number = '', density = ''] = GRADES[index % GRADES.length] ?? []
    const variant = Math.floor(index / GRADES.length)
    return {
      ...record(index + 1),
      name: variant === 0 ? grade : `${grade}+${['N', 'AR', 'C', 'QT'][variant - 1]}`,
      display_name: index % 3 === 0 ? `${grade} (${number})` : null,
      article_number_name: grade.replaceAll('-', ''),
      material_number: number,
      density,
    }
  })
}

const attribute = (id: number, name: string, rest: Partial<Attribute>): Attribute => ({
  ...record(id),
  name,
  type: 'custom',
  primary: false,
  unit_category: null,
  default_unit: null,
  options: [],
  weight_per_base_unit: null,
  position: id,
  placeholder: name.toLowerCase().replaceAll('ä', 'ae').replaceAll('ö', 'oe').replace(/\W+/g, '_'),
  ...rest,
})

function attributes(): Attribute[] {
  const metric = { type: 'metric', unit_category: 'length', default_unit: 'mm', primary: true } as const
  const surfaces = ['walzroh', 'gestrahlt', 'gestrahlt und grundiert', 'verzinkt', 'gebeizt']
  return [
    attribute(1, 'Höhe', metric),
    attribute(2, 'Breite', metric),
    attribute(3, 'Wanddicke', { ...metric, weight_per_base_unit: '1.375' }),
    attribute(4, 'Oberfläche', {
      type: 'categorial',
      options: surfaces.map((name, index) => ({
        id: index + 1,
        name,
        value: `O${index + 1}`,
        display_value: null,
        weight_per_base_unit: null,
      })),
    }),
    attribute(5, 'Bemerkung', {}),
  ]
}

const cluster = (short_code: string, minimum: string | null, maximum: string | null, calculation_value: string) => ({
  short_code,
  minimum,
  maximum,
  calculation_value,
})

/** Two commercial lengths: one with open ends, one with limits. */
function tradeDimensions(): TradeDimension[] {
  return [
    {
      ...record(1),
      name: 'Träger',
      clusters: [cluster('L06', null, '6.11', '6.1'), cluster('L08', '6.11', '8.11', '8.1'), cluster('L10', '8.11', null, '10.1')],
    },
    { ...record(2), name: 'Stabstahl', clusters: [cluster('A', '3', '6', '6'), cluster('B', '6', '12', '12')] },
  ]
}

const own = (source: Attribute, primary: boolean, position: number): ArticleType['attributes'][number] => ({
  attribute_id: source.id,
  name: source.name,
  placeholder: source.placeholder,
  type: source.type,
  position,
  primary,
  dimension: null,
})

/** Two article types: one with articles, one without. */
function articleTypes(all: Attribute[]): ArticleType[] {
  const [height, width, wall, surface, note] = all as [Attribute, Attribute, Attribute, Attribute, Attribute]
  const units = {
    base_unit_of_measure: 'm',
    listing_unit_of_measure: 'm',
    price_unit_of_measure: 't',
    group: null,
    section: null,
    trade_dimension: null,
  } as const
  return [
    {
      ...record(1),
      ...units,
      name: 'Hohlprofil',
      article_number_template: 'HP-{hoehe}x{breite}x{wanddicke}-{oberflaeche}',
      article_name_template: 'Hohlprofil {hoehe} x {breite} x {wanddicke}',
      attributes: [own(height, true, 1), own(width, true, 2), own(wall, true, 3), own(surface, true, 4), own(note, false, 5)],
      article_count: 2,
    },
    {
      ...record(2),
      ...units,
      name: 'Flachstahl',
      article_number_template: 'FL-{breite}',
      article_name_template: 'Flachstahl {breite}',
      attributes: [own(width, true, 1)],
      article_count: 0,
    },
  ]
}

const articleTypeGroups = (): ArticleTypeGroup[] => [
  { ...record(1), name: 'Formstahl', description: 'Träger und Winkel', article_type_count: 2 },
  { ...record(2), name: 'Bleche', description: null, article_type_count: 0 },
]

/** Category that inherits nothing. */
export const NOTHING_INHERITED: Category['inherited'] = { article_type: null, image: null, article_type_image: null }

/** Categories in the order of the tree. */
function categories(): Category[] {
  const parent: Record<number, number> = { 2: 1, 3: 2, 4: 2, 5: 2, 6: 1, 8: 7 }
  const names = ['Langprodukte', 'Träger', 'HEA', 'HEB', 'IPE', 'Stabstahl', 'Flachprodukte', 'Bleche']
  return names.map((name, index) => {
    const above = parent[index + 1]
    return {
      ...record(index + 1),
      name,
      display_name: name === 'HEB' ? 'Breitflanschträger' : null,
      parent: above ? { id: above, name: names[above - 1] ?? '' } : null,
      article_type: name === 'Bleche' ? { id: 2, name: 'Flachstahl' } : null,
      image: name === 'HEB' ? { version: 'a1', width: 240, height: 240 } : null,
      article_type_image: null,
      inherited: NOTHING_INHERITED,
    }
  })
}

const sawing: Processing = {
  ...record(1),
  name: 'Sägen gerade',
  display_name: 'Auf Länge gesägt',
  type: 'sawing',
  article_number_addition_template: '-S{schnittlaenge}',
}

function articles(type: ArticleType): Article[] {
  const nothing = { option_id: null, number: null, unit: null, text: null, dimension: null }
  return [60, 100].map((size, index) => ({
    ...record(index + 1),
    article_number: `HP-${size}x40x4-O1`,
    article_number_overridden: false,
    article_name: `Hohlprofil ${size} x 40 x 4`,
    article_name_overridden: index === 1,
    other_numbers: index === 0 ? [{ kind: 'former' as const, number: 'RR 60x40x4' }] : [],
    article_type: { id: type.id, name: type.name, base_unit_of_measure: type.base_unit_of_measure },
    material: { id: 1, name: 'S235JR' },
    values: type.attributes.map(({ attribute_id, name, type }, at) => {
      const value = { ...nothing, attribute_id, name, type }
      if (type === 'categorial') return { ...value, option_id: 1, display: 'walzroh' }
      if (type === 'custom') return { ...value, text: 'EN 10219', display: 'EN 10219' }
      const number = String([size, 40, 4][at])
      return { ...value, number, unit: 'mm', display: `${number} mm` }
    }),
    section: null,
    image: null,
    trade_dimension: null,
    weight_per_base_unit: '5.5',
    weight_per_base_unit_overridden: index === 1,
  }))
}

const unit = (
  name: UnitOfMeasure['unit'],
  category: UnitOfMeasure['category'],
  symbol: string,
  base = false,
  factor = '1',
): UnitOfMeasure => ({
  unit: name,
  category,
  symbol,
  names: [symbol],
  factor,
  base,
})

function imports(): Import[] {
  const states: Import['status'][] = ['InProgress', 'Success', 'PartialSuccess', 'Failed', 'Cancelled', 'Queued']
  return Array.from({ length: 23 }, (_, index) => ({
    id: index + 1,
    name: index % 3 === 0 ? null : `Artikelliste KW ${44 - index}`,
    type: 'Article',
    status: states[index % states.length] ?? 'Success',
    status_message: index % states.length === 2 ? '12 Zeilen abgelehnt' : null,
    dry_run: false,
    skip_hidden_rows: false,
    settings: null,
    upload_file: 'artikel.csv',
    error_file: index % states.length === 2 && index !== 14 ? 'artikel-fehler.csv' : null,
    files_kept: index !== 14,
    rows_total: 1200,
    rows_done: 480,
    rows_created: 300,
    rows_updated: 100,
    rows_unchanged: 68,
    rows_refused: index % states.length === 2 ? 12 : 0,
    rows_held: 0,
    rows_unresolved: 0,
    rows_removed: 0,
    rows_skipped: 0,
    strategy: 'add_and_replace',
    replace_scope: 'named_warehouses',
    removals_to_confirm: null,
    price_list: null,
    replays: null,
    replay_cause: null,
    replayed_by: null,
    mapping: null,
    rows_kept: 0,
    undoes: null,
    undone_by: null,
    undoable: ['Success', 'PartialSuccess'].includes(states[index % states.length] ?? ''),
    identical_to: index === 2 ? { id: 9, created_at: at(1) } : null,
    tenant: { id: 1, company: 'Nordstahl Handels GmbH' },
    created_by: { id: 1, name: 'Anna Hansen' },
    feed: null,
    external_api: null,
    created_at: at(1),
    // the home page shows imports of the last seven days
    updated_at: new Date(Date.now() - index * 7_200_000).toISOString(),
    started_at: null,
    finished_at: null,
  }))
}

/** Refused rows; the first one has two errors. */
function refusedRows(): RefusedRow[] {
  return Array.from({ length: 23 }, (_, index) => ({
    line: index + 2,
    errors: [
      { column: 'Werkstoff', code: 'unknown_material' as const, message: `Der Werkstoff „S${index}“ ist unbekannt` },
      ...(index === 0 ? [{ column: null, code: 'value_required' as const, message: 'Für „Format“ fehlt ein Wert' }] : []),
    ],
    cells: [
      { column: 'Artikeltyp', value: 'HEB' },
      { column: 'Werkstoff', value: `S${index}` },
    ],
  }))
}

const tenant = (id: number, company: string, short_code: string): Tenant => ({
  ...record(id),
  company,
  name: company,
  short_code,
  address: null,
  email: null,
  phone: null,
  external_api_type: null,
  price_guard_percent: null,
  permissions: ['access-admin', 'article.list'],
  tenant_groups: id === 1 ? [{ id: 1, name: 'Einkaufsverbund Nord' }] : [],
  user_count: id,
})

const role = (id: number, name: string, permissions: Permission[], writable: boolean): Role => ({
  ...record(id),
  name,
  tenant: null,
  permissions,
  user_count: id,
  writable,
})
const ALL = permissionValues.map((name) => ({ name }))
const user = (id: number, name: string, email: string, tenantId: number | null, permissions: CurrentUser['permissions']): CurrentUser => ({
  id,
  name,
  email,
  tenant_id: tenantId,
  tenant:
    tenantId === null ? null : { id: tenantId, company: 'Nordstahl Handels GmbH', name: 'Nordstahl Handels GmbH', short_code: 'NORD' },
  permissions,
  language: null,
  import_notices: 'never',
  version: 1,
})

const warehouse = (id: number, name: string, short_code: string, rest: Partial<Warehouse>): Warehouse => ({
  ...record(id),
  name,
  short_code,
  preparation_duration_before: 120,
  preparation_shift_time: '12:00',
  address: null,
  region: null,
  tenant: { id: 1, short_code: 'NORD' },
  ...rest,
})

const shippingNode = (id: number, name: string, rest: Partial<ShippingNode> = {}): ShippingNode => ({
  ...record(id),
  name,
  address: null,
  latitude: null,
  longitude: null,
  active: true,
  warehouse: null,
  region: null,
  incoming_legs: [],
  outgoing_legs: [],
  ...rest,
})

/** The only leg, as seen from one of its nodes. */
const legEnd = (id: number, name: string) => ({ id: 1, node: { id, name }, travel_duration: 330, departures_per_week: 2 })

/** Leg from Duisburg to Nürnberg, on Tuesdays and Fridays. */
const shippingLeg: ShippingLeg = {
  ...record(1),
  name: 'Duisburg → Nürnberg',
  sending_node: { id: 1, name: 'Duisburg' },
  receiving_node: { id: 2, name: 'Nürnberg' },
  preparation_duration: 60,
  loading_duration: 30,
  travel_duration: 330,
  unloading_duration: 45,
  order_time: null,
  departures: [
    { weekday: 'tuesday', time: '06:00' },
    { weekday: 'friday', time: '06:00' },
  ],
  exceptions: [],
  departures_per_week: 2,
  departure_times: (['tuesday', 'friday'] as const).map((weekday) => ({
    weekday,
    start_time: '06:00',
    order_time: '04:30',
    order_day_offset: 0,
    arrival_time: '12:15',
    arrival_day_offset: 0,
  })),
}

const matching = (id: number, rest: Partial<Matching>): Matching => ({
  ...record(id),
  article: null,
  external_article_number: null,
  warehouse: null,
  external_warehouse_identifier: null,
  external_tenant_identifier: null,
  tenant: { id: 1, short_code: 'NORD' },
  ...rest,
})

const session = (id: number, browser: string | null, system: string | null, current: boolean): OwnSession => ({
  id,
  browser,
  system,
  created_at: '2026-11-20T07:30:00Z',
  last_used_at: '2026-11-20T09:00:00Z',
  current,
})

const token = (id: number, name: string, rest: Partial<PersonalAccessToken>): PersonalAccessToken => ({
  ...record(id),
  name,
  abilities: [],
  user: { id: 1, name: 'Petra Plattform' },
  own: true,
  revocable: true,
  prefix: 'pat_Ab3x',
  last_four: `00${id}Z`,
  expires_at: new Date(Date.now() + 60 * 24 * 60 * 60_000).toISOString(),
  replaced_at: null,
  last_used_at: null,
  last_used_address: null,
  ...rest,
})

export function createDb(materialCount = 53) {
  const allAttributes = attributes()
  const types = articleTypes(allAttributes)
  const [type] = types
  return {
    materials: materials(materialCount),
    roles: [
      role(1, 'Plattformverwaltung', [...permissionValues], true),
      role(2, 'Sachbearbeitung', ['access-admin', 'article.list', 'article.view'], true),
      role(3, 'Stark', ['article.list', 'article.view'], false),
    ],
    tokens: [
      token(1, 'Warenwirtschaft', { abilities: ['import-prices', 'import-stocks'] }),
      token(2, 'Auswertung', { abilities: ['access-admin'], own: false, user: { id: 2, name: 'Uwe Nord' } }),
    ],
    attributes: allAttributes,
    tradeDimensions: tradeDimensions(),
    articleTypes: types,
    articles: type ? articles(type) : [],
    articleTypeGroups: articleTypeGroups(),
    processings: [sawing],
    importProfiles: [] as ImportProfile[],
    ftpSettings: [] as FtpSettings[],
    /** Last connection test: its input, and the answer to give. */
    ftpTested: null as FtpTestInput | null,
    ftpTest: null as FtpTest | null,
    externalApis: [] as ExternalApi[],
    externalApiCalls: [] as ExternalApiCall[],
    /** Last test of an external API: its input, and the answer to give. */
    externalApiTested: null as ExternalApiTestInput | null,
    externalApiTest: null as ExternalApiTest | null,
    feeds: [] as FeedState[],
    webhooks: [] as Webhook[],
    webhookOptions: { secrets_available: true },
    webhookDeliveries: [] as WebhookDeliveryDetail[],
    feedRuns: [] as FtpFeedRun[],
    backgroundWork: { jobs: [], queues: [], processes: [] } as BackgroundWork,
    ftpOptions: { secrets_available: true, plain_ftp_allowed: false },
    categories: categories(),
    imports: imports(),
    /** Lines of any inspected file. */
    inspectedLines: ['Artikelnummer', 'X1'],
    refusedRows: refusedRows(),
    views: [] as SavedView[],
    sessions: [
      session(1, 'Firefox', 'Linux', true),
      session(2, 'Safari', 'iPhone', false),
      session(3, 'curl', null, false),
    ] as OwnSession[],
    tenantGroups: [
      {
        ...record(1),
        name: 'Einkaufsverbund Nord',
        description: null,
        tenants: [{ id: 1, company: 'Nordstahl Handels GmbH' }],
        tenant_count: 1,
      },
    ] as TenantGroup[],
    tenants: [tenant(1, 'Nordstahl Handels GmbH', 'NORD'), tenant(2, 'Südrohr AG', 'SUED')],
    warehouses: [
      warehouse(1, 'Lager Duisburg', 'DU', { region: 'DE-NW', address: 'Stahlstraße 3, 47119 Duisburg' }),
      warehouse(2, 'Lager Hamburg', 'HH', { region: 'DE-HH', preparation_shift_time: null, preparation_duration_before: 80 }),
    ],
    shippingNodes: [
      shippingNode(1, 'Duisburg', {
        address: 'Stahlstraße 3, 47119 Duisburg',
        latitude: '51.4344',
        longitude: '6.7623',
        outgoing_legs: [legEnd(2, 'Nürnberg')],
      }),
      shippingNode(2, 'Nürnberg', { region: 'DE-BY', incoming_legs: [legEnd(1, 'Duisburg')] }),
      shippingNode(3, 'Linz', { region: 'AT', active: false }),
    ],
    shippingLegs: [shippingLeg],
    shippingFindings: [] as ShippingFinding[],
    shippingNodeClosures: [] as ShippingNodeClosure[],
    matchings: [
      matching(1, { article: { id: 1, article_number: 'HEB-200-S235JR' }, external_article_number: '0004711' }),
      matching(2, { warehouse: { id: 1, short_code: 'DU' }, external_warehouse_identifier: 'LG-3' }),
    ],
    closures: [
      { ...record(1), tenant_id: 1, date: `${new Date().getFullYear()}-12-24`, name: 'Heiligabend', warehouse_id: null },
    ] as Closure[],
    units: [
      unit('mm', 'length', 'mm', true),
      unit('cm', 'length', 'cm', false, '10'),
      unit('m', 'length', 'm', false, '1000'),
      unit('kg', 'mass', 'kg', true),
      unit('t', 'mass', 't'),
      unit('m2', 'area', 'm²', true),
      unit('piece', 'pieces', 'Stück', true),
      unit('m3', 'volume', 'm³', true),
    ],
    users: [
      user(1, 'Anna Hansen', 'admin@stalhof.example', null, ALL),
      user(2, 'Bernd Lübeck', 'leitung@nordstahl.example', 1, ALL),
      user(
        3,
        'Clara Wismar',
        'mitarbeit@nordstahl.example',
        1,
        ALL.filter(({ name }) => /(^access-admin|\.(list|view))$/.test(name) && !name.startsWith('attribute')),
      ),
      user(4, 'Dirk Rostock', 'shop@nordstahl.example', 1, [{ name: 'access-shop' }]),
      user(5, 'Else Stade', 'niemand@nordstahl.example', 1, []),
    ],
    flags: { processings: true, new_price_menu: true, price_adjustments: true, demo_pages: false },
    /** Tokens that are no longer valid. */
    revokedTokens: new Set<string>(),
  }
}

export type Db = ReturnType<typeof createDb>
