import { client, data } from '~/api/client'
import type { Image } from '~/api/schema'
import { reference } from '~/kit/records/reference'
import { VERSIONED } from '~/kit/ui/versioned'

/** Articles, searched by number, name or other number. */
export const articleRef = reference('/api/admin/articles', {
  label: (row) => `${row.article_number} · ${row.article_name}`,
  search: 'search',
})

/** Bytes of an article's own picture as a thumbnail for lists. */
export const articleThumbnail = (id: number, { version }: Image) => ({
  queryKey: ['image', '/api/admin/articles', id, 'thumbnail', version],
  queryFn: () => {
    const params = { path: { id }, query: { v: version } }
    return data(client.GET('/api/admin/articles/{id}/image/thumbnail', { params, parseAs: 'blob' })) as Promise<unknown> as Promise<Blob>
  },
  ...VERSIONED,
})
