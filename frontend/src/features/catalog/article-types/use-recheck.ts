import { useEffect } from 'react'
import { type UseFormReturn, useFormState } from 'react-hook-form'
import type { ArticleTypeBody, ArticleTypeForm } from './schema'

type DependentField = 'section' | 'base_unit_of_measure' | 'trade_dimension_id'

/** Validates a field that has an error again when the fields that it depends on change. */
export function useRecheck(form: UseFormReturn<ArticleTypeForm, unknown, ArticleTypeBody>, name: DependentField, others: string): void {
  const { trigger, control } = form
  const error = useFormState({ control, name }).errors[name]
  const hasOwnError = error !== undefined && error.type !== 'server'
  // biome-ignore lint/correctness/useExhaustiveDependencies: the others are why it runs
  useEffect(() => {
    if (hasOwnError) void trigger(name)
  }, [hasOwnError, others, name, trigger])
}
