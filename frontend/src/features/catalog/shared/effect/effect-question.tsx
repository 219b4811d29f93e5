import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { ApiError } from '~/api/errors'
import type { ArticleEffect } from '~/api/schema'
import type { SaveQuestionProps } from '~/kit/records/use-save-question'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'

const EffectDialog = lazyWithTexts(() => import('./effect-dialog'), 'effect')

/**
 * True if the server asks for confirmation because articles would change, or rejected the change, perhaps
 * because of articles.
 */
export const asksForArticles = ({ code }: ApiError) => code === 'articles_change' || code === 'invalid'

interface Props extends Pick<SaveQuestionProps<unknown, unknown>, 'error' | 'pending' | 'answer' | 'onCancel'> {
  /** Name of the record that is saved. */
  name: string
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  effect: UseQueryOptions<any, any, ArticleEffect, any>
  /** Saves the complete effect as a file. */
  file?: () => Promise<unknown>
}

export function EffectQuestion({ name, effect, file, error, pending, answer, onCancel }: Props) {
  const { data, error: failure } = useQuery(effect)
  // the record may be invalid for reasons that have nothing to do with its articles
  if (error.code !== 'articles_change' && !data?.refused) return null
  return (
    <Suspense fallback={null}>
      <EffectDialog
        name={name}
        effect={data}
        error={failure}
        pending={pending}
        {...(file && { file })}
        onConfirm={() => answer({ change_articles: data?.changed })}
        onBack={onCancel}
      />
    </Suspense>
  )
}
