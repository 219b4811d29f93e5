import Box from '@mui/material/Box'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { X } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { SnackbarSlot } from '~/kit/ui/snackbar-slot'
import LayoutOptions from './layout-options'

/** Drawer with the layout options, beside the page that they change. */
export default function LayoutDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['layout', 'common'])
  const id = useId()
  return (
    <Drawer
      anchor="right"
      open
      onClose={onClose}
      slotProps={{
        // the page stays visible without dimming
        backdrop: { invisible: true },
        paper: { role: 'dialog', 'aria-labelledby': id, elevation: 8, sx: { width: 380, maxWidth: '100%' } },
      }}
    >
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1, px: 3, py: 2, borderBottom: 1, borderColor: 'divider' }}>
        <Typography variant="h2" id={id} sx={{ flex: 1 }}>
          {t('title')}
        </Typography>
        <IconButton aria-label={t('common:actions.close')} onClick={onClose} sx={{ mr: -1 }}>
          <X size={20} />
        </IconButton>
      </Stack>
      <Box sx={{ px: 3, py: 3, overflowY: 'auto' }}>
        <LayoutOptions />
      </Box>
      <SnackbarSlot />
    </Drawer>
  )
}
