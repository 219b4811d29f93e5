import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import { useQuery } from '@tanstack/react-query'
import type { Control } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Article } from '~/api/schema'
import { categoryImage, pictureOfType } from '~/features/catalog/categories/ref'
import { ImageField } from '~/kit/form/image-field'
import { useObjectUrl } from '~/kit/ui/use-object-url'
import { useCan } from '~/session/me'
import { articles } from './api'
import type { ArticleForm, WholeArticle } from './schema'

/** Picture for articles of a type, from their category; `null` without permission to view categories. */
function usePictureOfType(type: number | null) {
  const mayViewCategories = useCan('category.list', 'category.view')
  return useQuery({ ...pictureOfType(type ?? 0), enabled: mayViewCategories && type !== null }).data ?? null
}

const ownPicture = (row: Article | null) => {
  const version = row?.image?.version
  return { ...articles.image(row?.id ?? 0, version ?? ''), enabled: version !== undefined }
}

/** Picture of an article: its own, or the one of its type. */
export function Picture({ type, row }: { type: number; row: Article | null }) {
  const { t } = useTranslation('articles')
  const own = useQuery(ownPicture(row)).data
  const typePicture = usePictureOfType(type)
  const { from, name, version } = typePicture ?? { from: { id: 0, name: '' }, name: 'image' as const, version: '' }
  const isOwn = Boolean(row?.image)
  const bytes = useQuery({ ...categoryImage(from.id, name, version), enabled: !isOwn && version !== '' }).data
  const url = useObjectUrl(isOwn ? own : bytes)
  if (!isOwn && !typePicture) return null
  const text = isOwn ? t('fields.image') : t('picture', { name: from.name })
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

interface FieldProps {
  control: Control<ArticleForm, unknown, WholeArticle>
  row: Article | null
  type: number | null
  progress: number | null
}

/** Field for the article's own picture, with the one that is shown without it. */
export function OwnPictureField({ control, row, type, progress }: FieldProps) {
  const { t } = useTranslation('articles')
  const storedPicture = useQuery(ownPicture(row)).data
  const from = usePictureOfType(type)?.from.name
  const help = `${t('help.image')}${from ? ` ${t('inherited', { from })}` : ''}`
  return <ImageField control={control} name="image" help={help} stored={storedPicture} progress={progress} />
}
