import type { UseQueryOptions } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { Namespace } from '~/i18n/namespaces'
import type { AnyListEntryOptions } from '~/kit/form/form-context'
import type { Groups } from '~/kit/form/merge'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'

// loaded ahead, because after a conflict the server may already have a newer version of this code
export const ConflictDialog = lazyWithTexts(() => import('./conflict-dialog'), 'conflict')

interface Props<Row extends { version: number }, Form extends FieldValues, Body> {
  ns: Namespace
  form: UseFormReturn<Form, unknown, Body>
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  load: UseQueryOptions<any, any, any, any>
  /** Record from which editing started, and the form's values at that time. */
  row: Row
  base: Form
  toForm: (row: Row) => Form
  entries: Readonly<Record<string, AnyListEntryOptions>>
  groups?: Groups
  onCancel: () => void
  /** Called when the form holds the merged values, which are based on this record. */
  onResolve: (now: Row) => void
}

/**
 * Resolves a conflict with another person who has saved the record first: asks, and puts the merged values
 * into the form.
 */
export function ResolveConflict<Row extends { version: number }, Form extends FieldValues, Body>(props: Props<Row, Form, Body>) {
  const { ns, form, load, row, base, toForm, entries, groups, onCancel, onResolve } = props
  return (
    <Suspense fallback={null}>
      <ConflictDialog
        ns={ns}
        load={load}
        row={row}
        mine={form.getValues()}
        base={base}
        toForm={toForm as (row: unknown) => FieldValues}
        entries={entries}
        groups={groups}
        onCancel={onCancel}
        onResolve={(values, now) => {
          for (const [name, value] of Object.entries(values)) {
            form.setValue(name as never, value as never, { shouldDirty: true, shouldValidate: true })
          }
          onResolve(now as Row)
        }}
      />
    </Suspense>
  )
}
