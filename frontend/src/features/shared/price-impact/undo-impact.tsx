import { type ReactNode, useMemo } from 'react'
import { type UndoImpact, UndoImpactContext } from '~/kit/ui/undo-impact'
import { impactOf } from './impact-calls'
import { Impact, useMaySeeImpact } from './use-impact'

/** Paths of records that prices are computed from. */
const PRICED = /^\/api\/admin\/(prices|price-lists|price-adjustments|processing-prices|surcharge-tables)(\/|$)/

/** Shows the impact of an undo on prices before it is done. */
export function UndoImpactProvider({ children }: { children: ReactNode }) {
  const seesImpact = useMaySeeImpact('listing')
  const impact = useMemo<UndoImpact>(
    () => ({
      changesPrices: (path) => seesImpact && PRICED.test(path),
      show: (what) => seesImpact && <Impact request={'request' in what ? impactOf.undoRequest(what.request) : impactOf.undo(what.entry)} />,
    }),
    [seesImpact],
  )
  return <UndoImpactContext value={impact}>{children}</UndoImpactContext>
}
