import { readTab, writeTab } from '~/lib/storage'
import { cachedMe } from './me'

const KEY = 'drafts'

type Values = Record<string, unknown>

/** What was typed into a form, and what it started from. */
export interface Draft {
  /** Of the record that was changed. */
  version: number | null
  base: Values
  values: Values
}

/** By whom and where. */
const keyOf = (place: string) => `${cachedMe()?.id} ${place}`

export const draftAt = (place: string): Draft | null => readTab<Record<string, Draft>>(KEY, {})[keyOf(place)] ?? null

export const keepDraft = (place: string, draft: Draft): void =>
  writeTab(KEY, {
    ...readTab(KEY, {}),
    [keyOf(place)]: { ...draft, values: Object.fromEntries(Object.entries(draft.values).filter(keepable)) },
  })

export function dropDraft(place: string): void {
  const { [keyOf(place)]: _, ...others } = readTab<Record<string, Draft>>(KEY, {})
  writeTab(KEY, Object.keys(others).length > 0 ? others : null)
}

/** Nothing that one has typed is there for the next one. */
export const dropDrafts = () => writeTab(KEY, null)

/** No storage holds files, and none should hold secrets. */
const keepable = ([name, value]: [string, unknown]): boolean =>
  !/password|secret|token|private_key/i.test(name) &&
  !(value instanceof Blob) &&
  (typeof value !== 'object' || value === null || Object.entries(value).every(keepable))
