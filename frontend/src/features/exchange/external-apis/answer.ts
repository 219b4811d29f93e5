import { type Forest, pathOf, type TreeItem } from '~/kit/tree/tree'
import type { MappedField, Pointers } from './mapping'
import { ITSELF } from './schema'

/** A value of an answer, or an object or array of values. */
export interface AnswerItem extends TreeItem {
  /** Its name in an object or its place in an array; null for the whole answer. */
  key: string | null
  kind: 'object' | 'array' | 'value'
  /** A value as the answer writes it. */
  text: string
  /** The number of entries in an object or array. */
  size: number
}

/** Entries of an array beyond these are not shown: they look like the others. */
export const SHOWN_ENTRIES = 20

/** The last one is a text that was cut off. */
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
 * The values of a JSON answer, from top to bottom; of an answer that was cut off the part before the cut is read. Numbers keep their digits.
 * Null if it is no object or array.
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

/** A JSON pointer (RFC 6901). */
export const toPointer = (keys: readonly string[]): string => keys.map((key) => `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('')

const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'))

const keysTo = (path: readonly AnswerItem[]) => path.slice(1).map(({ key }) => key ?? '')

/** The place of a value: its list, and the pointer relative to an entry of the list. */
export interface Pointed {
  list: string
  pointer: string
}

/**
 * Takes a value apart into the list on the way to it and the pointer behind that. The list that is set already stays if the value lies
 * in it; otherwise it is the innermost array, or the outermost where an answer is about many records.
 */
export function pointTo(tree: Forest<AnswerItem>, id: number, list: string, takes: 'innermost' | 'outermost'): Pointed {
  const path = pathOf(tree, id)
  const keys = keysTo(path)
  const current = keysOf(list)
  const isInList = path[current.length]?.kind === 'array' && current.every((key, at) => keys[at] === key)
  const arrays = path.slice(0, -1).flatMap(({ kind }, at) => (kind === 'array' ? [at] : []))
  const at = isInList ? current.length : takes === 'innermost' ? arrays.at(-1) : arrays[0]
  if (at === undefined) return { list: '', pointer: toPointer(keys) }
  return { list: toPointer(keys.slice(0, at)), pointer: toPointer(keys.slice(at + 1)) }
}

function valueAt({ children }: Forest<AnswerItem>, from: AnswerItem | undefined, pointer: string): AnswerItem | undefined {
  const keys = pointer === ITSELF ? [] : keysOf(pointer)
  return keys.reduce<AnswerItem | undefined>((item, key) => item && children.get(item.id)?.find((child) => child.key === key), from)
}

/** The text of a value; null for `null`, and for what is no value. */
function valueText(item: AnswerItem | undefined): string | null {
  if (item?.kind !== 'value' || item.text === 'null') return null
  return (item.text.startsWith('"') ? nameOf(item.text) : item.text).trim() || null
}

/** The mapped values of an entry; null where it has none. */
export type ReadEntry = Partial<Record<MappedField, string | null>>

/** The shown entries of an answer as the pointers read them, and the number of all; null if the list's pointer leads to no list. */
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

/** The pointer of a value from the top of the answer. */
export const absolutePointer = (tree: Forest<AnswerItem>, id: number): string => toPointer(keysTo(pathOf(tree, id)))

/** The pointer of a value relative to an entry of the list, or null outside of it. */
export function relativePointer(tree: Forest<AnswerItem>, id: number, list: string): string | null {
  const path = pathOf(tree, id)
  const keys = keysTo(path)
  const current = keysOf(list)
  const top = path[current.length]
  if (!top || !current.every((key, at) => keys[at] === key)) return null
  if (top.kind !== 'array') return toPointer(keys.slice(current.length))
  return keys.length > current.length ? toPointer(keys.slice(current.length + 1)) : null
}
