import Box from '@mui/material/Box'
import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { useHasBeenVisible } from './use-has-been-visible'
import { useObjectUrl } from './use-object-url'

interface Props {
  /** Query for the image; null if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  picture: UseQueryOptions<Blob, any, Blob, any> | null
  /** Placeholder if there is no image. */
  none?: ReactNode
  /** Size in pixels. */
  size?: number
}

const NEVER = { queryKey: ['no picture'], queryFn: () => Promise.reject(new Error('there is none')) }

/** Image of a record in a row, loaded when the row becomes visible. */
export function Thumbnail({ picture, none, size = 36 }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  const isVisible = useHasBeenVisible(ref)
  const { data } = useQuery({ ...(picture ?? NEVER), enabled: isVisible && picture !== null })
  const url = useObjectUrl(data)
  return (
    <Box
      ref={ref}
      sx={{
        display: 'grid',
        placeItems: 'center',
        width: size,
        height: size,
        flexShrink: 0,
        borderRadius: 1,
        overflow: 'hidden',
        bgcolor: picture ? 'action.hover' : 'transparent',
        color: 'text.secondary',
        '& img': { display: 'block', width: '100%', height: '100%', objectFit: 'contain' },
      }}
    >
      {url ? <img src={url} alt="" /> : !picture && none}
    </Box>
  )
}
