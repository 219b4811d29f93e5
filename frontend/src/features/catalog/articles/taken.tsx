import FormHelperText from '@mui/material/FormHelperText'
import Link from '@mui/material/Link'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { type Control, useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ArticleRow } from '~/api/schema'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { fold } from '~/lib/fold'
import { useDebounced } from '~/lib/use-debounced'
import { articles } from './api'
import { article } from './resource'
import type { ArticleForm } from './schema'

/** Which article has a number; it opens beside the form, whose input stays. */
function TakenBy({ owner }: { owner: ArticleRow | undefined }) {
  const { t } = useTranslation(['articles', 'common'])
  return (
    <FormHelperText component="div" role="status" sx={{ mt: owner ? undefined : 0 }}>
      {owner && (
        <>
          {t('taken')}{' '}
          <Link href={`${article.path}/${owner.id}`} target="_blank" rel="noopener" sx={{ overflowWrap: 'anywhere' }}>
            {owner.article_number} ({owner.article_name}) <ExternalLink size={12} aria-hidden />
            <span style={visuallyHidden}>{t('common:newTab')}</span>
          </Link>
        </>
      )}
    </FormHelperText>
  )
}

interface NumberProps {
  /** As it is written, or follows from the template. */
  number: string | null
  /** The article's own, which it may keep. */
  own: string | undefined
}

/** Says while a number is entered that another article has it. */
export function NumberTaken({ number, own }: NumberProps) {
  const late = useDebounced(number?.trim() ?? '', 300)
  const changed = late !== '' && (own === undefined || fold(late) !== fold(own))
  const found = useQuery({ ...articles.numbered(late), enabled: changed }).data
  return <TakenBy owner={changed ? found?.data[0] : undefined} />
}

interface OtherProps {
  control: Control<ArticleForm>
  at: number
  number: string
}

/** Where another number was refused because an article has it: that one, which the server's text names. */
export function OtherNumberTaken({ control, at, number }: OtherProps) {
  const { errors } = useFormState({ control, name: `other_numbers.${at}.number` })
  const error = errors.other_numbers?.[at]?.number
  const refused = error?.type === 'server' ? error.message : undefined
  const found = useQuery({ ...articles.called(number), enabled: refused !== undefined }).data
  return <TakenBy owner={refused === undefined ? undefined : found?.data.find((row) => refused.includes(row.article_number))} />
}
