import type { UseQueryOptions } from '@tanstack/react-query'
import { useOutletContext } from 'react-router'
import type { Of } from './resource'
import type { UsageQuery } from './used-by'

/** What a record's page needs of its resource's `api.ts`. */
export interface PageApi<Row> {
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  one: (id: number) => UseQueryOptions<any, any, Row, any>
  /** `confirm` is what was retyped. None of what stays. */
  remove?: (id: number, confirm: string) => Promise<unknown>
  usage?: UsageQuery
}

/** What the tabs of a record's page share. */
export interface Shown<Row> {
  of: Of<Row>
  api: PageApi<Row>
  row: Row
}

/** The record whose page this tab is in. */
export const useRecord = <Row>(): Shown<Row> => useOutletContext<Shown<Row>>()
