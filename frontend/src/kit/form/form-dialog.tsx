import Button from '@mui/material/Button'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Namespace } from '~/i18n/namespaces'
import { DialogFrame, type DialogFrameProps } from '~/kit/ui/dialog-frame'
import { FormErrors } from '~/kit/ui/form-errors'
import { FormScopeContext } from './form-context'
import { FormElement } from './form-element'

interface Props extends Pick<DialogFrameProps, 'title' | 'description' | 'maxWidth' | 'onClose'> {
  /** Namespace of the labels. */
  ns: Namespace
  /** The form is being sent. */
  pending: boolean
  /** Error that belongs to no field. */
  error: unknown
  /** Text of the button that sends the form; "Save" by default. */
  action?: string
  /** True while the form cannot be submitted. */
  disabled?: boolean
  onSubmit: () => void
  children: ReactNode
}

const FIELDS = { sx: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2.5 } }

/** Dialog that is a form: fields, an error, and buttons to cancel and to submit. */
export function FormDialog({ ns, pending, error, action, disabled = false, onSubmit, onClose, children, ...frame }: Props) {
  const { t } = useTranslation()
  const scope = useMemo(() => ({ ns, readOnly: false }), [ns])
  return (
    <FormScopeContext.Provider value={scope}>
      <DialogFrame
        {...frame}
        content={FIELDS}
        pending={pending}
        onClose={onClose}
        wrap={(inner) => (
          <FormElement onSubmit={disabled ? undefined : onSubmit} pending={pending} sx={{ display: 'contents' }}>
            {inner}
          </FormElement>
        )}
        actions={
          <>
            <Button color="inherit" onClick={onClose} disabled={pending}>
              {t('actions.cancel')}
            </Button>
            <Button type="submit" variant="contained" loading={pending} disabled={disabled}>
              {action ?? t('actions.save')}
            </Button>
          </>
        }
      >
        <FormErrors error={error} />
        {children}
      </DialogFrame>
    </FormScopeContext.Provider>
  )
}
