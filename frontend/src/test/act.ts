import React from 'react'
import { flushSync } from 'react-dom'

// before a test has its own timers
const nextTurn = setImmediate

/** What is to be drawn is drawn in the next turn, and its effects run in the one after it. */
async function drawn() {
  for (let turns = 0; turns < 2; turns++) await new Promise<void>((resolve) => void nextTurn(resolve))
}

/** React's production build has no `act`, which Testing Library calls for all that it does. */
function act(callback: () => unknown): Promise<unknown> {
  const result = flushSync(callback)
  return result instanceof Promise ? result.finally(drawn) : Promise.resolve()
}

if (process.env.NODE_ENV === 'production') Object.assign(React, { act })
