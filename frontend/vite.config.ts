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

/** How all kinds of records are called in a language: the titles of their files of texts. */
const names: Plugin = {
  name: 'names',
  resolveId: (id) => (id.startsWith('virtual:names/') ? `\0${id}` : null),
  load(id) {
    const dir = `${src}/i18n/${/^\0virtual:names\/(\w+)$/.exec(id)?.[1]}`
    if (!id.startsWith('\0virtual:names/')) return null
    const named = readdirSync(dir).flatMap((file) => {
      this.addWatchFile(`${dir}/${file}`)
      const { one, list } = JSON.parse(readFileSync(`${dir}/${file}`, 'utf8')).title ?? {}
      return list ? [[file.replace('.json', ''), { one, list }]] : []
    })
    return `export default ${JSON.stringify(Object.fromEntries(named))}`
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
