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
const isSameRecord = (record: RecentRecord, ns: RecordNamespace, id: number) => record.ns === ns && record.id === id

/** Records that a user has opened in this browser, latest first. */
export function recentRecords(user: number): RecentRecord[] {
  const { list } = readJson<{ list: unknown }>(key(user), { list: [] })
  const isRecentRecord = (record: RecentRecord) =>
    typeof record?.ns === 'string' && typeof record.id === 'number' && typeof record.label === 'string'
  return Array.isArray(list) ? (list as RecentRecord[]).filter(isRecentRecord) : []
}

const storeRecords = (user: number, list: RecentRecord[]) => writeJson(key(user), { list: list.slice(0, KEPT) })

/** Remembers an opened record; forgets one that no longer exists (null). */
export function useRememberRecord<Row>(resource: ResourceOf<Row>, id: number, row: Row | null | undefined): void {
  const me = useMe()
  useEffect(() => {
    if (row === undefined) return
    const others = recentRecords(me.id).filter((record) => !isSameRecord(record, resource.ns, id))
    if (row === null) return storeRecords(me.id, others)
    const label = resource.title(row)
    const detail = resource.detail?.(row) ?? undefined
    storeRecords(me.id, [
      { ns: resource.ns, id, label, detail, search: resource.owner === 'platform' ? '' : keepTenant(location.search) },
      ...others,
    ])
  }, [me.id, resource, id, row])
}
