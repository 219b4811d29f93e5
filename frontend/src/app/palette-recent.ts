import { readJson, writeJson } from '~/lib/storage'

/** Recent choice: the address of a page or record, or an action by its id. */
export interface Recent {
  id: string
  label: string
  detail?: string | undefined
  /** Path of a record or a page; actions have none. */
  path?: string | undefined
}

const KEPT = 5
const key = (user: number) => `palette.${user}`

/** Recent choices of a user on this machine, latest first. */
export const recents = (user: number): Recent[] => {
  const { list } = readJson<{ list: unknown }>(key(user), { list: [] })
  const isRecent = (recent: Recent) => typeof recent?.id === 'string' && typeof recent.label === 'string'
  return Array.isArray(list) ? (list as Recent[]).filter(isRecent).slice(0, KEPT) : []
}

export function rememberRecent(user: number, chosen: Recent): void {
  const list = [chosen, ...recents(user).filter(({ id }) => id !== chosen.id)]
  writeJson(key(user), { list: list.slice(0, KEPT) })
}
