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
  /** The profile that it is read by. */
  profile: number | null
  /** Its chosen reading; null: that of the profile, or what is recognised. */
  reading: ImportSettings | null
}

const withoutConstants = ({ constants: _, ...reading }: ImportSettings): ImportSettings => reading

/** Constants by their fields. */
const byField = (constants: ImportSettings['constants']): Constants =>
  Object.fromEntries((constants ?? []).map(({ field, value }) => [field, value]))

/** A look at the chosen file, and what somebody says of its columns; both are of one file, one type and one list. */
export function useInspection(tenantId: number) {
  const [choices, setChoices] = useState<Choices>({})
  const [units, setUnits] = useState<Units>({})
  const [constants, setConstants] = useState<Constants>({})
  const looking = useRef<AbortController | null>(null)
  const look = useMutation<ImportInspection, unknown, Asked>({
    mutationFn({ file, ...asked }) {
      looking.current?.abort()
      looking.current = new AbortController()
      return inspections.inspect(file, asked, tenantId, { onProgress: () => {}, signal: looking.current.signal })
    },
  })
  const profile = look.data?.profile ?? null
  const start = (asked: Asked | null) => {
    setChoices({})
    setUnits({})
    if (asked) look.mutate(asked)
    else look.reset()
  }
  return {
    found: look.data,
    error: look.error,
    pending: look.isPending,
    choices,
    choose: (at: number, field: string | null) => setChoices((before) => ({ ...before, [at]: field })),
    units,
    chooseUnit: (at: number, unit: string) => setUnits((before) => ({ ...before, [at]: unit })),
    /** The constants of the profile, and what was said since. */
    constants: { ...byField(profile?.settings.constants), ...constants },
    setConstant: (field: string, value: string) => setConstants((before) => ({ ...before, [field]: value })),
    /** Takes over constants of an earlier import. */
    takeConstants: (offered: NonNullable<ImportSettings['constants']>) => setConstants((before) => ({ ...byField(offered), ...before })),
    /** The reading of the file that was inspected last. */
    reading: look.variables?.reading ?? (profile ? withoutConstants(profile.settings) : {}),
    /** Reads the same file otherwise; its columns may be others then. */
    read(reading: ImportSettings) {
      if (look.variables) start({ ...look.variables, reading })
    },
    /** Without a file there is nothing to look at. */
    of(file: File | null, type: ImportType, list: number | null, profile: number | null) {
      if (profile !== (look.variables?.profile ?? null)) setConstants({})
      start(file && { file, type, list, profile, reading: null })
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
