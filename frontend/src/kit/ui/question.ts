import { createContext } from 'react'

/** True until a question has been answered: nothing that it shows needs to be loaded afterwards. */
export const QuestionOpen = createContext(true)
