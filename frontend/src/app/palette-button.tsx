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
  const [earlyKeys, setEarlyKeys] = useState<EarlyKeys | null>(null)
  const close = () => setEarlyKeys(null)
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return
      event.preventDefault()
      // an open confirmation must be answered first
      if (!document.querySelector('[role="alertdialog"]')) setEarlyKeys((before) => (before ? null : noEarlyKeys()))
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
        onClick={() => setEarlyKeys((before) => before ?? noEarlyKeys())}
      >
        <Search size={20} />
      </IconButton>
      {earlyKeys && (
        <Suspense fallback={<EarlyKeyReader earlyKeys={earlyKeys} onClose={close} />}>
          <Palette {...props} earlyKeys={earlyKeys} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

const noEarlyKeys = (): EarlyKeys => ({ text: '', enter: false })

/** Collects text in place of the palette while it loads, so that none is lost or reaches the page below. */
function EarlyKeyReader({ earlyKeys, onClose }: { earlyKeys: EarlyKeys; onClose: () => void }) {
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (document.querySelector('[role="alertdialog"]')) return onClose()
      if (event.isComposing) return
      const { key } = event
      const hasNoModifier = !(event.ctrlKey || event.metaKey || event.altKey)
      const typed = key.length === 1 && (hasNoModifier || event.getModifierState('AltGraph'))
      if (key === 'Escape') onClose()
      else if (key === 'Enter' && hasNoModifier) earlyKeys.enter ||= !event.repeat
      else if (key === 'Backspace') earlyKeys.text = earlyKeys.text.slice(0, -1)
      else if (typed) earlyKeys.text += earlyKeys.enter ? '' : key
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
  }, [earlyKeys, onClose])
  return null
}
