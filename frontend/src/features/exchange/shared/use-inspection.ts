import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ImportInspection, ImportSettings, ImportType } from '~/api/schema'
import { inspections } from './inspection-api'
import type { Choices } from './mapping'
import type { Units } from './measure'
import type { Constants } from './settings'

interface Asked {
  file: File
  type: ImportType
  list: number | null
  /** Its chosen reading. */
  reading: ImportSettings
}

/** A look at the chosen file, and what somebody says of its columns; both are of one file, one type and one list. */
export function useInspection(tenantId: number) {
  const [choices, setChoices] = useState<Choices>({})
  const [units, setUnits] = useState<Units>({})
  const [constants, setConstants] = useState<Constants>({})
  const looking = useRef<AbortController | null>(null)
  const look = useMutation<ImportInspection, unknown, Asked>({
    mutationFn({ file, type, list, reading }) {
      looking.current?.abort()
      looking.current = new AbortController()
      return inspections.inspect(file, { type, list, reading }, tenantId, { onProgress: () => {}, signal: looking.current.signal })
    },
  })
  return {
    found: look.data,
    error: look.error,
    pending: look.isPending,
    choices,
    choose: (at: number, field: string | null) => setChoices((before) => ({ ...before, [at]: field })),
    units,
    chooseUnit: (at: number, unit: string) => setUnits((before) => ({ ...before, [at]: unit })),
    constants,
    setConstant: (field: string, value: string) => setConstants((before) => ({ ...before, [field]: value })),
    /** The reading of the file that was inspected last. */
    reading: look.variables?.reading ?? {},
    /** Reads the same file otherwise; its columns may be others then. */
    read(reading: ImportSettings) {
      if (!look.variables) return
      setChoices({})
      setUnits({})
      look.mutate({ ...look.variables, reading })
    },
    /** Without a file there is nothing to look at. */
    of(file: File | null, type: ImportType, list: number | null) {
      setChoices({})
      setUnits({})
      if (file) look.mutate({ file, type, list, reading: {} })
      else look.reset()
    },
  }
}

/** Whether the file can still be read as it was when it was chosen: a browser sends none that has changed since. */
export const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
