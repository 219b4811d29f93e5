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
  onAnswer: (yes: boolean) => void
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
  const used = usage && usages.known && usages.known.length > 0 ? usages.known : null
  const offered = usages.known !== null && !used
  const cautious = retype === undefined && (!harmless || !offered || !action)
  const blocked = !offered || (retype !== undefined && typed !== retype)

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
          {used ? t('usage:blocked.title', { name: usage?.name }) : title}
        </DialogTitle>
        <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
          <DialogContentText id={`${id}-body`} sx={{ overflowWrap: 'anywhere' }}>
            {used ? t('usage:blocked.body') : usages.known ? body : <Skeleton component="span" />}
          </DialogContentText>
          {/* above content that may be long, so that it is visible without scrolling */}
          <Box ref={failure} sx={{ '&:empty': { display: 'none' } }}>
            <FormErrors error={error} title={failed ?? t('errors.notDone')} />
          </Box>
          <ConfirmationOpen value={open && !pending}>{detail}</ConfirmationOpen>
          {usage && used && <usage.View id={usage.id} usages={used} onLeave={() => onAnswer(false)} />}
          {offered && retype !== undefined && (
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
          <Button color="inherit" onClick={() => onAnswer(false)} disabled={pending} {...(cautious && { ref: focusOnMount })}>
            {used ? t('actions.close') : (cancel ?? t('actions.cancel'))}
          </Button>
          {offered && action && (
            // a harmless action can be confirmed by Enter
            <Button
              type="submit"
              variant="contained"
              color={harmless ? 'primary' : 'error'}
              loading={pending}
              disabled={blocked}
              {...(retype === undefined && !cautious && { ref: focusOnMount })}
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
  const [known, setKnown] = useState<readonly Usage[] | null>(usage ? null : [])
  const [ask] = useState(() => usage?.ask)
  useEffect(() => {
    ask?.().then(
      ({ data }) => setKnown(data),
      () => setKnown([]),
    )
  }, [ask])
  return { known, set: setKnown }
}
