import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '~/api/errors'
import type { SavedView } from '~/api/schema'
import { FormDialog } from '~/kit/form/form-dialog'
import { focusOnMount } from '~/kit/ui/focus-on-mount'

interface Props {
  /** View to rename; null for a new one. */
  view: SavedView | null
  shares: boolean
  onSave: (name: string, shared: boolean) => Promise<void>
  onCancel: () => void
}

/** Dialog for the name of a view, and if it is shared. */
export default function NameDialog({ view, shares, onSave, onCancel }: Props) {
  const { t } = useTranslation('listTools')
  const id = useId()
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const nameError = error instanceof ApiError ? error.fields.name?.[0] : undefined

  async function submit() {
    setPending(true)
    setError(null)
    try {
      await onSave(name.trim(), shared)
    } catch (failure) {
      setError(failure)
      setPending(false)
    }
  }

  return (
    <FormDialog
      ns="listTools"
      title={t(view ? 'views.titleRename' : 'views.titleNew')}
      maxWidth="xs"
      pending={pending}
      error={nameError ? null : error}
      disabled={name.trim() === ''}
      onSubmit={() => void submit()}
      onClose={onCancel}
    >
      <FormControl fullWidth error={Boolean(nameError)}>
        <FormLabel htmlFor={id}>{t('views.name')}</FormLabel>
        <OutlinedInput
          id={id}
          inputRef={focusOnMount}
          autoComplete="off"
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setError(null)
          }}
          inputProps={{ maxLength: 255, 'aria-describedby': nameError ? `${id}-fault` : undefined }}
        />
        {nameError && <FormHelperText id={`${id}-fault`}>{nameError}</FormHelperText>}
      </FormControl>
      {shares && !view && (
        <FormControlLabel
          label={t('views.shareNew')}
          control={<Checkbox checked={shared} onChange={(_, checked) => setShared(checked)} />}
        />
      )}
    </FormDialog>
  )
}
