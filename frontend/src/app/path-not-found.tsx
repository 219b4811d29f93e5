import Button from '@mui/material/Button'
import { Signpost } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useDocumentTitle } from '~/kit/ui/document-title'
import { EmptyState } from '~/kit/ui/empty-state'

export default function PathNotFound() {
  const { t } = useTranslation('shell')
  useDocumentTitle(t('notFound.title'))
  return (
    <EmptyState
      page
      icon={Signpost}
      title={t('notFound.title')}
      action={
        <Button component={Link} to="/home" variant="outlined">
          {t('notFound.home')}
        </Button>
      }
    >
      {t('notFound.body')}
    </EmptyState>
  )
}
