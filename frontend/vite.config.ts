import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'

/** The server behind the development server. */
const api = process.env.STALHOF_API ?? 'http://127.0.0.1:8080'
const proxy = { '/api': api, '/readyz': api }
const src = fileURLToPath(new URL('./src', import.meta.url))

interface Titles {
  one?: string
  list?: string
  also?: string
}

/**
 * What the titles of all texts say, so that navigation and palette need none of the files: `virtual:names/de` and `en`, how kinds of
 * records are called; `virtual:words`, what people also call them, in either language.
 */
const names: Plugin = {
  name: 'names',
  resolveId: (id) => (/^virtual:(names\/(de|en)|words)$/.test(id) ? `\0${id}` : null),
  load(id) {
    if (!id.startsWith('\0virtual:')) return null
    const titles = (lang: string) =>
      readdirSync(`${src}/i18n/${lang}`).map((file): [string, Titles] => {
        const path = `${src}/i18n/${lang}/${file}`
        this.addWatchFile(path)
        return [file.replace('.json', ''), JSON.parse(readFileSync(path, 'utf8')).title ?? {}]
      })
    const lang = id.split('/')[1]
    const entries = lang
      ? titles(lang).flatMap(([ns, { one, list }]) => (list ? [[ns, { one, list }]] : []))
      : titles('de').map(([ns, { also }], at) => [ns, `${also} ${titles('en')[at]?.[1].also}`])
    return `export default ${JSON.stringify(Object.fromEntries(entries))}`
  },
}

/** Which file each module of ours has become a part of, and which files that one needs: what `scripts/check-bundle.mjs` judges by. */
const bundleMap: Plugin = {
  name: 'bundle-map',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []))
    const own = (id: string) =>
      id.startsWith(src) ? [`src${id.slice(src.length)}`] : id.startsWith('\0virtual:names') ? [id.slice(1)] : []
    const source = JSON.stringify({
      modules: Object.fromEntries(chunks.flatMap(({ fileName, moduleIds }) => moduleIds.flatMap(own).map((id) => [id, fileName]))),
      imports: Object.fromEntries(chunks.map(({ fileName, imports }) => [fileName, imports])),
    })
    this.emitFile({ type: 'asset', fileName: '.vite/bundle.json', source })
  },
}

/** What pages before signing in share with those behind it, which they must not bring along, and what they lie on. */
const LIGHT =
  /\/(features\/auth\/card|kit\/feedback\/(busy-button|error-text|load-failed)|kit\/form\/password-strength|lib\/use-debounced)\.tsx?$|\/material\/Skeleton\/|\/icons\/circle-check\.\w+$/
/** What every list needs, whatever it shows. */
const LIST =
  /\/(kit\/(list\/(resource-list|list-tools|columns)|record-page\/(record|waiting)|resource\/crud|permissions\/texts|media\/.*)|api\/units|src\/lib\/(?!gtin|use-now|zone).*|features\/(?!price-calculator|stocks|trade-dimensions|categories|warehouses|sample-carts)[^/]+\/ref)\.tsx?$/
const DIALOG =
  /\/kit\/(feedback\/(dialog-footer|form-errors|used-by|copy-text|message|working)|form\/(form-drawer|use-leave-guard|merge))\.tsx?$|\/material\/Dialog(Title|Content|ContentText)?\//
const FORM = /\/kit\/form\/(record-form|fields|usage-panel|schema)\.tsx?$/
/** Pieces that only some forms have: in one file where nearly the same forms do. */
const SHARED = { entriesAware: true, entriesAwareMergeThreshold: 3500 }

/** Lists and forms of less than 1 KiB each: a file for all of them. */
const SMALL_LISTS =
  /\/features\/(article-type-groups|matchings|materials|processing-prices|processings|roles|tenant-groups|tenants|trade-dimensions|warehouses)\/(api|list)\.tsx?$/
/** Both are about prices. */
const PRICE_LISTS =
  /\/features\/((price-lists|surcharge-tables)\/(api|list)|surcharge-tables\/page|price-lists\/(page|audience|locked-notice))\.tsx?$/
/** Both say who may do what. */
const USERS = /\/features\/(users|tokens)\/(api|list)\.tsx?$/
/** Both are about stocks. */
const STOCKS = /\/features\/(stocks|held-prices)\/(api|list)\.tsx?$/
const SMALL_FORMS =
  /\/features\/((article-type-groups|processings|tenant-groups|held-prices)\/(form|bulk)|(matchings|processing-prices)\/form)\.tsx$/

/** One file for each folder that the pattern captures. */
const of = (pattern: RegExp, ending: string) => (id: string) => pattern.exec(id)?.[1]?.concat(ending) ?? null

