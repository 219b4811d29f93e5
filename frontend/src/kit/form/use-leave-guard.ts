import type { TFunction } from 'i18next'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'
import { session } from '~/session/session'
import { useConfirm } from '../feedback/confirm'

export const askToLeave = (confirm: ReturnType<typeof useConfirm>, t: TFunction<'common'>) =>
  confirm({ title: t('leave.title'), body: t('leave.body'), action: t('leave.discard'), cancel: t('leave.stay') })

/** Asks before unsaved input is lost: in the app, when the tab closes, and when the session ends. */
export function useLeaveGuard(dirty: boolean): { release: () => void } {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const released = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty && !released.current && session.get().phase !== 'out' && currentLocation.pathname !== nextLocation.pathname,
  )
  const latest = useRef({ blocker, confirm, t })
  latest.current = { blocker, confirm, t }

  useEffect(() => {
    if (!dirty) return
    const letGo = session.holdUnsaved()
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!released.current) event.preventDefault()
    }
    window.addEventListener('beforeunload', onUnload)
    return () => {
      letGo()
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [dirty])

  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void askToLeave(latest.current.confirm, latest.current.t).then((leave) => {
      const now = latest.current.blocker
      if (now.state !== 'blocked') return
      if (leave) now.proceed()
      else now.reset()
    })
  }, [blocker.state])

  return {
    release: () => {
      released.current = true
    },
  }
}
