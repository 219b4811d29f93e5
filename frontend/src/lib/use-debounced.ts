import { useEffect, useState } from 'react'

export function useDebounced<T>(value: T, delay = 500): T {
  const [late, setLate] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return late
}
