import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/**
 * Button at the end of a search field that empties it; hidden while the field is empty. The browser's own
 * button is hidden.
 */
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
          // the button disappears with the text; the focus stays in the field
          event.currentTarget.closest('.MuiInputBase-root')?.querySelector('input')?.focus()
          onClear()
        }}
      >
        <X size={16} />
      </IconButton>
    </InputAdornment>
  )
}
