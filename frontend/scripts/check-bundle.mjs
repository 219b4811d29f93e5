// Sums the compressed JavaScript each entry route pulls in and fails above the budget.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))
const gz = new Map()
const size = (file) => {
  if (!gz.has(file)) gz.set(file, gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length)
  return gz.get(file)
}

const boot = [...readFileSync(new URL('index.html', dist), 'utf8').matchAll(/src="\/(assets\/[^"]+)"/g)].map((match) => match[1])

/** What a browser loads for these modules: their static imports, never their dynamic ones. */
function closure(keys) {
  const seen = new Set()
  const walk = (key) => {
    const chunk = manifest[key]
    if (!chunk || seen.has(key)) return
    seen.add(key)
    for (const next of chunk.imports ?? []) walk(next)
  }
  keys.forEach(walk)
  const files = [...seen].map((key) => manifest[key].file)
  return [...new Set([...boot, ...files])].filter((file) => file.endsWith('.js'))
}

const german = (...names) => names.map((name) => `src/i18n/de/${name}.json`)
const entry = german('common')
const shell = [...entry, ...german('shell'), 'src/app/area.ts']
const routes = [
  ['login', [...entry, ...german('auth')], 200],
  ['first list', [...shell, ...german('materials'), 'src/features/materials/list.tsx'], 305],
  ['form drawer', [...shell, ...german('materials'), 'src/features/materials/list.tsx', 'src/features/materials/form.tsx'], 345],
]

let failed = false
for (const [name, keys, budget] of routes) {
  for (const key of keys) {
    if (!manifest[key]) {
      console.error(`${name}: ${key} is not in the manifest`)
      failed = true
    }
  }
  const files = closure(keys)
  const kib = files.reduce((sum, file) => sum + size(file), 0) / 1024
  const over = kib > budget
  failed ||= over
  console.log(`${name.padEnd(12)} ${kib.toFixed(1).padStart(7)} KiB gz of ${budget} in ${files.length} files${over ? '  OVER BUDGET' : ''}`)
}
const all = [...new Set(Object.values(manifest).map((chunk) => chunk.file))].filter((file) => file.endsWith('.js'))
console.log(`all          ${(all.reduce((sum, file) => sum + size(file), 0) / 1024).toFixed(1).padStart(7)} KiB gz in ${all.length} files`)
process.exit(failed ? 1 : 0)
