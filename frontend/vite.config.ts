import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

/** The server behind the development server. */
const proxy = { '/api': process.env.STALHOF_API ?? 'http://127.0.0.1:8080' }
const src = fileURLToPath(new URL('./src', import.meta.url))

/** Answers /api from src/mocks, for work on screens without a server. */
const mockApi: Plugin = {
  name: 'mock-api',
  configureServer(server) {
    server.middlewares.use(async (req, res, next) => {
      if (!req.url?.startsWith('/api/')) return next()
      const { answer } = (await server.ssrLoadModule('/src/mocks/node.ts')) as typeof import('./src/mocks/node')
      const chunks: Uint8Array[] = []
      for await (const chunk of req) chunks.push(chunk as Uint8Array)
      const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined
      const response = await answer(
        new Request(`http://localhost${req.url}`, {
          method: req.method ?? 'GET',
          headers: req.headers as Record<string, string>,
          ...(body && { body }),
        }),
      )
      res.writeHead(response.status, Object.fromEntries(response.headers))
      res.end(Buffer.from(await response.arrayBuffer()))
    })
  },
}

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

export default defineConfig({
  plugins: [react(), names, ...(process.env.STALHOF_MOCK ? [mockApi] : [])],
  resolve: { alias: { '~': src } },
  server: {
    port: 5173,
    proxy: process.env.STALHOF_MOCK ? {} : proxy,
  },
  preview: { proxy },
  build: {
    target: 'es2022',
    // the content security policy forbids data: fonts and scripts
    assetsInlineLimit: 0,
    manifest: true,
    chunkSizeWarningLimit: 400,
    rolldownOptions: {
      treeshake: {
        // emotion uses it for one wrapper, which nothing here calls
        moduleSideEffects: [{ test: /hoist-non-react-statics/, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          groups: [
            // what every page needs compresses best as one file
            { name: 'base', tags: ['$initial'] },
            // the navigation needs all of them, their screens one each
            { name: 'resources', test: /\/(kit|features\/[^/]+)\/resources?\.ts$/ },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['src/test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    env: { TZ: 'Europe/Berlin' },
    css: false,
    testTimeout: 60_000,
    // by default one processor is left idle
    maxWorkers: '100%',
  },
})
