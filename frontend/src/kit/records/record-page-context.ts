import type { UseQueryOptions } from '@tanstack/react-query'
import { useOutletContext } from 'react-router'
import type { ResourceOf } from './resource'
import type { UsageQuery } from './used-by'

/** Part of a resource's `api.ts` that a record's page needs. */
export interface PageApi<Row> {
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  one: (id: number) => UseQueryOptions<any, any, Row, any>
  /** Deletes a record; `confirm` is the retyped text. Absent if records cannot be deleted. */
  remove?: (id: number, confirm: string) => Promise<unknown>
  usage?: UsageQuery
}

/** Outlet context that the tabs of a record's page share. */
export interface RecordPageContext<Row> {
  resource: ResourceOf<Row>
  api: PageApi<Row>
  row: Row
}

/** Returns the record to whose page this tab belongs. */
export const useRecordPage = <Row>(): RecordPageContext<Row> => useOutletContext<RecordPageContext<Row>>()
