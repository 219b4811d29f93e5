import { skipToken, useQuery } from '@tanstack/react-query'
import type { ArticleType } from '~/api/schema'
import { articleTypes } from '~/features/article-types/api'

export function useArticleType(id: number | null): ArticleType | undefined {
  const options = articleTypes.one(id ?? 0)
  return useQuery({ ...options, ...(id === null && { queryFn: skipToken }) }).data
}
