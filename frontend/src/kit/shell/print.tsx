import GlobalStyles from '@mui/material/GlobalStyles'
import { useEffect } from 'react'

/**
 * Styles that print a page's content in black on white, without tools. Parts with `data-print="none"` are
 * not printed.
 */
const PRINTED = {
  '@media print': {
    '@page': { margin: '14mm' },
    'html, body': { background: '#fff !important' },
    '[data-print=none], #main button, #main .MuiButton-root, #main .MuiCheckbox-root, #main .MuiInputBase-root, .MuiSnackbar-root': {
      display: 'none !important',
    },
    '#main, #main *': { overflow: 'visible !important', maxHeight: 'none !important' },
    '#main .MuiTableSortLabel-root, #main th button': { display: 'inline-flex !important' },
    '#main table': { fontSize: '9pt', width: '100% !important' },
    '#main thead': { display: 'table-header-group' },
    '#main tr': { breakInside: 'avoid' },
    '#main th, #main td': { position: 'static !important', padding: '3px 6px !important', backgroundColor: 'transparent !important' },
    '#main .MuiPaper-root': { boxShadow: 'none !important' },
    '#main section': { breakInside: 'avoid-page' },
    '#main a': { color: 'inherit !important', textDecoration: 'none !important' },
  },
} as const

const MODE = 'data-mode'

/** Prints in the light colour scheme, whichever one is on screen. */
function useLightPaper(): void {
  useEffect(() => {
    const root = document.documentElement
    const paper = window.matchMedia('print')
    let screen: string | null = null
    function onChange() {
      if (paper.matches) {
        screen = root.getAttribute(MODE)
        root.setAttribute(MODE, 'light')
      } else if (screen !== null) {
        root.setAttribute(MODE, screen)
        screen = null
      }
    }
    paper.addEventListener('change', onChange)
    return () => paper.removeEventListener('change', onChange)
  }, [])
}

/** Print styles, loaded after the page. */
export default function PrintStyles() {
  useLightPaper()
  return <GlobalStyles styles={PRINTED} />
}
