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

const contract = new URL('../../../openapi/openapi.json', import.meta.url)
const types = new URL('../../src/api/schema.ts', import.meta.url)

const document = JSON.parse(readFileSync(contract, 'utf8'))
for (const schema of Object.values(document.components.schemas)) delete schema.example
const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, enumValues: true, silent: true }
const written = withoutAbsent(COMMENT_HEADER + astToString(await openapiTS(document, options)))

if (!process.argv.includes('--check')) writeFileSync(types, written)
else if (readFileSync(types, 'utf8') !== written) {
  console.error('src/api/schema.ts is not what the contract says: run `just openapi`.')
  process.exit(1)
}
