import type { ComponentType } from 'react'
import type { Control } from 'react-hook-form'
import { change } from '~/api/change'
import { client, data, LONG_TIMEOUT } from '~/api/client'
import type { ArticleEffect, BulkOutcome, paths } from '~/api/schema'
import type { z } from '~/kit/form/schema'
import { filtersOnWire, type ListSpec, type ListState } from '~/kit/table/list-state'
import type { BulkSelection } from '~/kit/table/selection/use-selection'
import type { Offering } from '../contract'

/** Maximum number of records in one call. */
export const MAX_BULK = 1_000

interface BulkField<Value> {
  // biome-ignore lint/suspicious/noExplicitAny: each field has its own type of form value
  schema: z.ZodMiniType<Value, any>
  /** Initial value of the form. */
  initial: unknown
  /** Form component of the field. */
  // biome-ignore lint/suspicious/noExplicitAny: as every field of the kit
  Field: ComponentType<{ control: Control<any, any, any> }>
  /** Set if the value has parts, and empty parts leave the stored ones unchanged. */
  partial?: true
}

export type BulkFieldChange = { field: string; value: unknown }
export type BulkFields<C extends BulkFieldChange = BulkFieldChange> = { [F in C['field']]: BulkField<Extract<C, { field: F }>['value']> }

/** Props of a dialog that shows further consequences of a bulk change and asks for confirmation. */
export interface QuestionViewProps {
  state: ListState
  selection: BulkSelection
  change: BulkFieldChange
  onAnswer: (confirmed: boolean) => void
}

/** Props of the dialog that shows the effect on articles and asks for confirmation. */
export interface EffectViewProps {
  /** Name of the changed record. */
  name: string
  effect: ArticleEffect | undefined
  error: unknown
  pending: boolean
  /** True if each article is changed independently, and refused ones are skipped. */
  skips?: boolean
  /** Downloads the complete effect as a file. */
  file?: () => Promise<unknown>
  onConfirm: () => void
  onBack: () => void
}

/** Bulk operations of a list. */
export interface Bulk {
  /** Deletes the selected rows; `confirm` is the retyped text. Absent if rows cannot be deleted. */
  remove?: (state: ListState, selection: BulkSelection, confirm: string) => Promise<BulkOutcome>
  change?: {
    run: (state: ListState, selection: BulkSelection, change: BulkFieldChange) => Promise<BulkOutcome>
    /** Loads the fields that can be changed; they may depend on the filters. */
    fields: (state: ListState) => Promise<{ default: BulkFields }>
    /** Effect on articles, shown before the change is made; null if the server has no preview for it. */
    effect?: {
      load: (state: ListState, selection: BulkSelection, change: BulkFieldChange) => Promise<ArticleEffect | null>
      View: ComponentType<EffectViewProps>
    }
    /** Confirmation that comes before everything else. */
    question?: {
      isAsked: (change: BulkFieldChange) => boolean
      View: ComponentType<QuestionViewProps>
    }
  }
}

/** Bulk changes that the contract has for a list. */
export type ChangeOf<List extends Offering<'bulk-change'>> =
  paths[`${List}/bulk-change`]['post']['requestBody']['content']['application/json']['change']

// individually selected rows are sent without filters, because they may no longer match them
export const bulkParams = (spec: ListSpec, state: ListState, { ids }: BulkSelection) => ({
  query: filtersOnWire(spec, ids ? { ...state, sort: null, filters: [] } : { ...state, sort: null }),
})

/** Stands for any list: only what the endpoints share is used. */
type AnyBulkList = '/api/admin/materials'

/** Builds a bulk deletion. `confirms` is true if the server requires the retyped text. */
export const bulkRemove =
  (list: Offering<'bulk-delete'>, spec: ListSpec, confirms: boolean): NonNullable<Bulk['remove']> =>
  (state, selection, confirm) =>
    change(
      data(
        client.POST(`${list}/bulk-delete` as `${AnyBulkList}/bulk-delete`, {
          params: bulkParams(spec, state, selection),
          body: confirms ? ({ ...selection, confirm } as BulkSelection) : selection,
          headers: LONG_TIMEOUT,
        }),
      ),
    )

/**
 * Builds a bulk change of one field; a missing field, or one that the contract does not have, does not
 * compile.
 */
export const bulkChange = <List extends Offering<'bulk-change'>>(
  list: List,
  spec: ListSpec,
  fields: () => Promise<{ default: BulkFields<ChangeOf<List>> }>,
): Bulk['change'] => ({
  run: (state, selection, changed) =>
    change(
      data(
        client.POST(`${list}/bulk-change` as `${AnyBulkList}/bulk-change`, {
          params: bulkParams(spec, state, selection),
          body: { selection, change: changed } as never,
          headers: LONG_TIMEOUT,
        }),
      ),
    ),
  fields: fields as () => Promise<{ default: BulkFields }>,
})
