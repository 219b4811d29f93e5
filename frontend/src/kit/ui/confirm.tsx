import { type ComponentType, createContext, type ReactNode, Suspense, useCallback, useContext, useRef, useState } from 'react'
import type { Usage, UsageList } from '~/api/schema'
import { lazyWithTexts } from './lazy-with-texts'

export const ConfirmDialog = lazyWithTexts(() => import('./confirm-dialog'), 'usage')

export interface UsageViewProps {
  /** Id of the record in use. */
  id: number
  usages: readonly Usage[]
  onLeave?: () => void
}

export interface Confirmation {
  title: string
  body: string
  /** Content below the body that is more than a sentence. */
  detail?: ReactNode
  /** True if the detail needs a wide dialog. */
  wide?: boolean
  /** Verb on the button: "Löschen", never "OK"; absent if there is nothing to confirm. */
  action?: string
  /** Text that has to be retyped to enable the button. */
  retype?: string
  cancel?: string
  /** Query for references to the record. If there are any, they are shown instead of the confirmation. */
  usage?: { id: number; name: string; load: () => Promise<UsageList>; View: ComponentType<UsageViewProps> }
  /** True if the action destroys nothing. */
  harmless?: boolean
  /** Sentence above the reason of a failure: what was not done, and what therefore still applies. */
  failed?: string
  /**
   * Action that runs before the dialog closes, with the retyped text. An error is shown inside, and the
   * dialog stays open.
   */
  run?: (typed: string) => Promise<unknown>
}

type Confirm = (confirmation: Confirmation) => Promise<boolean>
const ConfirmContext = createContext<Confirm>(() => Promise.resolve(false))
export const useConfirm = (): Confirm => useContext(ConfirmContext)

/**
 * Provides `useConfirm`, which asks in a dialog and resolves to the answer; the dialog's code is loaded on
 * first use.
 */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [request, setRequest] = useState<{ key: number; confirmation: Confirmation } | null>(null)
  const [open, setOpen] = useState(false)
  const answer = useRef<(confirmed: boolean) => void>(() => {})

  const confirm = useCallback<Confirm>((confirmation) => {
    answer.current(false)
    setRequest((before) => ({ key: (before?.key ?? 0) + 1, confirmation }))
    setOpen(true)
    return new Promise((resolve) => {
      answer.current = resolve
    })
  }, [])

  return (
    <ConfirmContext.Provider value={confirm}>
      {children}
      {request && (
        <Suspense fallback={null}>
          <ConfirmDialog
            key={request.key}
            {...request.confirmation}
            open={open}
            onAnswer={(confirmed) => {
              setOpen(false)
              answer.current(confirmed)
            }}
          />
        </Suspense>
      )}
    </ConfirmContext.Provider>
  )
}
