import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, type RefObject, useEffect, useId, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'

import type { Namespace } from '~/i18n/namespaces'
import { FormScopeContext } from '~/kit/form/form-context'
import { FormSkeleton } from '~/kit/form/form-drawer'
import { FormElement } from '~/kit/form/form-element'
import { useAskToLeave } from '~/kit/form/use-leave-guard'
import { DialogFooter } from '~/kit/ui/dialog-footer'
import { FormErrors } from '~/kit/ui/form-errors'
import { LoadFailed } from '~/kit/ui/load-failed'

/** Closes the dialog; a form in it asks before unsaved input is lost. */
type CloseRef = RefObject<() => void>

interface DialogProps {
  title: string
  /** Description of the row. */
  description: string | null
  /** Loading state, because a form must start from the current row. */
  loading: { error: unknown; retry: () => void } | null
  onClose: () => void
  children: (leave: CloseRef) => ReactNode
}

/** Dialog for one row of a sheet, with fields that have no column. */
export function RowDialog({ title, description, loading, onClose, children }: DialogProps) {
  const { t } = useTranslation()
  const id = useId()
  const leave = useRef(onClose)
  return (
    <Dialog
      open
      onClose={() => leave.current()}
      fullWidth
      maxWidth="md"
      aria-labelledby={id}
      aria-describedby={description === null ? undefined : `${id}-of`}
    >
      <DialogTitle id={id}>{title}</DialogTitle>
      {description !== null && (
        <DialogContentText id={`${id}-of`} sx={{ px: 3, pb: 1 }}>
          {description}
        </DialogContentText>
      )}
      {loading ? (
        <>
          <DialogContent>{loading.error ? <LoadFailed error={loading.error} retry={loading.retry} /> : <FormSkeleton />}</DialogContent>
          <DialogFooter>
            <Button color="inherit" onClick={onClose}>
              {t('actions.cancel')}
            </Button>
          </DialogFooter>
        </>
      ) : (
        children(leave)
      )}
    </Dialog>
  )
}

interface FormProps {
  ns: Namespace
  readOnly: boolean
  isDirty: boolean
  pending: boolean
  error: unknown
  onSubmit: () => void
  onClose: () => void
  leave: CloseRef
  /** Dialog for a conflict with another person who has saved first. */
  conflict?: ReactNode
  children: ReactNode
}

/** Form in a `RowDialog`. */
export function RowForm({ ns, readOnly, isDirty, pending, error, onSubmit, onClose, leave, conflict, children }: FormProps) {
  const { t } = useTranslation()
  const askToLeave = useAskToLeave()
  async function close() {
    if (pending) return
    if (readOnly || !isDirty || (await askToLeave())) onClose()
  }
  useEffect(() => {
    leave.current = () => void close()
  })
  return (
    <FormScopeContext.Provider value={useMemo(() => ({ ns, readOnly, displays: new Map() }), [ns, readOnly])}>
      <FormElement onSubmit={readOnly ? undefined : onSubmit} pending={pending} sx={{ display: 'contents' }}>
        <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 }}>
          <FormErrors error={error} />
          {children}
        </DialogContent>
        <DialogFooter>
          <Button color="inherit" onClick={() => void close()} disabled={pending}>
            {t(readOnly ? 'actions.close' : 'actions.cancel')}
          </Button>
          {!readOnly && (
            <Button type="submit" variant="contained" loading={pending}>
              {t('actions.save')}
            </Button>
          )}
        </DialogFooter>
      </FormElement>
      {conflict}
    </FormScopeContext.Provider>
  )
}
