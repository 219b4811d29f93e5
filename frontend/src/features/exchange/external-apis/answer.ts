import { type Forest, pathOf, type TreeItem } from '~/kit/tree/tree'
import type { MappedField, Pointers } from './mapping'
import { ITSELF } from './schema'

/** Value of a response, or an object or array of values. */
export interface AnswerItem extends TreeItem {
  /** Key in its object or index in its array; null for the root. */
  key: string | null
  kind: 'object' | 'array' | 'value'
  /** Literal text of the value in the response. */
  text: string
  /** Number of entries of an object or array. */
  size: number
}

/** Maximum number of shown entries of an array; further ones look the same. */
export const SHOWN_ENTRIES = 20

/** Tokens of JSON; the last alternative is a string that was cut off. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+|"[\s\S]*/g
const isJson = (text: string) => /^\s*[[{]/.test(text)

function nameOf(token: string): string {
  try {
    return String(JSON.parse(token))
  } catch {
    return token
  }
}

/**
 * Parses a JSON response to a list of its values, top to bottom; of a truncated response, the part before
 * the cut. Numbers keep their digits. Null if it is neither an object nor an array.
 */
export function readAnswer(text: string): AnswerItem[] | null {
  if (!isJson(text)) return null
  const items: AnswerItem[] = []
  const open: { item: AnswerItem; isShown: boolean }[] = []
  let name: string | null = null
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const parent = open.at(-1)
    const isCutOff = index + token.length === text.length && token !== '}' && token !== ']'
    if (isCutOff) break
    if (token === '}' || token === ']') open.pop()
    else if (token === ',' || token === ':') continue
    else if (parent?.item.kind === 'object' && name === null) name = nameOf(token)
    else {
      if (!parent && items.length > 0) break
      const kind = token === '{' ? 'object' : token === '[' ? 'array' : 'value'
      const key: string | null = parent ? (name ?? String(parent.item.size)) : null
      const item: AnswerItem = { id: items.length, parent_id: parent?.item.id ?? null, key, kind, text: token, size: 0 }
      name = null
      if (parent) parent.item.size += 1
      const isShown = parent === undefined || (parent.isShown && (parent.item.kind === 'object' || parent.item.size <= SHOWN_ENTRIES))
      if (isShown) items.push(item)
      if (kind !== 'value') open.push({ item, isShown })
    }
  }
  return items
}

/** Joins keys to a JSON pointer (RFC 6901). */
export const toPointer = (keys: readonly string[]): string => keys.map((key) => `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('')

const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'))

const keysTo = (path: readonly AnswerItem[]) => path.slice(1).map(({ key }) => key ?? '')

/** Location of a value: its list, and the pointer relative to an entry of the list. */
export interface PointerLocation {
  list: string
  pointer: string
}

/**
 * Splits the location of a value into the list on its path and the pointer within an entry. A list that is
 * already set stays if it contains the value; otherwise the innermost array is used, or the outermost if a
 * response is about many records.
 */
export function pointTo(tree: Forest<AnswerItem>, id: number, list: string, listLevel: 'innermost' | 'outermost'): PointerLocation {
  const path = pathOf(tree, id)
  const keys = keysTo(path)
  const current = keysOf(list)
  const isInList = path[current.length]?.kind === 'array' && current.every((key, at) => keys[at] === key)
  const arrays = path.slice(0, -1).flatMap(({ kind }, at) => (kind === 'array' ? [at] : []))
  const at = isInList ? current.length : listLevel === 'innermost' ? arrays.at(-1) : arrays[0]
  if (at === undefined) return { list: '', pointer: toPointer(keys) }
  return { list: toPointer(keys.slice(0, at)), pointer: toPointer(keys.slice(at + 1)) }
}

function valueAt({ children }: Forest<AnswerItem>, from: AnswerItem | undefined, pointer: string): AnswerItem | undefined {
  const keys = pointer === ITSELF ? [] : keysOf(pointer)
  return keys.reduce<AnswerItem | undefined>((item, key) => item && children.get(item.id)?.find((child) => child.key === key), from)
}

/** Text of a value; null for `null` and for objects and arrays. */
function valueText(item: AnswerItem | undefined): string | null {
  if (item?.kind !== 'value' || item.text === 'null') return null
  return (item.text.startsWith('"') ? nameOf(item.text) : item.text).trim() || null
}

/** Mapped values of an entry; null for those it lacks. */
export type ReadEntry = Partial<Record<MappedField, string | null>>

/**
 * Reads the shown entries of a response by the pointers, and counts all; null if the list's pointer does not
 * lead to a list.
 */
export function readEntries(
  tree: Forest<AnswerItem>,
  pointers: Pointers,
  fields: readonly MappedField[],
): { entries: ReadEntry[]; count: number } | null {
  const list = valueAt(tree, tree.list[0], pointers.list)
  if (!list || list.kind === 'value') return null
  const items = list.kind === 'array' ? (tree.children.get(list.id) ?? []) : [list]
  const mapped = fields.filter((field) => pointers[field] && field !== 'next_page')
  const read = (item: AnswerItem): ReadEntry =>
    Object.fromEntries(mapped.map((field) => [field, valueText(valueAt(tree, item, pointers[field] ?? ''))]))
  return { entries: items.map(read), count: list.kind === 'array' ? list.size : 1 }
}

/** Pointer to a value from the root of the response. */
export const absolutePointer = (tree: Forest<AnswerItem>, id: number): string => toPointer(keysTo(pathOf(tree, id)))

/** Pointer to a value relative to an entry of the list, or null outside of the list. */
export function relativePointer(tree: Forest<AnswerItem>, id: number, list: string): string | null {
  const path = pathOf(tree, id)
  const keys = keysTo(path)
  const current = keysOf(list)
  const top = path[current.length]
  if (!top || !current.every((key, at) => keys[at] === key)) return null
  if (top.kind !== 'array') return toPointer(keys.slice(current.length))
  return keys.length > current.length ? toPointer(keys.slice(current.length + 1)) : null
}
