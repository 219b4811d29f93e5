import FormHelperText from '@mui/material/FormHelperText'
import Link from '@mui/material/Link'
import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { type Control, useFormState } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ArticleRow } from '~/api/schema'
import { ownerOf } from '~/kit/form/use-server-errors'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { fold } from '~/lib/fold'
import { useDebounced } from '~/lib/use-debounced'
import { articles } from './api'
import { article } from './resource'
import type { ArticleForm } from './schema'

/** Says which article has the number, with a link that opens it without losing the input. */
function TakenBy({ owner }: { owner: Pick<ArticleRow, 'id' | 'article_number' | 'article_name'> | undefined }) {
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
  /** Number as entered, or computed from the template. */
  number: string | null
  /** Current number of the article itself, which is not a conflict. */
  own: string | undefined
}

/** Warns during input if another article has the number. */
export function NumberTaken({ number, own }: NumberProps) {
  const settledNumber = useDebounced(number?.trim() ?? '', 300)
  const changed = settledNumber !== '' && (own === undefined || fold(settledNumber) !== fold(own))
  const matches = useQuery({ ...articles.byNumber(settledNumber), enabled: changed }).data
  return <TakenBy owner={changed ? matches?.data[0] : undefined} />
}

interface OtherProps {
  control: Control<ArticleForm>
  at: number
}

/** Links to the article that has another number, if the server rejected the number as taken. */
export function OtherNumberTaken({ control, at }: OtherProps) {
  const { errors } = useFormState({ control, name: `other_numbers.${at}.number` })
  const id = ownerOf(errors.other_numbers?.[at]?.number)
  const owner = useQuery({ ...articles.one(id ?? 0), enabled: id !== null }).data
  return <TakenBy owner={id === null ? undefined : owner} />
}
