// Compresses the built text assets once, so that the server never does it per request.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const TEXT = /\.(js|css|svg|json|html|txt)$/
// index.html carries a nonce per response and is compressed by nobody
const SKIP = /dist\/index\.html$/

function* files(dir) {
  for (const name of readdirSync(dir)) {
    const path = join(dir, name)
    if (statSync(path).isDirectory()) yield* files(path)
    else yield path
  }
}

const dist = new URL('../dist', import.meta.url).pathname
let count = 0
for (const path of files(dist)) {
  if (!TEXT.test(path) || SKIP.test(path) || path.includes('.vite')) continue
  const bytes = readFileSync(path)
  if (bytes.length < 512) continue
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  count += 1
}
console.log(`precompressed ${count} files`)
