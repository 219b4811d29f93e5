import Button from '@mui/material/Button'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { useShortcut } from '~/kit/ui/shortcuts'

/** Button that opens `new` below the list; the key `n` does the same. */
export function CreateButton({ label }: { label: string }) {
  const { t } = useTranslation()
  const { search } = useLocation()
  const navigate = useNavigate()
  const to = { pathname: 'new', search }
  useShortcut('n', t('shortcuts.create'), () => void navigate(to))
  return (
    <Button component={Link} to={to} variant="contained" startIcon={<Plus size={18} />} aria-keyshortcuts="n">
      {label}
    </Button>
  )
}
