import { createContext, type ReactNode } from 'react'

/** Effect of an undo on prices, which the application provides for the confirmation. */
export interface UndoImpact {
  /** True if writes to a path affect prices. */
  changesPrices: (path: string) => boolean
  /** Renders the effect; null for users who may not see it. */
  show: (target: { request: string } | { entry: number }) => ReactNode
}

export const UndoImpactContext = createContext<UndoImpact>({ changesPrices: () => false, show: () => null })
