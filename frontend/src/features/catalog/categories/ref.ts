import { $api, client, data } from '~/api/client'
import type { Category, CategoryNode, CategoryPage } from '~/api/schema'
import type { RefSource } from '~/kit/form/ref-source'
import { forest, isWithin, pathOf } from '~/kit/tree/tree'
import { VERSIONED } from '~/kit/ui/versioned'
import { fold } from '~/lib/fold'

/** Separator of the names in a category path. */
export const PATH = ' \u203a '

export const categoryTree = () => $api.queryOptions('get', '/api/admin/categories/tree')

interface CategoryPath {
  id: number
  path: string
}

const categoryPaths = (nodes: readonly CategoryNode[], excludedId: number | null): CategoryPath[] => {
  const all = forest(nodes)
  return nodes
    .filter(({ id }) => excludedId === null || !isWithin(all, id, excludedId))
    .map(({ id }) => ({ id, path: namesOf(all, id) }))
    .sort((a, b) => a.path.localeCompare(b.path))
}
const namesOf = (all: ReturnType<typeof forest<CategoryNode>>, id: number) =>
  pathOf(all, id)
    .map(({ name }) => name)
    .join(PATH)

/** Categories by their path, except `excludedId` and its descendants, which cannot become its parent. */
export function categoryRef(excludedId: number | null): RefSource<CategoryPath> {
  return {
    find: (search) => ({
      ...categoryTree(),
      select: ({ data: nodes }: { data: CategoryNode[] }) => ({
        data: categoryPaths(nodes, excludedId).filter(({ path }) => fold(path).includes(fold(search))),
      }),
    }),
    one: (id) => ({
      ...categoryTree(),
      select: ({ data: nodes }: { data: CategoryNode[] }) => ({ id, path: namesOf(forest(nodes), id) }),
    }),
    id: ({ id }) => id,
    label: ({ path }) => path,
  }
}

/** Kinds of pictures of a category, each with the path of its bytes. */
export const IMAGES = {
  image: '/api/admin/categories/{id}/image',
  article_type_image: '/api/admin/categories/{id}/article-type-image',
} as const
export type ImageName = keyof typeof IMAGES

/** Bytes of a category's picture. */
export const categoryImage = (id: number, name: ImageName, version: string) => ({
  queryKey: ['image', '/api/admin/categories', id, name, version],
  queryFn: () =>
    data(client.GET(IMAGES[name], { params: { path: { id }, query: { v: version } }, parseAs: 'blob' as const })) as Promise<Blob>,
  ...VERSIONED,
})

interface Picture {
  name: ImageName
  version: string
  from: { id: number; name: string }
}

/** Returns a category's picture of one kind, its own or inherited. */
function pictureOf(category: Category, name: ImageName): Picture | null {
  const own = category[name]
  const picture = own ? { version: own.version, from: category } : category.inherited[name]
  return picture && { name, version: picture.version, from: picture.from }
}

/**
 * Picture for articles of a type: the picture for articles of a category that contains the type, or else the
 * category's own.
 */
export const pictureOfType = (id: number) => ({
  ...$api.queryOptions('get', '/api/admin/categories', { params: { query: { filter: { 'filter[article_type_id]': id } } } }),
  select: ({ data: all }: CategoryPage): Picture | null => {
    const pictures = (['article_type_image', 'image'] as const).flatMap((name) => all.map((category) => pictureOf(category, name)))
    return pictures.find((picture) => picture !== null) ?? null
  },
})
