import LinearProgress from '@mui/material/LinearProgress'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigation } from 'react-router'

/** Shown when a page takes longer than a moment to come. */
export function LoadingBar() {
  const { t } = useTranslation()
  const busy = useNavigation().state !== 'idle'
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (!busy) return setShown(false)
    const timer = setTimeout(() => setShown(true), 150)
    return () => clearTimeout(timer)
  }, [busy])
  if (!shown) return null
  return <LinearProgress aria-label={t('states.loading')} sx={{ position: 'fixed', inset: '0 0 auto', zIndex: 2000, height: 3 }} />
}
