import { useEffect } from 'react'
import type { RecordNamespace } from '~/i18n/namespaces'
import { readJson, writeJson } from '~/lib/storage'
import { useMe } from '~/session/me'
import { keepTenant } from '~/session/tenant'
import type { ResourceOf } from './resource'

export interface RecentRecord {
  ns: RecordNamespace
  id: number
  label: string
  detail?: string | undefined
  /**
   * Part of the query that names the tenant for which it was opened; empty if the tenant makes no
   * difference.
   */
  search: string
}

const KEPT = 8
const key = (user: number) => `opened.${user}`
const same = (one: RecentRecord, ns: RecordNamespace, id: number) => one.ns === ns && one.id === id

/** Records that a user has opened in this browser, latest first. */
export function recentRecords(user: number): RecentRecord[] {
  const { list } = readJson<{ list: unknown }>(key(user), { list: [] })
  const known = (one: RecentRecord) => typeof one?.ns === 'string' && typeof one.id === 'number' && typeof one.label === 'string'
  return Array.isArray(list) ? (list as RecentRecord[]).filter(known) : []
}

const keep = (user: number, list: RecentRecord[]) => writeJson(key(user), { list: list.slice(0, KEPT) })

/** Remembers an opened record; forgets one that no longer exists (null). */
export function useRememberRecord<Row>(of: ResourceOf<Row>, id: number, row: Row | null | undefined): void {
  const me = useMe()
  useEffect(() => {
    if (row === undefined) return
    const others = recentRecords(me.id).filter((one) => !same(one, of.ns, id))
    if (row === null) return keep(me.id, others)
    const label = of.title(row)
    const detail = of.detail?.(row) ?? undefined
    keep(me.id, [{ ns: of.ns, id, label, detail, search: of.owner === 'platform' ? '' : keepTenant(location.search) }, ...others])
  }, [me.id, of, id, row])
}
