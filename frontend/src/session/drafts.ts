import { readTab, writeTab } from '~/lib/storage'
import { cachedMe } from './me'

const KEY = 'drafts'

type Values = Record<string, unknown>

/** Unsaved input of a form, and the values from which it started. */
export interface FormDraft {
  /** Version of the edited record. */
  version: number | null
  base: Values
  values: Values
}

/** Key of a draft: user and place. */
const keyOf = (place: string) => `${cachedMe()?.id} ${place}`

export const draftAt = (place: string): FormDraft | null => readTab<Record<string, FormDraft>>(KEY, {})[keyOf(place)] ?? null

export const keepDraft = (place: string, draft: FormDraft): void =>
  writeTab(KEY, {
    ...readTab(KEY, {}),
    [keyOf(place)]: { ...draft, values: Object.fromEntries(Object.entries(draft.values).filter(isKeepable)) },
  })

export function dropDraft(place: string): void {
  const { [keyOf(place)]: _, ...others } = readTab<Record<string, FormDraft>>(KEY, {})
  writeTab(KEY, Object.keys(others).length > 0 ? others : null)
}

/** Deletes all drafts, so that the next user does not see them. */
export const dropDrafts = () => writeTab(KEY, null)

/** True for values that may be stored: no files, which storage cannot hold, and no secrets. */
const isKeepable = ([name, value]: [string, unknown]): boolean =>
  !/password|secret|token|private_key/i.test(name) &&
  !(value instanceof Blob) &&
  (typeof value !== 'object' || value === null || Object.entries(value).every(isKeepable))
