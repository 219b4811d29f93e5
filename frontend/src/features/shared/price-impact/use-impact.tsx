import { type ReactNode, Suspense, useRef, useState } from 'react'
import { later } from '~/kit/ui/later'
import { useCan } from '~/session/me'
import type { AskImpact } from './impact-calls'

const ImpactDialog = later(() => import('./impact-dialog'), 'priceImpact')
const OneLine = later(() => import('./one-line'), 'priceImpact')
const ImpactDetail = later(() => import('./impact-detail'), 'priceImpact')

export interface ImpactQuestion {
  /** What is about to be done; of a list by itself there is nothing to be done. */
  to: 'create' | 'update' | 'on' | 'off' | 'prices' | 'stockPrices' | 'release' | 'values' | 'copy' | 'next' | 'order' | 'import' | 'list'
  /** Of the record. */
  name: string
  ask: AskImpact
  /** Goes on by itself where nothing was found to change, and all was examined. */
  quiet?: boolean
}

interface Asked {
  key: number
  question: ImpactQuestion
  resolve: (yes: boolean) => void
  reject: (error: unknown) => void
}

/** Whether somebody may see what a change of these records does to prices. */
export const useMaySeeImpact = (rights: 'price_adjustment' | 'price_list' | 'listing') => useCan(`${rights}.view`, 'listing.view')

/**
 * Asks whether to go on, with what that does to prices. Rejects with what saving would be refused for; an impact that cannot be had is
 * told, and keeps nobody from going on. The dialog is to be shown outside of the form.
 */
export function useImpact(): [ask: (question: ImpactQuestion) => Promise<boolean>, dialog: ReactNode] {
  const [asked, show] = useState<Asked | null>(null)
  const count = useRef(0)
  const ask = (question: ImpactQuestion) =>
    new Promise<boolean>((resolve, reject) => show({ key: ++count.current, question, resolve, reject }))
  const dialog = asked && (
    <Suspense fallback={null}>
      <ImpactDialog
        key={asked.key}
        {...asked.question}
        onAnswer={(yes) => {
          show(null)
          asked.resolve(yes)
        }}
        onRefused={(error) => {
          show(null)
          asked.reject(error)
        }}
      />
    </Suspense>
  )
  return [ask, dialog]
}

/** The same of prices that are saved often: goes on by itself where no price changes, and where the save itself says why it is refused. */
export function useQuietImpact(): [ask: (question: Omit<ImpactQuestion, 'quiet'>) => Promise<boolean>, dialog: ReactNode] {
  const [ask, dialog] = useImpact()
  return [(question) => ask({ ...question, quiet: true }).catch(() => true), dialog]
}

/** The impact as part of a question that something else asks. */
export const Impact = ({ ask }: { ask: AskImpact }) => (
  <Suspense fallback={null}>
    <ImpactDetail ask={ask} />
  </Suspense>
)

/** The impact as a sentence behind another one. */
export const ImpactLine = ({ ask }: { ask: AskImpact }) => (
  <Suspense fallback={null}>
    <OneLine ask={ask} />
  </Suspense>
)
