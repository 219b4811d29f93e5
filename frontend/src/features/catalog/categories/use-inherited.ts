import { useQuery } from '@tanstack/react-query'
import type { CategoryReference } from '~/api/schema'
import { categories } from './api'

interface Inherited {
  article_type?: { name: string; from: CategoryReference } | null
  image?: { from: CategoryReference } | null
  article_type_image?: { from: CategoryReference } | null
}

/**
 * Returns what a category inherits from its parent: the parent's own settings, or those that the parent
 * inherits.
 */
export function useInherited(parent: number | null): Inherited {
  const from = useQuery({ ...categories.one(parent ?? 0), enabled: parent !== null }).data
  if (parent === null || !from) return {}
  const { article_type, image, article_type_image, inherited } = from
  return {
    article_type: article_type ? { name: article_type.name, from } : inherited.article_type,
    image: image ? { from } : inherited.image,
    article_type_image: article_type_image ? { from } : inherited.article_type_image,
  }
}
