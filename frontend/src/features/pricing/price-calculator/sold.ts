import type { UseQueryOptions } from '@tanstack/react-query'
import { client, data } from '~/api/client'
import { queryClient } from '~/api/query'
import type { Article } from '~/api/schema'
import { articleRef } from '~/features/catalog/articles/ref'
import type { RefSource } from '~/kit/form/ref-source'

/** Maximum number of matched numbers that are searched. */
const MATCHED = 10

/** Article, with the number of another system that it was found by. */
type FoundArticle = Article & { matched?: string }

/** Articles whose matchings have the typed number in one of the seller's other systems. */
async function findMatched(typed: string, signal: AbortSignal): Promise<FoundArticle[]> {
  const { data: rows } = await data(
    client.GET('/api/admin/matchings', {
      params: { query: { 'page[size]': MATCHED, filter: { 'filter[external_article_number]': typed } } },
      signal,
    }),
  )
  const numbers = new Map(rows.flatMap(({ article, external_article_number: number }) => (article && number ? [[article.id, number]] : [])))
  const articles = [...numbers].map(async ([id, matched]): Promise<FoundArticle> => {
    return { ...((await queryClient.fetchQuery(articleRef.one(id))) as Article), matched }
  })
  return Promise.all(articles)
}

/** Articles, searched first by the numbers of the seller's other systems, then by their own. */
export const soldRef: RefSource<FoundArticle> = {
  ...articleRef,
  label: (row) => [articleRef.label(row), ...(row.matched === undefined ? [] : [row.matched])].join(' · '),
  find(typed): UseQueryOptions<{ data: FoundArticle[] }> {
    const { queryKey } = articleRef.find(typed)
    if (typed.trim() === '') return articleRef.find(typed)
    return {
      queryKey: [...queryKey, 'matched'],
      queryFn: async ({ signal }) => {
        const [articles, matched] = await Promise.all([
          queryClient.fetchQuery(articleRef.find(typed)) as Promise<{ data: Article[] }>,
          findMatched(typed.trim(), signal),
        ])
        return { data: [...matched, ...articles.data.filter(({ id }) => !matched.some((one) => one.id === id))] }
      },
    }
  },
}
