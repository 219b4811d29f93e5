import { createContext } from 'react'
import type { IssuedToken } from '~/api/schema'

/** Where a form hands over the token that it has made, to be shown this once. */
export const IssuedContext = createContext<(issued: IssuedToken) => void>(() => {})
