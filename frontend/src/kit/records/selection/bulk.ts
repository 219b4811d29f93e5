import type { ComponentType } from 'react'
import type { Control } from 'react-hook-form'
import { change } from '~/api/change'
import { client, data, PATIENT } from '~/api/client'
import type { ArticleEffect, BulkOutcome, paths } from '~/api/schema'
import type { z } from '~/kit/form/schema'
import { filtersOnWire, type ListSpec, type ListState } from '~/kit/table/list-state'
import type { BulkSelection } from '~/kit/table/selection/use-selection'
import type { Offering } from '../contract'

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
  /** It has parts, of which those that are left empty stay as they are. */
  partial?: true
}

export type Change = { field: string; value: unknown }
export type BulkFields<C extends Change = Change> = { [F in C['field']]: BulkField<Extract<C, { field: F }>['value']> }

/** A dialog that asks whether to make a change of many records, and shows what else it does. */
export interface QuestionViewProps {
  state: ListState
  selection: BulkSelection
  change: Change
  onAnswer: (yes: boolean) => void
}

/** The dialog that shows an effect on articles and asks whether to go on. */
export interface EffectViewProps {
  /** Name of what is changed. */
  name: string
  effect: ArticleEffect | undefined
  error: unknown
  pending: boolean
  /** Each article is changed by itself: what is refused is skipped. */
  skips?: boolean
  /** Saves all of the effect. */
  file?: () => Promise<unknown>
  onConfirm: () => void
  onBack: () => void
}

/** Does the same to many records of a list. */
export interface Bulk {
  /** `confirm` is what was retyped. None of what stays. */
  remove?: (state: ListState, selection: BulkSelection, confirm: string) => Promise<BulkOutcome>
  change?: {
    run: (state: ListState, selection: BulkSelection, change: Change) => Promise<BulkOutcome>
    /** Which ones may depend on what is filtered. */
    fields: (state: ListState) => Promise<{ default: BulkFields }>
    /** The effect on articles, which is asked for before the change is made; null where the server does not know it. */
    effect?: {
      ask: (state: ListState, selection: BulkSelection, change: Change) => Promise<ArticleEffect | null>
      View: ComponentType<EffectViewProps>
    }
    /** A question of what it would do, asked before anything else. */
    question?: {
      isAsked: (change: Change) => boolean
      View: ComponentType<QuestionViewProps>
    }
  }
}

/** The changes that the contract knows of many records of a list. */
export type ChangeOf<List extends Offering<'bulk-change'>> =
  paths[`${List}/bulk-change`]['post']['requestBody']['content']['application/json']['change']

// those that were chosen one by one are meant, whatever they look like by now
export const bulkParams = (spec: ListSpec, state: ListState, { ids }: BulkSelection) => ({
  query: filtersOnWire(spec, ids ? { ...state, sort: null, filters: [] } : { ...state, sort: null }),
})

/** What the paths have in common is all that is asked for. */
type Like = '/api/admin/materials'

/** `confirms`: the server wants to hear what was retyped. */
export const bulkRemove =
  (list: Offering<'bulk-delete'>, spec: ListSpec, confirms: boolean): NonNullable<Bulk['remove']> =>
  (state, selection, confirm) =>
    change(
      data(
        client.POST(`${list}/bulk-delete` as `${Like}/bulk-delete`, {
          params: bulkParams(spec, state, selection),
          body: confirms ? ({ ...selection, confirm } as BulkSelection) : selection,
          headers: PATIENT,
        }),
      ),
    )

/** One field of many records; a field that the contract does not know, or one that is missing, does not compile. */
export const bulkChange = <List extends Offering<'bulk-change'>>(
  list: List,
  spec: ListSpec,
  fields: () => Promise<{ default: BulkFields<ChangeOf<List>> }>,
): Bulk['change'] => ({
  run: (state, selection, changed) =>
    change(
      data(
        client.POST(`${list}/bulk-change` as `${Like}/bulk-change`, {
          params: bulkParams(spec, state, selection),
          body: { selection, change: changed } as never,
          headers: PATIENT,
        }),
      ),
    ),
  fields: fields as () => Promise<{ default: BulkFields }>,
})
