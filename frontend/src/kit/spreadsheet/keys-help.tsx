import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogFooter } from '../feedback/dialog-footer'

const KEYS = ['move', 'edge', 'select', 'all', 'type', 'edit', 'cancel', 'clear', 'copy', 'fill', 'undo', 'fault', 'save'] as const

/** What a spreadsheet's keys do. */
export default function KeysHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['spreadsheet', 'common'])
  const id = useId()
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby={id}>
      <DialogTitle id={id}>{t('keys.title')}</DialogTitle>
      <DialogContent>
        <Box
          component="dl"
          sx={{ display: 'grid', gridTemplateColumns: { sm: 'auto 1fr' }, columnGap: 3, rowGap: { xs: 0.25, sm: 1 }, m: 0 }}
        >
          {KEYS.map((key) => (
            <Box key={key} sx={{ display: 'contents' }}>
              <Box component="dt" sx={{ fontWeight: 550 }}>
                {t(`keys.list.${key}.keys`)}
              </Box>
              <Box component="dd" sx={{ m: 0, mb: { xs: 1, sm: 0 } }}>
                {t(`keys.list.${key}.does`)}
              </Box>
            </Box>
          ))}
        </Box>
      </DialogContent>
      <DialogFooter>
        <Button variant="contained" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
