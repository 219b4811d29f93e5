import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** Empties a search field, at its end; nothing while it is empty. Browsers that have a button of their own hide it. */
export function ClearButton({ text, onClear }: { text: string; onClear: () => void }) {
  const { t } = useTranslation()
  if (!text) return null
  return (
    <InputAdornment position="end">
      <IconButton
        size="small"
        edge="end"
        color="inherit"
        aria-label={t('actions.clear')}
        onClick={(event) => {
          // it goes with the text, the focus stays in the field
          event.currentTarget.closest('.MuiInputBase-root')?.querySelector('input')?.focus()
          onClear()
        }}
      >
        <X size={16} />
      </IconButton>
    </InputAdornment>
  )
}
