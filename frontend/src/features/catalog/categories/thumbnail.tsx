import { Folder } from 'lucide-react'
import { Thumbnail as Picture } from '~/kit/ui/thumbnail'
import { categories } from './api'

/** Category's picture in a row. */
export function CategoryThumbnail({ id, version }: { id: number; version: string | null }) {
  return (
    <Picture
      picture={version === null ? null : categories.thumbnail(id, version)}
      none={<Folder size={18} strokeWidth={1.5} aria-hidden />}
    />
  )
}
