// Writes the interface's types from the contract, or with --check compares them. Examples are for people and stay in the contract.
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript'

/** A path without what it does not have: the methods and parameters that the generator writes as `never` say nothing, a key too many is refused all the same. */
function withoutAbsent(text) {
  const [head, rest] = text.split('export interface paths {')
  const end = rest.indexOf('\n}\n')
  const paths = rest
    .slice(0, end)
    .replace(/^ {8}parameters: \{\n(?: {12}\w+\?: never;\n)+ {8}\};\n/gm, '')
    .replace(/^ {8}\w+\?: never;\n/gm, '')
  return `${head}export interface paths {${paths}${rest.slice(end)}`
}

/** What the contract offers of each list: what lies below it and below its records, and whether deleting takes a confirmation. */
function offers({ paths }) {
  const isList = (path) =>
    /^\/api\/admin\/[^/]+$/.test(path) && paths[path].get?.parameters?.some(({ $ref }) => $ref?.endsWith('page.number'))
  const list = (path) => {
    const below = Object.keys(paths).flatMap(
      (other) => /^(?:\/\{id\})?\/([a-z-]+)$/.exec(other.startsWith(path) ? other.slice(path.length) : '')?.[1] ?? [],
    )
    const confirms = paths[`${path}/{id}`]?.delete?.parameters?.some(({ $ref }) => $ref?.endsWith('confirm'))
    return `  '${path}': ${JSON.stringify([...below, ...(confirms ? ['confirm'] : [])])},\n`
  }
  return `\nexport const offers = {\n${Object.keys(paths).filter(isList).map(list).join('')}} as const\n`
}

const contract = new URL('../../../openapi/openapi.json', import.meta.url)
const types = new URL('../../src/api/schema.ts', import.meta.url)

const document = JSON.parse(readFileSync(contract, 'utf8'))
for (const schema of Object.values(document.components.schemas)) delete schema.example
const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, enumValues: true, silent: true }
const written = withoutAbsent(COMMENT_HEADER + astToString(await openapiTS(document, options))) + offers(document)

if (!process.argv.includes('--check')) writeFileSync(types, written)
else if (readFileSync(types, 'utf8') !== written) {
  console.error('src/api/schema.ts is not what the contract says: run `just openapi`.')
  process.exit(1)
}
