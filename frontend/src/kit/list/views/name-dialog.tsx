import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '~/api/errors'
import type { SavedView } from '~/api/schema'
import { DialogFooter } from '../../feedback/dialog-footer'
import { focus } from '../../feedback/focus'
import { FormErrors } from '../../feedback/form-errors'

interface Props {
  /** None for a new one. */
  view: SavedView | null
  shares: boolean
  onSave: (name: string, shared: boolean) => Promise<void>
  onCancel: () => void
}

/** Asks for the name of a view, and whether all shall see it. */
export default function NameDialog({ view, shares, onSave, onCancel }: Props) {
  const { t } = useTranslation('listTools')
  const { t: common } = useTranslation()
  const id = useId()
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const fault = error instanceof ApiError ? error.fields.name?.[0] : undefined

  async function submit(event: FormEvent) {
    event.preventDefault()
    event.stopPropagation()
    if (pending) return
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
    <Dialog open onClose={() => !pending && onCancel()} fullWidth maxWidth="xs" aria-labelledby={`${id}-title`}>
      <form onSubmit={submit} noValidate>
        <DialogTitle id={`${id}-title`}>{t(view ? 'views.titleRename' : 'views.titleNew')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          <FormControl fullWidth error={Boolean(fault)}>
            <FormLabel htmlFor={id}>{t('views.name')}</FormLabel>
            <OutlinedInput
              id={id}
              inputRef={focus}
              autoComplete="off"
              value={name}
              onChange={(event) => {
                setName(event.target.value)
                setError(null)
              }}
              inputProps={{ maxLength: 255, 'aria-describedby': fault ? `${id}-fault` : undefined }}
            />
            {fault && <FormHelperText id={`${id}-fault`}>{fault}</FormHelperText>}
          </FormControl>
          {shares && !view && (
            <FormControlLabel
              label={t('views.shareNew')}
              control={<Checkbox checked={shared} onChange={(_, checked) => setShared(checked)} />}
            />
          )}
          {!fault && <FormErrors error={error} />}
        </DialogContent>
        <DialogFooter>
          <Button color="inherit" onClick={onCancel} disabled={pending}>
            {common('actions.cancel')}
          </Button>
          <Button type="submit" variant="contained" loading={pending} disabled={name.trim() === ''}>
            {common('actions.save')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
