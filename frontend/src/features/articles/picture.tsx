import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { categoryImage, pictureOfType } from '~/features/categories/ref'
import { useObjectUrl } from '~/kit/media/use-object-url'
import { useCan } from '~/session/me'

/** What articles of a type look like, by the category that they are in. */
export function Picture({ type }: { type: number }) {
  const { t } = useTranslation('articles')
  const may = useCan('category.list', 'category.view')
  const picture = useQuery({ ...pictureOfType(type), enabled: may }).data
  const { from, name, version } = picture ?? { from: { id: 0, name: '' }, name: 'image' as const, version: '' }
  const bytes = useQuery({ ...categoryImage(from.id, name, version), enabled: version !== '' }).data
  const url = useObjectUrl(bytes)
  if (!picture) return null
  const text = t('picture', { name: from.name })
  return (
    <Tooltip title={text}>
      <Box
        sx={{
          flexShrink: 0,
          width: 72,
          height: 72,
          borderRadius: 1,
          overflow: 'hidden',
          bgcolor: 'action.hover',
          '& img': { display: 'block', width: '100%', height: '100%', objectFit: 'contain' },
        }}
      >
        {url && <img src={url} alt={text} />}
      </Box>
    </Tooltip>
  )
}
