import type { ComponentType } from 'react'
import type { Control } from 'react-hook-form'
import { client, data, PATIENT } from '~/api/client'
import type { BulkOutcome, paths, Selection } from '~/api/schema'
import type { z } from '~/kit/form/schema'
import { filtersOnWire, type ListSpec, type ListState } from '../list-state'

export type BulkSelection = Required<Selection>

/** The longest that one call takes on. */
export const MAX_BULK = 1_000

interface BulkField<Value> {
  // biome-ignore lint/suspicious/noExplicitAny: what the form holds is the field's own business
  schema: z.ZodMiniType<Value, any>
  /** What the form begins with. */
  initial: unknown
  /** A field of the kit by the name of the field. */
  // biome-ignore lint/suspicious/noExplicitAny: as every field of the kit
  Field: ComponentType<{ control: Control<any, any, any> }>
}

type Change = { field: string; value: unknown }
export type BulkFields<C extends Change = Change> = { [F in C['field']]: BulkField<Extract<C, { field: F }>['value']> }

/** Does the same to many records of a list. */
export interface Bulk {
  /** `confirm` is what was retyped. */
  remove: (state: ListState, selection: BulkSelection, confirm: string) => Promise<BulkOutcome>
  change?: {
    run: (state: ListState, selection: BulkSelection, change: Change) => Promise<BulkOutcome>
    fields: () => Promise<{ default: BulkFields }>
  }
}

type Removal<List extends Listing<'bulk-delete'>> = paths[`${List}/bulk-delete`]['post']['requestBody']['content']['application/json']
/** Lists of which the server asks for the confirmation too. */
type Severe = { [List in Listing<'bulk-delete'>]: Removal<List> extends { confirm: string } ? List : never }[Listing<'bulk-delete'>]

type Listing<Action extends string> = keyof paths extends infer Path ? (Path extends `${infer List}/${Action}` ? List : never) : never
type ChangeOf<List extends Listing<'bulk-change'>> =
  paths[`${List}/bulk-change`]['post']['requestBody']['content']['application/json']['change']

// those that were chosen one by one are meant, whatever they look like by now
const meant = (spec: ListSpec, state: ListState, { ids }: BulkSelection) => ({
  query: filtersOnWire(spec, ids ? { ...state, sort: null, filters: [] } : { ...state, sort: null }),
})

/** What the paths have in common is all that is asked for. */
type Like = '/api/admin/materials'

const removal =
  (list: Listing<'bulk-delete'>, spec: ListSpec, body: (selection: BulkSelection, confirm: string) => BulkSelection): Bulk['remove'] =>
  (state, selection, confirm) =>
    data(
      client.POST(`${list}/bulk-delete` as `${Like}/bulk-delete`, {
        params: meant(spec, state, selection),
        body: body(selection, confirm),
        headers: PATIENT,
      }),
    )

export const bulkRemove = (list: Exclude<Listing<'bulk-delete'>, Severe>, spec: ListSpec) => removal(list, spec, (selection) => selection)

export const bulkRemoveConfirmed = (list: Severe, spec: ListSpec) =>
  removal(list, spec, (selection, confirm) => ({ ...selection, confirm }))

/** One field of many records; a field that the contract does not know, or one that is missing, does not compile. */
export const bulkChange = <List extends Listing<'bulk-change'>>(
  list: List,
  spec: ListSpec,
  fields: () => Promise<{ default: BulkFields<ChangeOf<List>> }>,
): Bulk['change'] => ({
  run: (state, selection, change) =>
    data(
      client.POST(`${list}/bulk-change` as `${Like}/bulk-change`, {
        params: meant(spec, state, selection),
        body: { selection, change } as never,
        headers: PATIENT,
      }),
    ),
  fields: fields as () => Promise<{ default: BulkFields }>,
})