/** Texts that are small or needed together; all others are a file each. */
const TEXTS = [
  'auth passwordReset demoMails',
  'shell recordPage',
  'listTools selection',
  'usage conflict effect image tree permissions',
  'palette layout profile home',
  'attributes materials processings processingPrices',
  'articleTypes articleTypeGroups categories articles tradeDimensions',
  'tenants tenantGroups warehouses matchings',
  'users roles tokens audit',
  'prices spreadsheet priceListPrices priceImpact',
  'priceLists surchargeTables sampleCarts',
  'priceCalculator whyPrice priceOverTime',
  'stocks heldPrices unresolvedNumbers priceAdjustments conditions reorder',
].map((names) => names.split(' '))

function textsOf(id: string): string | null {
  const [, names] = /virtual:names\/(de|en)$/.exec(id) ?? []
  if (names) return `shell-${names}`
  const [, lang, ns = ''] = /\/i18n\/(de|en)\/(\w+)\.json$/.exec(id) ?? []
  const together = TEXTS.find((names) => names.includes(ns))
  return together ? `${together[0]}-${lang}` : null
}

/**
 * In CI a file's tests run on React's production build, which takes half of the time, and on one of seven days on its development build,
 * which draws each page twice (strict mode). Elsewhere they run on the development build only.
 */
function tests(): { include: string[] } | { projects: TestProjectConfiguration[] } {
  if (!process.env.CI) return { include: ['src/**/*.test.{ts,tsx}'] }
  const day = Number(process.env.STALHOF_ROTATION ?? Math.floor(Date.now() / 86_400_000))
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.test\.tsx?$/.test(file))
  const files = found.sort().map((file, number) => ({ file: `src/${file}`, development: (number + day) % 7 === 0 }))
  const build = (name: string, development: boolean) => ({
    extends: true as const,
    oxc: { jsx: { runtime: 'automatic' as const, development } },
    test: {
      name,
      include: files.filter((one) => one.development === development).map(({ file }) => file),
      ...(!development && { env: { NODE_ENV: 'production' } }),
    },
  })
  return { projects: [build('development', true), build('production', false)] }
}

