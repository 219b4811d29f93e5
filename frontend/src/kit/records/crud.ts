import type { UseQueryOptions } from '@tanstack/react-query'
import { change } from '~/api/change'
import { $api, client, data, LONG_TIMEOUT } from '~/api/client'
import type { ApiError } from '~/api/errors'
import { offers, type UsageList } from '~/api/schema'
import { type Exporter, exporter } from '~/kit/table/exporter'
import { type ListSpec, type ListState, listSpec, type SpecOf, toWire } from '~/kit/table/list-state'
import type { AnswerOf, BodyOf, ListPath, Offer, Offering, PageOf, Query, RecordOf, SentBy } from './contract'
import { type Bulk, type BulkFields, bulkChange, bulkRemove, type ChangeOf } from './selection/bulk'

// biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
type QueryFor<T> = UseQueryOptions<T, ApiError, T, any> & { queryKey: any }

interface Options<P extends ListPath> extends SpecOf<Query<P>> {
  /** Headers of all read requests. */
  headers?: Record<string, string>
  /** True if an update takes long, because it changes other records too. */
  longTimeout?: boolean
  /** Fields that a bulk change can set. */
  bulk: P extends Offering<'bulk-change'> ? () => Promise<{ default: BulkFields<ChangeOf<P>> }> : never
}

/** Part of the API that exists only if the contract offers the operation. */
type IfOffered<P extends ListPath, Operation extends Offer, Part> = P extends Offering<Operation> ? Part : unknown
type PartUnlessNever<Nothing, Part> = [Nothing] extends [never] ? unknown : Part

export type Crud<P extends ListPath> = {
  spec: ListSpec
  /** Query for a page of the list. */
  list: (state: ListState) => QueryFor<PageOf<P>>
} & PartUnlessNever<RecordOf<P>, { one: (id: number) => QueryFor<RecordOf<P>> }> &
  PartUnlessNever<SentBy<P, 'post'>, { create: (body: BodyOf<P>) => Promise<AnswerOf<P, 'post'>> }> &
  PartUnlessNever<
    SentBy<`${P}/{id}`, 'put'>,
    { update: (id: number, body: SentBy<`${P}/{id}`, 'put'>) => Promise<AnswerOf<`${P}/{id}`, 'put'>> }
  > &
  /** Deletes a record; `confirm` is the retyped text. */
  PartUnlessNever<RecordOf<P>, { remove: (id: number, confirm: string) => Promise<unknown> }> &
  /** Query for the records that refer to a record. */
  IfOffered<P, 'usage', { usage: (id: number) => QueryFor<UsageList> }> &
  IfOffered<P, 'export', { export: Exporter }> &
  IfOffered<P, 'bulk-delete' | 'bulk-change', { bulk: Bulk }> &
  /** Query for the effect of a change on other records. */
  IfOffered<
    P,
    'effect',
    { effect: (id: number, body: SentBy<`${P}/{id}/effect`, 'post'>) => QueryFor<AnswerOf<`${P}/{id}/effect`, 'post'>> }
  > &
  /** Query for the server's result from unsaved input. */
  IfOffered<P, 'preview', { preview: (body: SentBy<`${P}/preview`, 'post'>) => QueryFor<AnswerOf<`${P}/preview`, 'post'>> }> &
  IfOffered<P, 'order', { order: (ids: number[], previousIds: number[]) => Promise<unknown> }>

/** Stands for any list: only operations that all lists share are used. `Crud` types what each list has. */
const ANY_LIST = '/api/admin/attributes'
type AnyList = typeof ANY_LIST

/**
 * Builds the queries and mutations of a list and its records that the contract offers. `change` invalidates
 * the cached queries after a mutation.
 */
export function crud<P extends ListPath>(
  path: P,
  {
    headers,
    longTimeout,
    bulk,
    ...specOptions
  }: Omit<Options<P>, 'bulk'> & (P extends Offering<'bulk-change'> ? Pick<Options<P>, 'bulk'> : { bulk?: never }),
): Crud<P> {
  const offeredOperations = new Set<Offer>(offers[path])
  const spec = listSpec<Query<P>>()(specOptions as unknown as SpecOf<Query<P>>)
  const list = path as string as AnyList
  const recordPath = `${list}/{id}` as const
  const at = (id: number) => ({ params: { path: { id } } })
  const readOptions = headers ? { headers } : {}
  const changeOptions = longTimeout ? { headers: LONG_TIMEOUT } : {}
  const ifOffered = (operation: Offer, part: object) => (offeredOperations.has(operation) ? part : {})
  return {
    spec,
    list: (state: ListState) => $api.queryOptions('get', list, { params: { query: toWire<Query<AnyList>>(spec, state) }, ...readOptions }),
    one: (id: number) => $api.queryOptions('get', recordPath, { ...at(id), ...readOptions }),
    create: (body: never) => change(data(client.POST(list, { body }))),
    update: (id: number, body: never) => change(data(client.PUT(recordPath, { ...at(id), body, ...changeOptions }))),
    remove: (id: number, confirm: string) =>
      change(
        data(
          client.DELETE(recordPath, {
            params: { path: { id }, ...(offeredOperations.has('confirm') && { query: { confirm } as object }) },
          }),
        ),
      ),
    ...ifOffered('usage', { usage: (id: number) => $api.queryOptions('get', `${recordPath}/usage`, at(id)) }),
    ...ifOffered('export', { export: exporter(`${list}/export`, spec) }),
    ...((offeredOperations.has('bulk-delete') || bulk) && {
      bulk: {
        ...ifOffered('bulk-delete', { remove: bulkRemove(list, spec, offeredOperations.has('confirm')) }),
        ...(bulk && { change: bulkChange(list, spec, bulk as never) }),
      },
    }),
    ...ifOffered('effect', {
      effect: (id: number, body: never) =>
        $api.queryOptions('post', `${recordPath}/effect`, { ...at(id), body, headers: LONG_TIMEOUT }, { gcTime: 0, retry: false }),
    }),
    ...ifOffered('preview', {
      preview: (body: never) => $api.queryOptions('post', `${list}/preview` as '/api/admin/processings/preview', { body }),
    }),
    ...ifOffered('order', {
      order: (ids: number[], previousIds: number[]) => change(data(client.PUT(`${list}/order`, { body: { ids, seen: previousIds } }))),
    }),
  } as unknown as Crud<P>
}
