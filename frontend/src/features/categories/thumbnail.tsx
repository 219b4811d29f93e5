import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { Folder } from 'lucide-react'
import { useRef } from 'react'
import { useObjectUrl } from '~/kit/media/use-object-url'
import { useSeen } from '~/kit/media/use-seen'
import { categories } from './api'

/** A category's picture in a row, asked for when the row comes into sight. */
export function Thumbnail({ id, version }: { id: number; version: string | null }) {
  const ref = useRef<HTMLDivElement>(null)
  const seen = useSeen(ref)
  const { data } = useQuery({ ...categories.thumbnail(id, version ?? ''), enabled: seen && version !== null })
  const url = useObjectUrl(data)
  return (
    <Box
      ref={ref}
      sx={{
        display: 'grid',
        placeItems: 'center',
        width: 36,
        height: 36,
        flexShrink: 0,
        borderRadius: 1,
        overflow: 'hidden',
        bgcolor: version === null ? 'transparent' : 'action.hover',
        color: 'text.secondary',
        '& img': { display: 'block', width: '100%', height: '100%', objectFit: 'contain' },
      }}
    >
      {url ? <img src={url} alt="" /> : version === null && <Folder size={18} strokeWidth={1.5} aria-hidden />}
    </Box>
  )
}
