import { $api, client, data } from '~/api/client'
import type { Category, CategoryInput, CategoryMoveInput, CategoryNode, paths } from '~/api/schema'
import { type UploadOptions, upload } from '~/api/upload'
import { articleTypeRef } from '~/features/article-types/api'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, toWire } from '~/kit/list/list-state'
import type { RefSource } from '~/kit/list/ref-source'
import { forest, isWithin, pathOf } from '~/kit/tree/tree'
import { fold } from '~/lib/fold'

const LIST = '/api/admin/categories'
const ONE = '/api/admin/categories/{id}'
const TREE = '/api/admin/categories/tree'
const IMAGES = {
  image: '/api/admin/categories/{id}/image',
  article_type_image: '/api/admin/categories/{id}/article-type-image',
} as const
export type ImageName = keyof typeof IMAGES
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>

/** Names of categories from the root down. */
export const PATH = ' \u203a '

const tree = () => $api.queryOptions('get', TREE)

interface Named {
  id: number
  path: string
}

const named = (nodes: readonly CategoryNode[], without: number | null): Named[] => {
  const all = forest(nodes)
  return nodes
    .filter(({ id }) => without === null || !isWithin(all, id, without))
    .map(({ id }) => ({ id, path: namesOf(all, id) }))
    .sort((a, b) => a.path.localeCompare(b.path))
}
const namesOf = (all: ReturnType<typeof forest<CategoryNode>>, id: number) =>
  pathOf(all, id)
    .map(({ name }) => name)
    .join(PATH)

/** Categories by their path; not offered are `without` and what is below it, which cannot be its own parent. */
export function categoryRef(without: number | null): RefSource<Named> {
  return {
    find: (search) => ({
      ...tree(),
      select: ({ data: nodes }: { data: CategoryNode[] }) => ({
        data: named(nodes, without).filter(({ path }) => fold(path).includes(fold(search))),
      }),
    }),
    one: (id) => ({
      ...tree(),
      select: ({ data: nodes }: { data: CategoryNode[] }) => ({ id, path: namesOf(forest(nodes), id) }),
    }),
    id: ({ id }) => id,
    label: ({ path }) => path,
  }
}

export const categoryList = listSpec<Query>()({
  filters: {
    name: { kind: 'text' },
    display_name: { kind: 'text' },
    parent_id: { kind: 'ref', source: categoryRef(null) },
    article_type_id: { kind: 'ref', source: articleTypeRef },
  },
  sorts: [],
  defaultSort: null,
  search: 'name',
})

const picture = (call: Promise<{ data?: unknown }>) => data(call) as Promise<Blob>
const BYTES = { parseAs: 'blob' } as const

export const categories = {
  keys: [
    ['get', LIST],
    ['get', ONE],
    ['get', TREE],
  ],
  list: (state: ListState) => $api.queryOptions('get', LIST, { params: { query: toWire<Query>(categoryList, state) } }),
  tree,
  one: (id: number) => $api.queryOptions('get', ONE, { params: { path: { id } } }),
  usage: (id: number) => $api.queryOptions('get', '/api/admin/categories/{id}/usage', { params: { path: { id } } }),
  create: (body: Omit<CategoryInput, 'version'>) => data(client.POST(LIST, { body })),
  update: (id: number, body: CategoryInput) => data(client.PUT(ONE, { params: { path: { id } }, body })),
  move: (id: number, body: CategoryMoveInput) => data(client.POST('/api/admin/categories/{id}/move', { params: { path: { id } }, body })),
  remove: (id: number) => data(client.DELETE(ONE, { params: { path: { id } } })),
  export: exporter(`${LIST}/export`, categoryList),
  /** The bytes of a picture; `version` never shows another one. */
  image: (id: number, name: ImageName, version: string) => ({
    queryKey: ['image', LIST, id, name, version],
    queryFn: () => picture(client.GET(IMAGES[name], { params: { path: { id }, query: { v: version } }, ...BYTES })),
    staleTime: Number.POSITIVE_INFINITY,
  }),
  thumbnail: (id: number, version: string) => ({
    queryKey: ['image', LIST, id, 'thumbnail', version],
    queryFn: () =>
      picture(client.GET('/api/admin/categories/{id}/image/thumbnail', { params: { path: { id }, query: { v: version } }, ...BYTES })),
    staleTime: Number.POSITIVE_INFINITY,
  }),
  setImage(id: number, name: ImageName, file: File, version: number, options: Omit<UploadOptions, 'method'>): Promise<Category> {
    const form = new FormData()
    form.append('version', String(version))
    form.append('file', file)
    return upload<Category>(IMAGES[name].replace('{id}', String(id)), form, { ...options, method: 'PUT' })
  },
  removeImage: (id: number, name: ImageName) => data(client.DELETE(IMAGES[name], { params: { path: { id } } })),
}

/** The tree needs no more to begin with than itself. */
export const preload = (_search: string) => tree()
