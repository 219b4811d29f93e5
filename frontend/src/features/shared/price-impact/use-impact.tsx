import { type ReactNode, Suspense, useRef, useState } from 'react'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { useCan } from '~/session/me'
import type { ImpactRequest } from './impact-calls'

const ImpactDialog = lazyWithTexts(() => import('./impact-dialog'), 'priceImpact')
const ImpactSentence = lazyWithTexts(() => import('./impact-sentence'), 'priceImpact')
const ImpactDetail = lazyWithTexts(() => import('./impact-detail'), 'priceImpact')

export interface ImpactQuestion {
  /** Pending change; `list` only informs. */
  changeKind:
    | 'create'
    | 'update'
    | 'on'
    | 'off'
    | 'prices'
    | 'stockPrices'
    | 'release'
    | 'values'
    | 'copy'
    | 'next'
    | 'order'
    | 'import'
    | 'list'
  /** Name of the record. */
  name: string
  request: ImpactRequest
  /** True to continue without confirmation if everything was examined and nothing changes. */
  skipsIfUnchanged?: boolean
}

interface PendingQuestion {
  key: number
  question: ImpactQuestion
  resolve: (isConfirmed: boolean) => void
  reject: (error: unknown) => void
}

/** True if the user may see how changes of these records affect prices. */
export const useMaySeeImpact = (rights: 'price_adjustment' | 'price_list' | 'listing') => useCan(`${rights}.view`, 'listing.view')

/**
 * Asks for confirmation, showing the impact on prices. Rejects with errors that saving would fail with as
 * well; if the impact cannot be loaded, that is shown and does not prevent saving. The dialog must be
 * rendered outside of the form.
 */
export function useImpact(): [confirmImpact: (question: ImpactQuestion) => Promise<boolean>, dialog: ReactNode] {
  const [pending, setPending] = useState<PendingQuestion | null>(null)
  const count = useRef(0)
  const confirmImpact = (question: ImpactQuestion) =>
    new Promise<boolean>((resolve, reject) => setPending({ key: ++count.current, question, resolve, reject }))
  const dialog = pending && (
    <Suspense fallback={null}>
      <ImpactDialog
        key={pending.key}
        {...pending.question}
        onAnswer={(isConfirmed) => {
          setPending(null)
          pending.resolve(isConfirmed)
        }}
        onRefused={(error) => {
          setPending(null)
          pending.reject(error)
        }}
      />
    </Suspense>
  )
  return [confirmImpact, dialog]
}

/**
 * Variant for prices that are saved often: continues without confirmation if no price changes, or if the
 * save itself reports the error.
 */
export function useQuietImpact(): [
  confirmImpact: (question: Omit<ImpactQuestion, 'skipsIfUnchanged'>) => Promise<boolean>,
  dialog: ReactNode,
] {
  const [confirmImpact, dialog] = useImpact()
  return [(question) => confirmImpact({ ...question, skipsIfUnchanged: true }).catch(() => true), dialog]
}

/** Impact as part of another confirmation. */
export const Impact = ({ request }: { request: ImpactRequest }) => (
  <Suspense fallback={null}>
    <ImpactDetail request={request} />
  </Suspense>
)

/** Impact as a sentence that follows another one. */
export const ImpactLine = ({ request }: { request: ImpactRequest }) => (
  <Suspense fallback={null}>
    <ImpactSentence request={request} />
  </Suspense>
)
