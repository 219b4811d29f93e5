import { type ComponentType, createContext, type ReactNode, Suspense, useCallback, useContext, useRef, useState } from 'react'
import type { Usage, UsageList } from '~/api/schema'
import { later } from './later'

export const ConfirmDialog = later(() => import('./confirm-dialog'), 'usage')

export interface UsageViewProps {
  /** The record that is used. */
  id: number
  usages: readonly Usage[]
  onLeave?: () => void
}

export interface Confirmation {
  title: string
  body: string
  /** What belongs to it and is more than a sentence. */
  detail?: ReactNode
  /** The detail needs room. */
  wide?: boolean
  /** The verb on the button: "Löschen", never "OK"; none where there is nothing to be done but to read. */
  action?: string
  /** What has to be retyped before the button works. */
  retype?: string
  cancel?: string
  /** What may keep it from being deleted: asked first, and then there is nothing to confirm. */
  usage?: { id: number; name: string; ask: () => Promise<UsageList>; View: ComponentType<UsageViewProps> }
  /** Nothing is lost by it. */
  harmless?: boolean
  /** Sentence above the reason of a failure: what was not done, and what therefore still applies. */
  failed?: string
  /** Runs with what was retyped before the dialog closes; a failure is shown inside and the dialog stays open. */
  run?: (typed: string) => Promise<unknown>
}

type Ask = (confirmation: Confirmation) => Promise<boolean>
const ConfirmContext = createContext<Ask>(() => Promise.resolve(false))
export const useConfirm = (): Ask => useContext(ConfirmContext)

/** A question as a promise; the dialog's code comes with the first one. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<{ key: number; confirmation: Confirmation } | null>(null)
  const [open, setOpen] = useState(false)
  const answer = useRef<(yes: boolean) => void>(() => {})

  const ask = useCallback<Ask>((confirmation) => {
    answer.current(false)
    setAsked((before) => ({ key: (before?.key ?? 0) + 1, confirmation }))
    setOpen(true)
    return new Promise((resolve) => {
      answer.current = resolve
    })
  }, [])

  return (
    <ConfirmContext.Provider value={ask}>
      {children}
      {asked && (
        <Suspense fallback={null}>
          <ConfirmDialog
            key={asked.key}
            {...asked.confirmation}
            open={open}
            onAnswer={(yes) => {
              setOpen(false)
              answer.current(yes)
            }}
          />
        </Suspense>
      )}
    </ConfirmContext.Provider>
  )
}
