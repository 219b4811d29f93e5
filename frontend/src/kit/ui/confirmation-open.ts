import { createContext } from 'react'

/** True until a confirmation has been answered; afterwards its content loads nothing any more. */
export const ConfirmationOpen = createContext(true)
