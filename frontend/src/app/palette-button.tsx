import IconButton from '@mui/material/IconButton'
import { Search } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MenuGroup } from '~/kit/shell/menu'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'

const Palette = lazyWithTexts(() => import('./palette'), 'palette')

interface Props {
  menu: readonly MenuGroup[]
  onHelp: () => void
  onSignOut: () => void
}

/** Button that opens the palette, like Ctrl+K and Cmd+K; its code is loaded on first use. */
export function PaletteButton(props: Props) {
  const { t } = useTranslation('shell')
  const [open, setOpen] = useState(false)
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return
      event.preventDefault()
      // an open confirmation must be answered first
      if (!document.querySelector('[role="alertdialog"]')) setOpen((before) => !before)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <IconButton
        aria-label={t('palette.open')}
        title={`${t('palette.open')} (${t('palette.keys')})`}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <Search size={20} />
      </IconButton>
      {open && (
        <Suspense fallback={null}>
          <Palette {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
