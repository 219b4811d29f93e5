import IconButton from '@mui/material/IconButton'
import { Search } from 'lucide-react'
import { Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MenuGroup } from '~/kit/shell/menu'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'

const Palette = lazyWithTexts(() => import('./palette'), 'palette')

/** Keys that were pressed before the palette's code had loaded: it opens with this text. */
export interface EarlyKeys {
  text: string
  /** True if Enter followed: the first page or action that matches is chosen. */
  enter: boolean
}

interface Props {
  menu: readonly MenuGroup[]
  onHelp: () => void
  onSignOut: () => void
}

/** Button that opens the palette, like Ctrl+K and Cmd+K; its code is loaded on first use. */
export function PaletteButton(props: Props) {
  const { t } = useTranslation('shell')
  const [early, setEarly] = useState<EarlyKeys | null>(null)
  const close = () => setEarly(null)
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return
      event.preventDefault()
      // an open confirmation must be answered first
      if (!document.querySelector('[role="alertdialog"]')) setEarly((before) => (before ? null : noKeys()))
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
        onClick={() => setEarly((before) => before ?? noKeys())}
      >
        <Search size={20} />
      </IconButton>
      {early && (
        <Suspense fallback={<EarlyKeyReader early={early} onClose={close} />}>
          <Palette {...props} early={early} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

const noKeys = (): EarlyKeys => ({ text: '', enter: false })

/** Collects text in place of the palette while it loads, so that none is lost or reaches the page below. */
function EarlyKeyReader({ early, onClose }: { early: EarlyKeys; onClose: () => void }) {
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (document.querySelector('[role="alertdialog"]')) return onClose()
      if (event.isComposing) return
      const { key } = event
      const plain = !(event.ctrlKey || event.metaKey || event.altKey)
      const typed = key.length === 1 && (plain || event.getModifierState('AltGraph'))
      if (key === 'Escape') onClose()
      else if (key === 'Enter' && plain) early.enter ||= !event.repeat
      else if (key === 'Backspace') early.text = early.text.slice(0, -1)
      else if (typed) early.text += early.enter ? '' : key
      else return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', onKeyDown, true)
    window.addEventListener('pointerdown', onClose, true)
    return () => {
      window.removeEventListener('keydown', onKeyDown, true)
      window.removeEventListener('pointerdown', onClose, true)
    }
  }, [early, onClose])
  return null
}
