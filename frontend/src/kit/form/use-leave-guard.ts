import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type BlockerFunction, useBlocker } from 'react-router'
import { useConfirm } from '~/kit/ui/confirm'
import { LEAVING_DELETED } from '~/kit/ui/leaving-deleted'
import { isReloading } from '~/kit/ui/reload'
import { session } from '~/session/session'
import { keepTenant } from '~/session/tenant'

/** Returns a function that asks if unsaved input may be discarded. */
export function useAskToLeave(): () => Promise<boolean> {
  const { t } = useTranslation()
  const confirm = useConfirm()
  return () => confirm({ title: t('leave.title'), body: t('leave.body'), action: t('leave.discard'), cancel: t('leave.stay') })
}

type Navigation = Parameters<BlockerFunction>[0]

/** Guards of the forms on the page; each returns true if a navigation would lose its input. */
const guards = new Set<(navigation: Navigation) => boolean>()

/**
 * Asks before a navigation loses the input of a form. Render it once: a router consults only the last of
 * several blockers.
 */
export function LeaveBlocker(): null {
  const blocker = useBlocker((navigation) => [...guards].some((isBlocking) => isBlocking(navigation)))
  const askToLeave = useEffectEvent(useAskToLeave())
  const answer = useEffectEvent((leave: boolean) => {
    if (blocker.state !== 'blocked') return
    if (leave) blocker.proceed()
    else blocker.reset()
  })
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    void askToLeave().then((leave) => answer(leave))
  }, [blocker.state])
  return null
}

/**
 * Asks before unsaved input is lost: on navigation, on a change of tenant, when the tab closes, and when the
 * session ends. `keep` saves the input so that it survives a reload.
 */
export function useLeaveGuard(dirty: boolean, keep?: () => void): { release: () => void } {
  const released = useRef(false)
  const isBlocking = useEffectEvent(
    ({ currentLocation, nextLocation, historyAction }: Navigation) =>
      dirty &&
      !released.current &&
      !(historyAction === 'REPLACE' && nextLocation.state === LEAVING_DELETED) &&
      session.get().phase !== 'out' &&
      (currentLocation.pathname !== nextLocation.pathname || keepTenant(currentLocation.search) !== keepTenant(nextLocation.search)),
  )
  const onUnload = useEffectEvent((event: BeforeUnloadEvent) => {
    if (!released.current && !(keep && isReloading())) event.preventDefault()
  })
  const onHide = useEffectEvent(() => {
    if (!released.current && session.get().phase !== 'out') keep?.()
  })

  useEffect(() => {
    const guard = (navigation: Navigation) => isBlocking(navigation)
    guards.add(guard)
    return () => void guards.delete(guard)
  }, [])

  useEffect(() => {
    if (!dirty) return
    const releaseUnsaved = session.holdUnsaved()
    const unload = (event: BeforeUnloadEvent) => onUnload(event)
    const hide = () => onHide()
    window.addEventListener('beforeunload', unload)
    window.addEventListener('pagehide', hide)
    return () => {
      releaseUnsaved()
      window.removeEventListener('beforeunload', unload)
      window.removeEventListener('pagehide', hide)
    }
  }, [dirty])

  return {
    release: () => {
      released.current = true
    },
  }
}
