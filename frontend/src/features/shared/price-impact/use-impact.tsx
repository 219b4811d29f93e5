import { type ReactNode, Suspense, useRef, useState } from 'react'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { useCan } from '~/session/me'
import type { AskImpact } from './impact-calls'

const ImpactDialog = lazyWithTexts(() => import('./impact-dialog'), 'priceImpact')
const OneLine = lazyWithTexts(() => import('./one-line'), 'priceImpact')
const ImpactDetail = lazyWithTexts(() => import('./impact-detail'), 'priceImpact')

export interface ImpactQuestion {
  /** Pending change; `list` only informs. */
  to: 'create' | 'update' | 'on' | 'off' | 'prices' | 'stockPrices' | 'release' | 'values' | 'copy' | 'next' | 'order' | 'import' | 'list'
  /** Name of the record. */
  name: string
  ask: AskImpact
  /** True to continue without confirmation if everything was examined and nothing changes. */
  quiet?: boolean
}

interface PendingQuestion {
  key: number
  question: ImpactQuestion
  resolve: (yes: boolean) => void
  reject: (error: unknown) => void
}

/** True if the user may see how changes of these records affect prices. */
export const useMaySeeImpact = (rights: 'price_adjustment' | 'price_list' | 'listing') => useCan(`${rights}.view`, 'listing.view')

/**
 * Asks for confirmation, showing the impact on prices. Rejects with errors that saving would fail with as
 * well; if the impact cannot be loaded, that is shown and does not prevent saving. The dialog must be
 * rendered outside of the form.
 */
export function useImpact(): [ask: (question: ImpactQuestion) => Promise<boolean>, dialog: ReactNode] {
  const [asked, setAsked] = useState<PendingQuestion | null>(null)
  const count = useRef(0)
  const ask = (question: ImpactQuestion) =>
    new Promise<boolean>((resolve, reject) => setAsked({ key: ++count.current, question, resolve, reject }))
  const dialog = asked && (
    <Suspense fallback={null}>
      <ImpactDialog
        key={asked.key}
        {...asked.question}
        onAnswer={(yes) => {
          setAsked(null)
          asked.resolve(yes)
        }}
        onRefused={(error) => {
          setAsked(null)
          asked.reject(error)
        }}
      />
    </Suspense>
  )
  return [ask, dialog]
}

/**
 * Variant for prices that are saved often: continues without confirmation if no price changes, or if the
 * save itself reports the error.
 */
export function useQuietImpact(): [ask: (question: Omit<ImpactQuestion, 'quiet'>) => Promise<boolean>, dialog: ReactNode] {
  const [ask, dialog] = useImpact()
  return [(question) => ask({ ...question, quiet: true }).catch(() => true), dialog]
}

/** Impact as part of another confirmation. */
export const Impact = ({ ask }: { ask: AskImpact }) => (
  <Suspense fallback={null}>
    <ImpactDetail ask={ask} />
  </Suspense>
)

/** Impact as a sentence that follows another one. */
export const ImpactLine = ({ ask }: { ask: AskImpact }) => (
  <Suspense fallback={null}>
    <OneLine ask={ask} />
  </Suspense>
)
