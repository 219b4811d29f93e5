import { createContext, type ReactNode } from 'react'

/** What an undo does to prices, as the application shows it with the question before. */
export interface UndoImpact {
  /** True if prices are made of what requests of a path write. */
  changesPrices: (path: string) => boolean
  /** Null for users who do not see it. */
  show: (what: { request: string } | { entry: number }) => ReactNode
}

export const UndoImpactContext = createContext<UndoImpact>({ changesPrices: () => false, show: () => null })
