import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import LinearProgress from '@mui/material/LinearProgress'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import { keyframes } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { X } from 'lucide-react'
import { createContext, type ReactNode, type SyntheticEvent, useContext, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useDocumentTitle } from '~/kit/ui/document-title'
import { FormErrors } from '~/kit/ui/form-errors'
import { SnackbarSlot } from '~/kit/ui/snackbar-slot'
import { FormElement } from './form-element'
import { readOnlyFieldStyles } from './read-only-field-styles'

const WIDTH = { sm: 520, md: 760 }
const appear = keyframes({ from: { opacity: 0 }, to: { opacity: 1 } })
const TitleId = createContext('')

interface FrameProps {
  width?: 'sm' | 'md'
  onClose: () => void
  children: ReactNode
}

/**
 * Frame of a drawer; it stays open while its content changes from loading to loaded. Full screen on small
 * screens.
 */
export function DrawerFrame({ width = 'sm', onClose, children }: FrameProps) {
  const id = useId()
  return (
    <Drawer
      anchor="right"
      open
      // an Escape that an inner element has handled does not close the drawer
      onClose={(event: SyntheticEvent) => event.defaultPrevented || onClose()}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-modal': true,
          'aria-labelledby': id,
          sx: { width: { xs: '100%', md: WIDTH[width] }, maxWidth: '100%' },
        },
      }}
    >
      <TitleId value={id}>{children}</TitleId>
    </Drawer>
  )
}

interface BodyProps {
  title: string
  subtitle?: ReactNode
  /** Content beside the title. */
  actions?: ReactNode
  onClose: () => void
  /** Submit handler; absent while there is nothing to submit: loading, failed or read only. */
  onSubmit?: (() => void) | undefined
  pending?: boolean
  error?: unknown
  /** Note that says why fields are disabled, or what they contain. */
  note?: string | null
  noteAction?: ReactNode
  submitLabel?: string
  /** True if submitting destroys data. */
  destructive?: boolean
  /** Other buttons, in front of the submit button. */
  otherActions?: ReactNode
  children: ReactNode
}

/** Content of every drawer: title, alerts, scrolling body, actions at the bottom. */
export function DrawerForm(props: BodyProps) {
  const { title, onClose, onSubmit, pending = false } = props
  const { t } = useTranslation()
  const id = useContext(TitleId)
  useDocumentTitle(title)

  return (
    <FormElement
      onSubmit={props.onSubmit}
      pending={pending}
      sx={{ display: 'flex', flexDirection: 'column', height: '100%', minHeight: 0 }}
    >
      <Stack direction="row" sx={{ alignItems: 'flex-start', gap: 1, px: 3, pt: 2.5, pb: 2, borderBottom: 1, borderColor: 'divider' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="h2" id={id} sx={{ overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
          {props.subtitle && (
            <Typography variant="caption" color="textSecondary" component="div" sx={{ mt: 0.25 }}>
              {props.subtitle}
            </Typography>
          )}
        </Box>
        {props.actions}
        <IconButton aria-label={t('actions.close')} onClick={onClose} sx={{ mr: -1, mt: -0.5 }}>
          <X size={20} />
        </IconButton>
      </Stack>
      <Stack
        spacing={2.5}
        // with all fields disabled nothing else can take the focus that keyboard scrolling needs
        {...(!props.onSubmit && { tabIndex: 0, role: 'group', 'aria-labelledby': id })}
        sx={{
          flex: 1,
          minHeight: 0,
          overflowY: 'auto',
          // a field's error is shown below it and must stay in view
          scrollPaddingBlock: '72px',
          px: 3,
          py: 3,
          '& > *': { flexShrink: 0 },
          ...(!props.onSubmit && readOnlyFieldStyles),
          '&:focus-visible': { outlineOffset: -2 },
        }}
      >
        {props.note && (
          <Alert severity="info" role="note" action={props.noteAction}>
            {props.note}
          </Alert>
        )}
        <FormErrors error={props.error} />
        {props.children}
      </Stack>
      {/* a quick save shows no progress bar */}
      {pending && <LinearProgress aria-hidden sx={{ height: 3, mb: '-3px', animation: `${appear} 1ms 600ms both` }} />}
      <SnackbarSlot />
      <Stack
        direction="row"
        spacing={1}
        sx={{ px: 3, py: 2, borderTop: 1, borderColor: 'divider', justifyContent: 'flex-end', bgcolor: 'background.paper' }}
      >
        <Button color="inherit" onClick={onClose}>
          {onSubmit ? t('actions.cancel') : t('actions.close')}
        </Button>
        {props.otherActions}
        {onSubmit && (
          <Button
            type="submit"
            variant="contained"
            color={props.destructive ? 'error' : 'primary'}
            loading={pending}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            {props.submitLabel ?? t('actions.save')}
          </Button>
        )}
      </Stack>
    </FormElement>
  )
}

export function FormSkeleton() {
  return (
    <Stack spacing={3} aria-busy>
      {[0, 1, 2, 3].map((at) => (
        <div key={at}>
          <Skeleton width="30%" />
          <Skeleton variant="rounded" height={40} />
        </div>
      ))}
    </Stack>
  )
}
