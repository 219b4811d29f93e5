import { change } from '~/api/change'
import { client, data } from '~/api/client'
import type { Category, CategoryMoveInput } from '~/api/schema'
import { type UploadOptions, upload } from '~/api/upload'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { crud } from '~/kit/records/crud'
import { VERSIONED } from '~/kit/ui/versioned'
import { categoryImage, categoryRef, categoryTree, IMAGES, type ImageName } from './ref'

const LIST = '/api/admin/categories'
const picture = (call: Promise<{ data?: unknown }>) => data(call) as Promise<Blob>
const BYTES = { parseAs: 'blob' } as const

export const categories = {
  ...crud(LIST, {
    filters: {
      name: { kind: 'text' },
      display_name: { kind: 'text', optional: true },
      parent_id: { kind: 'ref', source: categoryRef(null), optional: true },
      article_type_id: { kind: 'ref', source: articleTypeRef, optional: true },
    },
    sorts: [],
    defaultSort: null,
    search: 'name',
  }),
  tree: categoryTree,
  /** Loads the tree, which is all that the screen needs at first. */
  preload: categoryTree,
  /** Moves a category. The caller invalidates the queries, because several moves may be waiting. */
  move: (id: number, body: CategoryMoveInput) => data(client.POST('/api/admin/categories/{id}/move', { params: { path: { id } }, body })),
  image: categoryImage,
  thumbnail: (id: number, version: string) => ({
    queryKey: ['image', LIST, id, 'thumbnail', version],
    queryFn: () =>
      picture(client.GET('/api/admin/categories/{id}/image/thumbnail', { params: { path: { id }, query: { v: version } }, ...BYTES })),
    ...VERSIONED,
  }),
  setImage(id: number, name: ImageName, file: File, version: number, options: Omit<UploadOptions, 'method'>): Promise<Category> {
    const form = new FormData()
    form.append('version', String(version))
    form.append('file', file)
    return upload<Category>(IMAGES[name].replace('{id}', String(id)), form, { ...options, method: 'PUT' })
  },
  removeImage: (id: number, name: ImageName) => change(data(client.DELETE(IMAGES[name], { params: { path: { id } } }))),
}
