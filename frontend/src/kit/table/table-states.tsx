import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { SearchX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '~/kit/ui/empty-state'
import { useErrorText } from '~/kit/ui/error-text'
import type { ListQuery } from './table-parts'
import type { List } from './use-list-state'

export function NoMatch({ list, suggestion }: { list: List; suggestion?: string | undefined }) {
  const { t } = useTranslation()
  const searchFilter = list.state.filters.find(({ field }) => field === list.spec.search)
  const search = (text: string) =>
    list.setFilters(list.state.filters.map((filter) => (filter === searchFilter ? { ...filter, values: [text] } : filter)))
  return (
    <EmptyState
      icon={SearchX}
      title={t('list.noMatch')}
      action={
        <Button variant="outlined" onClick={() => list.setFilters([])}>
          {t('list.clearFilters')}
        </Button>
      }
    >
      {suggestion && searchFilter ? (
        <>
          {t('list.didYouMean')}{' '}
          <Link component="button" type="button" onClick={() => search(suggestion)} sx={{ verticalAlign: 'baseline' }}>
            {suggestion}
          </Link>
        </>
      ) : (
        t('list.noMatchHint')
      )}
    </EmptyState>
  )
}

/** Banner for a failed refresh: the loaded rows stay, with a note that they may be out of date. */
export function StaleBanner<R>({ query }: { query: ListQuery<R> }) {
  const { t } = useTranslation()
  const text = useErrorText()
  return (
    <Alert
      severity="warning"
      sx={{ borderRadius: 0 }}
      action={
        <Button color="inherit" size="small" onClick={() => query.refetch()}>
          {t('actions.retry')}
        </Button>
      }
    >
      {t('list.stale')} {text(query.error)}
    </Alert>
  )
}