export default defineConfig({
  plugins: [react(), names, bundleMap],
  resolve: { alias: { '~': src } },
  server: {
    port: 5173,
    proxy,
  },
  preview: { proxy },
  build: {
    target: 'es2022',
    // the content security policy forbids data: fonts and scripts
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      treeshake: {
        // emotion uses it for one wrapper, which nothing here calls
        moduleSideEffects: [{ test: /hoist-non-react-statics/, sideEffects: false }],
      },
      output: {
        // a piece that some forms share is called by all of them; the shortest hash there is, because the list of files is in the shell
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash:7].js`,
        codeSplitting: {
          // a group takes along what its modules need, unless one before it has that
          groups: [
            // what every page needs compresses best as one file
            { name: 'base', tags: ['$initial'], priority: 10 },
            { name: 'light', test: LIGHT, priority: 9 },
            {
              name: 'area',
              test: /\/(app\/area\.ts|imports\/(counts-text|dry-run-chip|status-chip)\.tsx?|kit\/money\/use-money-text\.ts|kit\/shell\/.*\.tsx?|kit\/resource\/opened\.ts|kit\/feedback\/error-text\.ts|lib\/(use-now|fold)\.ts)$|\/material\/(ListSubheader|Input|internal\/svg-icons)\//,
              priority: 8,
            },
            // many forms have it, no list; the shell only for people without a tenant
            { name: 'picker', test: /\/kit\/(form\/ref-picker|feedback\/tenant-picker)\.tsx$/, priority: 6 },
            // forms and the progress of imports have nothing else in common
            { name: 'linear-progress', test: /\/material\/LinearProgress\//, priority: 9 },
            // the home page tells of imports without their list; lists that send files need no more of it
            {
              name: 'progress',
              test: /\/(imports\/(progress|may-import)|api\/upload)\.tsx?$/,
              priority: 8,
            },
            { name: 'list', test: LIST, priority: 7 },
            { name: 'dialog', test: DIALOG, priority: 6 },
            { name: 'reorder', test: /\/kit\/reorder\/(?!reorder-form).*\.tsx?$/, priority: 5 },
            { name: 'form', test: FORM, priority: 4 },
            { name: 'pictures', test: /\/kit\/form\/(image-field|use-with-images)\.tsx?$/, priority: 4 },
            // small pieces of several pages, which are none of the lists they would lie with
            {
              name: 'scale',
              test: /\/(kit\/(scale\/(?!steps)|spreadsheet\/sum|money\/use-(money-text|euro)|why-price\/record-link)|features\/(price-calculator|sample-carts|warehouses)\/ref\.ts|lib\/zone\.ts)/,
              priority: 4,
            },
            // price lists and price adjustments ask before they change prices, and share no other file of their own
            { name: 'price-impact', test: /\/kit\/(price-impact\/(impact-calls|use-impact)|money\/use-release)\.tsx?$/, priority: 4 },
            { name: 'history', test: /\/kit\/(history\/|record-page\/history-tab)/, priority: 3 },
            {
              name: 'fields',
              test: /\/kit\/(form|effect|permissions)\/(?!stale-dialog|effect-(dialog|bar|table)|differing)/,
              priority: 3,
              ...SHARED,
            },
            // tabs that bring a form along are none of the page's
            { name: 'record-page', test: /\/kit\/record-page\/(?!page-form|usage-tab|history-tab)/, priority: 2 },
            { name: 'page-form', test: /\/record-page\/(page-form|usage-tab)\.tsx$/, priority: 2 },
            { name: 'sample-carts', test: /\/sample-carts\/(api|list|page)\.tsx?$/, priority: 2 },
            { name: 'small-lists', test: SMALL_LISTS, priority: 2 },
            { name: 'users', test: USERS, priority: 2 },
            { name: 'stocks', test: STOCKS, priority: 2 },
            { name: 'small-forms', test: SMALL_FORMS, priority: 2 },
            { name: 'price-lists', test: PRICE_LISTS, priority: 2 },
            // the calculator has no list
            { name: of(/\/features\/(?!price-calculator)([^/]+)\/(api|list)\.tsx?$/, ''), priority: 2 },
            // the editor is on a page by itself, too
            { name: 'conditions', test: /\/price-adjustments\/(conditions|demo)\/.*\.tsx?$/, priority: 2 },
            { name: 'subtotals', test: /\/price-adjustments\/cart-(choice|subtotal)\.tsx$/ },
            { name: 'price-lists-form', test: /\/(price-lists|surcharge-tables)\/(form|details|add-row)\.tsx$/, priority: 1 },
            // both give permissions
            { name: 'tenants-form', test: /\/(tenants|roles)\/form\.tsx$/, priority: 1 },
            // both say who may do what
            { name: 'users-form', test: /\/(users|tokens)\/(form|details|match|bulk)\.tsx$/, priority: 1 },
            { name: 'attributes-form', test: /\/(attributes|materials)\/(form|bulk)\.tsx$/, priority: 1 },
            { name: of(/\/features\/([^/]+)\/(form|details|match|bulk)\.tsx$/, '-form'), priority: 1 },
            {
              name: 'many',
              test: /\/kit\/(list\/(selection\/(selection-bar|outcome-dialog)|views\/name-dialog)|feedback\/undo|list\/view-panel)\.tsx$/,
            },
            // had ready when nothing else is to be done
            {
              name: 'idle',
              test: /\/(feedback\/confirm-dialog|auth\/reauth-dialog|form\/stale-dialog|imports\/bell-panel|shortcuts\/shortcut-help|spreadsheet\/keys-help)\.tsx$/,
            },
            { name: 'price-list-sheet', test: /\/price-lists\/prices\.tsx$/ },
            {
              name: 'price-dialogs',
              test: /\/(prices\/tiers|spreadsheet\/(row|other-proposals)|price-calculator\/(save-dialog|opened-cart)|price-lists\/(copy|change|price|paste))(-dialog)?\.tsx?$/,
            },
            // tables of rows, which need no form; what they share with the dialog that undoes them
            { name: 'rows', test: /\/imports\/(rows|pages|seen-waiting|undone-(rows|groups))\.tsx?$/ },
            // dialogs over lists and forms
            {
              name: 'dialogs',
              test: /\/(kit\/(list\/selection\/change-dialog|effect\/effect-dialog|price-impact\/(?!impact-calls|use-impact).*)|imports\/undo-dialog|price-adjustments\/finding(s-dialog)?|users\/invite-dialog|tokens\/(rotate|issued)-dialog|articles\/attribute-value-parts)\.tsx$/,
            },
            { name: 'warehouse-page', test: /\/warehouses\/page\.tsx$/ },
            { name: 'warehouse-calendar', test: /\/warehouses\/calendar\.tsx$/ },
            { name: 'warehouse-parts', test: /\/warehouses\/(closure-dialog|readiness-card)\.tsx$/ },
            // both are opened by the link of a mail
            { name: 'by-link', test: /\/auth\/(verification|password-reset|email-undo|mail-links)\.tsx$/ },
            { name: 'forgotten', test: /\/auth\/(check-mail|forgot-password)\.tsx$/ },
            { name: 'seen', test: /\/imports\/(upload|templates|mapping|use-inspection|(columns|preview)-step)\.tsx?$/ },
            // both are drawers that are seldom opened
            { name: 'layout', test: /\/(kit\/layout\/layout-(drawer|options)|auth\/demo-mails)\.tsx$/ },
            { name: 'demo', test: /\/auth\/demo-(accounts|mails-button)\.tsx$/ },
            { name: textsOf },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    // what a file leaves behind is put away in the setup; loading the app anew for each took a third of the time
    isolate: false,
    // nearly all that a test allocates is garbage soon: a large young generation saves collections
    execArgv: ['--max-semi-space-size=128'],
    setupFiles: ['src/test/act.ts', 'src/test/setup.ts'],
    ...tests(),
    env: { TZ: 'Europe/Berlin' },
    css: false,
    testTimeout: 60_000,
    // by default one processor is left idle
    maxWorkers: '100%',
  },
})
