import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { msw } from 'msw/vite'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import type { Reporter } from 'vitest/node'
import { cutOutlines } from './scripts/outlines.mjs'

/** Server to which the development server proxies. */
const api = process.env.STALHOF_API ?? 'http://127.0.0.1:8080'
const proxy = { '/api': api, '/readyz': api, '/help': api }
const src = fileURLToPath(new URL('./src', import.meta.url))

interface Titles {
  one?: string
  list?: string
  also?: string
}

/**
 * Collects the titles of all text files, so that navigation and palette need none of them:
 * `virtual:names/de` and `en` have the names of records, `virtual:words` their synonyms in both languages.
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

/** Bounds of the map of shipping nodes, in degrees. */
const MAP = { west: -11, south: 34, east: 45, north: 72 }

const OUTLINES = '\0outlines'

/**
 * Country outlines of Natural Earth at 1:50 million, cut to the map's bounds, a quarter of their size. Read
 * at build time.
 */
const outlines: Plugin = {
  name: 'outlines',
  resolveId: (id) => (id === 'virtual:outlines' ? OUTLINES : null),
  load(id) {
    if (id !== OUTLINES) return null
    const countries = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('world-atlas/countries-50m.json')), 'utf8'))
    // engines parse JSON faster than an object literal of that size
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(cutOutlines(countries, MAP)))})`
  },
}

/**
 * Writes the chunk of each of our modules, and the imports of each chunk, for `scripts/check-bundle.mjs`.
 */
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

const isMock: Plugin['apply'] = (_, { mode }) => mode === 'mock'

/** Starts the application with the tests' mock server: `npm run dev:mock`. */
const mockServer: Plugin[] = [
  { ...msw({ mode: 'worker-only' }), apply: isMock },
  {
    name: 'mock-entry',
    apply: isMock,
    transformIndexHtml: { order: 'pre', handler: (html) => html.replace('/src/main.tsx', '/src/mocks/browser.ts') },
  },
]

/** Lists tests that passed only on retry in the table at the end of `just test`, and prints their errors. */
const flakyTests: Reporter = {
  onTestRunEnd(modules) {
    for (const module of modules) {
      for (const test of module.children.allTests('passed')) {
        if (!test.diagnostic()?.flaky) continue
        const name = `${module.relativeModuleId} > ${test.fullName}`
        execFileSync(fileURLToPath(new URL('../scripts/steps', import.meta.url)), ['flaky', name])
        const errors = (test.result().errors ?? []).map(({ message, stack }) => `\n${message}\n${stack}`)
        process.stdout.write(`flaky: ${name}${errors.join('')}\n`)
      }
    }
  },
}

export default defineConfig({
  plugins: [react(), names, outlines, bundleMap, mockServer],
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
        // emotion imports it for one wrapper, which is not used here
        moduleSideEffects: [{ test: /hoist-non-react-statics/, sideEffects: false }],
      },
      output: {
        // a group split by `entriesAware` is named after all its users; hashes are short, because the shell
        // lists all files
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash:7].js`,
        codeSplitting: {
          // Layers of the app that pages load as a whole, which takes fewer requests than a file for each set
          // of users. A group includes the imports of its modules, except those in a group of higher
          // priority. The bundler splits all other modules by its default.
          groups: [
            // every page needs all of it
            { name: 'base', tags: ['$initial'], priority: 6 },
            // pages without sign-in must not load the shell
            { name: 'public', test: /\/auth\/(check-mail|forgot-password|password-reset|verification|email-undo)\.tsx$/, priority: 5 },
            { name: 'shell', test: /\/(app\/area\.ts|kit\/ui\/state-chip\.tsx)$/, priority: 4 },
            { name: 'record', test: /\/kit\/records\/record-page\.tsx$/, priority: 3 },
            { name: 'list', test: /\/kit\/(records\/resource-list|table\/list-tools)\.tsx$/, priority: 2 },
            // dialogs of lists and pages use only parts of forms, and must not load all of them
            {
              name: 'form',
              test: /\/kit\/(form\/fields|records\/(record-form|usage-panel))\.tsx$/,
              priority: 1,
              entriesAware: true,
              entriesAwareMergeThreshold: 3_000,
            },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    // the setup cleans up between files; loading the app for each of them would take a third of the time
    isolate: false,
    // most allocations of a test are short-lived: a large young generation saves collections
    execArgv: ['--max-semi-space-size=128'],
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/setup.ts'],
    env: { TZ: 'Europe/Berlin' },
    css: false,
    testTimeout: 120_000,
    // a test that passes on retry is listed as flaky at the end, and must be fixed before anything else
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', flakyTests],
    // by default one processor stays idle
    maxWorkers: '100%',
  },
})
