import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { ArticleType } from '~/api/schema'
import type { Question, QuestionProps } from '~/kit/form/use-question'
import { type ArticleTypeBody, articleTypes } from './api'

const EffectDialog = lazy(() => import('./effect-dialog'))

/** Whether the articles of the type may change with it; and where they are why it may not, which ones. */
export const effectQuestion: Question<ArticleType, ArticleTypeBody> = {
  asks: ({ code }) => code === 'articles_change' || code === 'invalid',
  View: EffectQuestion,
}

function EffectQuestion({ row, body, error, pending, answer, back }: QuestionProps<ArticleType, ArticleTypeBody>) {
  const asked = error.code === 'articles_change'
  const { data, error: failure } = useQuery({ ...articleTypes.effect(row.id, body), enabled: asked || row.article_count > 0 })
  // other things can be wrong with an article type than its articles
  if (!asked && !data?.refused) return null
  return (
    <Suspense fallback={null}>
      <EffectDialog
        row={row}
        body={body}
        effect={data}
        error={failure}
        pending={pending}
        onConfirm={() => answer({ change_articles: data?.changed })}
        onBack={back}
      />
    </Suspense>
  )
}
