import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import FormControl from '@mui/material/FormControl'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Skeleton from '@mui/material/Skeleton'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '~/api/errors'
import type { Usage } from '~/api/schema'
import type { Confirmation } from './confirm'
import { ConfirmationOpen } from './confirmation-open'
import { DialogFooter } from './dialog-footer'
import { focusOnMount } from './focus-on-mount'
import { FormErrors } from './form-errors'

interface Props extends Confirmation {
  open: boolean
  onAnswer: (confirmed: boolean) => void
}

export default function ConfirmDialog({
  title,
  body,
  detail,
  wide = false,
  action,
  retype,
  cancel,
  usage,
  failed,
  run,
  harmless = false,
  open,
  onAnswer,
}: Props) {
  const { t } = useTranslation(['common', 'usage'])
  const id = useId()
  const [typed, setTyped] = useState('')
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const failure = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error) failure.current?.scrollIntoView?.({ block: 'nearest' })
  }, [error])
  const usages = useUsages(usage)
  const foundUsages = usage && usages.usages && usages.usages.length > 0 ? usages.usages : null
  const isUnused = usages.usages !== null && !foundUsages
  const focusesCancel = retype === undefined && (!harmless || !isUnused || !action)
  const blocked = !isUnused || (retype !== undefined && typed !== retype)

  async function submit(event: FormEvent) {
    event.preventDefault()
    // a dialog over a form is a React child of it, so the event would bubble to the form
    event.stopPropagation()
    if (pending || blocked) return
    setPending(true)
    setError(null)
    try {
      await run?.(typed)
      onAnswer(true)
    } catch (refusal) {
      setPending(false)
      if (isApiError(refusal, 'in_use') && refusal.usedBy.length > 0) usages.set(refusal.usedBy)
      else setError(refusal)
    }
  }

  return (
    <Dialog
      open={open}
      onClose={() => !pending && onAnswer(false)}
      fullWidth
      maxWidth={wide ? 'md' : 'xs'}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-body`}
    >
      {/* `contents`, so that long content scrolls above the buttons */}
      <form onSubmit={submit} style={{ display: 'contents' }}>
        <DialogTitle id={`${id}-title`} sx={{ overflowWrap: 'anywhere' }}>
          {foundUsages ? t('usage:blocked.title', { name: usage?.name }) : title}
        </DialogTitle>
        <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
          <DialogContentText id={`${id}-body`} sx={{ overflowWrap: 'anywhere' }}>
            {foundUsages ? t('usage:blocked.body') : usages.usages ? body : <Skeleton component="span" />}
          </DialogContentText>
          {/* above content that may be long, so that it is visible without scrolling */}
          <Box ref={failure} sx={{ '&:empty': { display: 'none' } }}>
            <FormErrors error={error} title={failed ?? t('errors.notDone')} />
          </Box>
          <ConfirmationOpen value={open && !pending}>{detail}</ConfirmationOpen>
          {usage && foundUsages && <usage.View id={usage.id} usages={foundUsages} onLeave={() => onAnswer(false)} />}
          {isUnused && retype !== undefined && (
            <FormControl fullWidth>
              <FormLabel htmlFor={`${id}-retype`}>{t('confirm.retype', { text: retype })}</FormLabel>
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
        </DialogContent>
        <DialogFooter open={open}>
          <Button color="inherit" onClick={() => onAnswer(false)} disabled={pending} {...(focusesCancel && { ref: focusOnMount })}>
            {foundUsages ? t('actions.close') : (cancel ?? t('actions.cancel'))}
          </Button>
          {isUnused && action && (
            // a harmless action can be confirmed by Enter
            <Button
              type="submit"
              variant="contained"
              color={harmless ? 'primary' : 'error'}
              loading={pending}
              disabled={blocked}
              {...(retype === undefined && !focusesCancel && { ref: focusOnMount })}
            >
              {action}
            </Button>
          )}
        </DialogFooter>
      </form>
    </Dialog>
  )
}

/** Records that refer to the one to delete; null until loaded. The server has the final say. */
function useUsages(usage: Confirmation['usage']) {
  const [usages, setUsages] = useState<readonly Usage[] | null>(usage ? null : [])
  const [loadUsages] = useState(() => usage?.load)
  useEffect(() => {
    loadUsages?.().then(
      ({ data }) => setUsages(data),
      () => setUsages([]),
    )
  }, [loadUsages])
  return { usages, set: setUsages }
}
