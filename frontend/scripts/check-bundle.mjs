// Sums the compressed JavaScript that each page loads and the requests for it, and fails above its budgets.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { createServer } from 'vite'

/**
 * KiB: whole pages before signing in; pages, lists and pages of records beyond the shell; forms beyond the list that they lie over.
 * A demo shows a form without its list.
 */
const BUDGET = { entry: 202, shell: 270, firstList: 305, page: 52, list: 52, form: 60, heavy: 99, demo: 114, all: 1058 }
/** Requests for a page that is opened first, with the shell and, below a form, the list. The whole has no bound. */
const REQUESTS = { entry: 8, shell: 8, firstList: 20, page: 42, list: 42, form: 68, heavy: 81, demo: 54, all: Infinity }
/** Screens that are more than a list or a form. */
const HEAVY = [
  '/categories',
  '/attributes/order',
  '/articleTypes/:id',
  '/articles/:id',
  '/imports/new',
  '/imports/:id',
  '/imports/:id/rows',
  '/prices',
  '/price-adjustments',
  '/price-adjustments/:id',
  '/priceLists/:id/details',
  '/priceLists/:id/prices',
  '/sample-carts/:id/details',
  '/shippingNodes/:id/details',
  '/shippingNodes/legs/:id/details',
  '/shippingNodes/legs/new',
  '/surcharge-tables/:id/details',
  '/surcharge-tables/:id/values',
  '/surcharge-tables/:id/usage',
  '/users/:id/rights',
  '/warehouses/:id/details',
  '/warehouses/:id/usage',
  '/webhooks/:id/details',
]

/** KiB of the handbook's files, which no screen loads: its compressed scripts, and its pictures in both languages. */
const HANDBOOK = { scripts: 220, pictures: 1500 }

const german = (...names) => names.map((name) => `src/i18n/de/${name}.json`)
const ENTRY = ['src/main.tsx', ...german('common', 'auth')]
const SHELL = ['src/main.tsx', ...german('common', 'shell'), 'virtual:names/de', 'src/app/area.ts']
// what always shows counts, however late it comes
const LATE = { '/price-adjustments': ['src/features/pricing/price-adjustments/cart-choice.tsx'] }
const LIST = ['src/kit/table/list-tools.tsx', ...german('listTools')]
const FORM = ['src/kit/records/usage-panel.tsx', ...german('usage')]
const auth = (page) => [...ENTRY, ...german('passwordReset'), `src/features/identity/auth/${page}.tsx`]

const dist = new URL('../dist/', import.meta.url)
const { modules: fileOf, imports } = JSON.parse(readFileSync(new URL('.vite/bundle.json', dist), 'utf8'))
let failed = false
function fail(text) {
  console.error(text)
  failed = true
}

/** The files that a browser loads for these modules: with their static imports, never their dynamic ones. */
function load(...modules) {
  const visited = new Set()
  const walk = (file) => {
    if (visited.has(file)) return
    visited.add(file)
    for (const next of imports[file]) walk(next)
  }
  for (const module of modules) {
    if (fileOf[module]) walk(fileOf[module])
    else fail(`${module} is not in the bundle`)
  }
  return visited
}

const sizes = new Map()
function size(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length)
  return sizes.get(file)
}
const kib = (files) => [...files].reduce((sum, file) => sum + size(file), 0) / 1024

/** Compares a page's files with the budgets of its kind. What lies below it is not weighed again. */
function judge(name, files, kind, below = new Set()) {
  const weight = kib(files) - kib(below)
  const over = weight > BUDGET[kind] || files.size > REQUESTS[kind]
  failed ||= over
  const sum = `${weight.toFixed(1).padStart(7)} KiB gz of ${String(BUDGET[kind]).padStart(3)}`
  const requests = kind === 'all' ? `${files.size} files` : `${String(files.size).padStart(3)} requests of ${REQUESTS[kind]}`
  console.log(`${name.padEnd(32)} ${sum}, ${requests}${over ? '  OVER BUDGET' : ''}`)
}

/** All resources, as `screens.ts` of each says. */
async function loadResources() {
  const server = await createServer({
    server: { middlewareMode: true, ws: false },
    appType: 'custom',
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true },
  })
  const { resources } = await server.ssrLoadModule('/src/app/resources.ts')
  await server.close()
  return resources
}

