import { skipToken, useQuery } from '@tanstack/react-query'
import type { ArticleType } from '~/api/schema'
import { articleTypeRef } from '~/features/catalog/article-types/ref'

export function useArticleType(id: number | null): ArticleType | undefined {
  const options = articleTypeRef.one(id ?? 0)
  return useQuery({ ...options, ...(id === null && { queryFn: skipToken }) }).data
}
