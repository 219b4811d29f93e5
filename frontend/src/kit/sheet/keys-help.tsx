import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useTranslation } from 'react-i18next'
import { DialogFrame } from '~/kit/ui/dialog-frame'

const KEYS = [
  'move',
  'edge',
  'select',
  'all',
  'type',
  'edit',
  'cancel',
  'clear',
  'copy',
  'fill',
  'undo',
  'fault',
  'menu',
  'width',
  'save',
] as const

/** Dialog with the keyboard shortcuts of a spreadsheet. */
export default function KeysHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['spreadsheet', 'common'])
  return (
    <DialogFrame
      title={t('keys.title')}
      onClose={onClose}
      actions={
        <Button variant="contained" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      }
    >
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
    </DialogFrame>
  )
}