/** Modules that a function of `screens.ts` imports. */
const moduleOf = (load) => /\("\/(src\/[^"]+)"/.exec(String(load))[1]

for (const page of ['forgot-password', 'check-mail', 'password-reset', 'verification']) judge(`/${page}`, load(...auth(page)), 'entry')
judge('/login', load(...ENTRY), 'entry')
const shell = load(...SHELL)
judge('shell', shell, 'shell')
judge('/home', load(...SHELL, ...german('home', 'imports'), 'src/app/home.tsx'), 'page', shell)
judge('/profile', load(...SHELL, ...german('profile', 'auth', 'layout'), 'src/features/identity/profile/profile.tsx'), 'heavy', shell)
judge(
  '/price-calculator',
  load(...SHELL, ...german('priceCalculator'), 'src/features/pricing/price-calculator/calculator.tsx'),
  'heavy',
  shell,
)
judge(
  '/delivery-date',
  load(...SHELL, ...german('deliveryDate', 'itinerary', 'warehouses'), 'src/features/logistics/delivery-date/calculator.tsx'),
  'heavy',
  shell,
)
judge(
  '/demo/conditions',
  load(...SHELL, ...german('conditions', 'whyPrice'), 'src/features/pricing/price-adjustments/demo/conditions.tsx'),
  'demo',
  shell,
)
judge('/demo/kit', load(...SHELL, ...german('gallery', 'reorder', 'spreadsheet'), 'src/app/gallery/gallery.tsx'), 'demo', shell)
judge(
  '/price-calculator/over-time',
  load(...SHELL, ...german('priceCalculator', 'priceOverTime'), 'src/features/pricing/price-calculator/over-time.tsx'),
  'heavy',
  shell,
)

let first = null
for (const { ns, path, texts = [], api, list, form, page, overlays = {}, pages = {} } of await loadResources()) {
  const kindOf = (name, kind) => (HEAVY.includes(name) ? 'heavy' : kind)
  const base = [...SHELL, ...german(ns, ...texts), moduleOf(api)]
  const listFiles = load(...base, moduleOf(list), ...LIST, ...(LATE[path] ?? []))
  first ??= listFiles
  judge(path, listFiles, kindOf(path, 'list'), shell)
  const { create, record } = typeof form === 'function' ? { record: form } : (form ?? {})
  for (const [at, screen] of Object.entries({ ...(create && { new: create }), ...overlays, ...(record && { ':id': record }) })) {
    judge(
      `${path}/${at}`,
      new Set([...listFiles, ...load(...german(...(screen.texts ?? [])), moduleOf(screen), ...FORM)]),
      kindOf(`${path}/${at}`, 'form'),
      listFiles,
    )
  }
  for (const [at, screen] of Object.entries(page?.tabs ?? {})) {
    const tab = load(...base, ...german('recordPage', ...(screen.texts ?? [])), moduleOf(page.frame), moduleOf(screen))
    judge(`${path}/:id/${at}`, tab, kindOf(`${path}/:id/${at}`, 'page'), shell)
  }
  for (const [at, screen] of Object.entries(pages)) {
    judge(`${path}/${at}`, load(...base, moduleOf(screen)), kindOf(`${path}/${at}`, 'page'), shell)
  }
}
judge('first list', first, 'firstList')
judge('all', new Set(Object.keys(imports)), 'all')

const handbook = readdirSync(new URL('help/', dist), { recursive: true }).map((file) => `help/${file}`)
const pictures = handbook.filter((file) => file.endsWith('.webp'))
for (const [name, weight] of Object.entries({
  scripts: kib(handbook.filter((file) => file.endsWith('.js'))),
  pictures: pictures.reduce((sum, file) => sum + statSync(new URL(file, dist)).size, 0) / 1024,
})) {
  const over = weight > HANDBOOK[name]
  failed ||= over
  console.log(`${`handbook: ${name}`.padEnd(32)} ${weight.toFixed(1).padStart(7)} KiB of ${HANDBOOK[name]}${over ? '  OVER BUDGET' : ''}`)
}
process.exit(failed ? 1 : 0)
