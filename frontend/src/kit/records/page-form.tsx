import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import Stack from '@mui/material/Stack'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { FormElement } from '~/kit/form/form-element'
import { readOnlyFieldStyles } from '~/kit/form/read-only-field-styles'
import { FormErrors } from '~/kit/ui/form-errors'
import { type EditorProps, type FrameParts, RecordEditor, type Versioned } from './record-editor'
import { useRecordPage } from './record-page-context'

/** Form of a record on a tab of its page; it stays open after a save. */
export function PageForm<Row extends Versioned, Body, Form extends FieldValues>(props: EditorProps<Row, Body, Form>) {
  return <RecordEditor {...props} Frame={TabFrame} row={useRecordPage<Row>().row} />
}

/** Frame of a form that is part of a page. */
export function TabFrame({ onSubmit, onClose, dirty, pending, error, note, children }: FrameParts) {
  const { t } = useTranslation()
  return (
    <FormElement onSubmit={onSubmit} pending={pending}>
      <Stack spacing={2.5} sx={onSubmit ? {} : readOnlyFieldStyles}>
        {note && (
          <Alert severity="info" role="note">
            {note}
          </Alert>
        )}
        <FormErrors error={error} />
        {children}
        {onSubmit && (
          <Stack
            direction="row"
            spacing={1}
            sx={{
              position: 'sticky',
              bottom: 0,
              py: 2,
              // in a card it takes the card's background
              backgroundColor: (theme) => `var(--ground, ${(theme.vars ?? theme).palette.background.default})`,
              zIndex: 1,
              alignItems: 'center',
            }}
          >
            <Button type="submit" variant="contained" loading={pending} aria-keyshortcuts="Control+Enter Meta+Enter">
              {t('actions.save')}
            </Button>
            <Button color="inherit" onClick={onClose} disabled={!dirty || pending}>
              {t('leave.discard')}
            </Button>
          </Stack>
        )}
        {pending && <LinearProgress aria-hidden sx={{ height: 3 }} />}
      </Stack>
    </FormElement>
  )
}
