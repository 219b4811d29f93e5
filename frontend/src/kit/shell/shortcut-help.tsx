import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { activeShortcuts } from '~/kit/ui/shortcuts'
import { preferences, usePreferences } from '~/theme/preferences'

const Key = ({ name }: { name: string }) => (
  <Box
    component="kbd"
    sx={{
      px: 0.9,
      py: 0.2,
      border: 1,
      borderColor: 'divider',
      borderBottomWidth: 2,
      borderRadius: 1,
      fontSize: '0.8125rem',
      bgcolor: 'background.default',
    }}
  >
    {name}
  </Box>
)

export default function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['common', 'shell'])
  const { shortcuts } = usePreferences()
  // shortcuts of the page below, as they were when the help opened
  const [list] = useState(() => [...new Map(activeShortcuts().map((shortcut) => [shortcut.key, shortcut.label]))])
  const always = [
    [t('shell:palette.keys'), t('shell:palette.open')],
    ['z', t('undo.action')],
    ['Enter', t('shortcuts.open')],
    [t('shortcuts.modEnter'), t('shortcuts.save')],
    ['Esc', t('shortcuts.close')],
  ] as const
  return (
    <DialogFrame
      title={t('shortcuts.title')}
      onClose={onClose}
      maxWidth="xs"
      actions={
        <Button variant="contained" onClick={onClose}>
          {t('actions.close')}
        </Button>
      }
    >
      <Box component="dl" sx={{ display: 'grid', gridTemplateColumns: 'auto 1fr', gap: 1.25, alignItems: 'center', m: 0 }}>
        {[...new Map<string, string>([...list, ...always])].map(([key, label]) => (
          <Box key={key} sx={{ display: 'contents' }}>
            <dt>
              <Key name={key} />
            </dt>
            <Box component="dd" sx={{ m: 0 }}>
              {label}
            </Box>
          </Box>
        ))}
      </Box>
      <FormControlLabel
        sx={{ mt: 2 }}
        label={t('shortcuts.enabled')}
        control={<Switch checked={shortcuts} onChange={(_, on) => preferences.set({ shortcuts: on })} />}
      />
    </DialogFrame>
  )
}
