import { createContext } from 'react'
import type { IssuedToken } from '~/api/schema'

/** Context through which a form passes on the token that it has created, which is shown only once. */
export const IssuedContext = createContext<(issued: IssuedToken) => void>(() => {})
