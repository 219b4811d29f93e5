import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import FormControl from '@mui/material/FormControl'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import { createContext, type FormEvent, type ReactNode, useCallback, useContext, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormErrors } from './form-errors'

export interface Confirmation {
  title: string
  body: string
  /** The verb on the button: "Löschen", never "OK". */
  action: string
  severe?: boolean
  /** What has to be retyped before the button works. */
  retype?: string
  cancel?: string
  /** Runs before the dialog closes; a failure is shown inside and the dialog stays open. */
  run?: () => Promise<unknown>
}

type Ask = (confirmation: Confirmation) => Promise<boolean>
const ConfirmContext = createContext<Ask>(() => Promise.resolve(false))
export const useConfirm = (): Ask => useContext(ConfirmContext)

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const id = useId()
  const [current, setCurrent] = useState<Confirmation | null>(null)
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const answer = useRef<(yes: boolean) => void>(() => {})

  const ask = useCallback<Ask>((confirmation) => {
    answer.current(false)
    setCurrent(confirmation)
    setTyped('')
    setError(null)
    setPending(false)
    setOpen(true)
    return new Promise((resolve) => {
      answer.current = resolve
    })
  }, [])

  function finish(yes: boolean) {
    setOpen(false)
    answer.current(yes)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    event.stopPropagation()
    if (!current || pending || (current.retype !== undefined && typed !== current.retype)) return
    setPending(true)
    setError(null)
    try {
      await current.run?.()
      finish(true)
    } catch (failure) {
      setError(failure)
    } finally {
      setPending(false)
    }
  }

  return (
    <ConfirmContext.Provider value={ask}>
      {children}
      <Dialog
        open={open}
        onClose={() => !pending && finish(false)}
        fullWidth
        maxWidth="xs"
        role="alertdialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-body`}
      >
        {current && (
          <form onSubmit={submit}>
            <DialogTitle id={`${id}-title`}>{current.title}</DialogTitle>
            <DialogContent sx={{ display: 'grid', gap: 2 }}>
              <DialogContentText id={`${id}-body`}>{current.body}</DialogContentText>
              {current.retype !== undefined && (
                <FormControl fullWidth>
                  <FormLabel htmlFor={`${id}-retype`}>{t('confirm.retype', { text: current.retype })}</FormLabel>
                  <OutlinedInput
                    id={`${id}-retype`}
                    autoFocus
                    autoComplete="off"
                    value={typed}
                    onChange={(event) => setTyped(event.target.value)}
                    inputProps={{ spellCheck: false }}
                  />
                </FormControl>
              )}
              <FormErrors error={error} />
            </DialogContent>
            <DialogActions sx={{ px: 3, pb: 2.5 }}>
              <Button color="inherit" onClick={() => finish(false)} disabled={pending}>
                {current.cancel ?? t('actions.cancel')}
              </Button>
              <Button
                type="submit"
                variant="contained"
                color={current.severe === false ? 'primary' : 'error'}
                loading={pending}
                autoFocus={current.retype === undefined}
                disabled={current.retype !== undefined && typed !== current.retype}
              >
                {current.action}
              </Button>
            </DialogActions>
          </form>
        )}
      </Dialog>
    </ConfirmContext.Provider>
  )
}
