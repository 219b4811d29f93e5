import { useState } from 'react'

/** The value; while there is none, the last that there was. It is to stay the same object until it changes. */
export function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
