import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isApiError } from '~/api/errors'
import type { ImportInspection, ImportSettings, ImportType, PriceFormat } from '~/api/schema'
import { type InspectedAs, inspections } from './inspection-api'
import type { Choices } from './mapping'
import type { Units } from './measure'
import type { Constants } from './settings'

interface Asked extends InspectedAs {
  file: File
}

const withoutConstants = ({ constants: _, ...reading }: ImportSettings): ImportSettings => reading

/** True if files of this type can be price files of another format. */
export const holdsPrices = (type: ImportType) => type === 'Listing' || type === 'Price' || type === 'PriceList'

/** The format in which a refused file can be read all the same, by the code of its refusal. */
export function readableFormat(error: unknown, type: ImportType): PriceFormat | null {
  if (!isApiError(error) || !holdsPrices(type)) return null
  if (error.codes.file?.includes('file_datanorm')) return 'datanorm'
  return error.codes.file?.includes('file_xml') ? 'bmecat' : null
}

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
    /** The format of a price file that is no table. */
    format: look.variables?.format ?? null,
    /** Reads the same file as a price file of a format. */
    readAs(format: PriceFormat) {
      if (look.variables) start({ ...look.variables, format, reading: null })
    },
    /** Without a file there is nothing to look at. */
    of(file: File | null, type: ImportType, list: number | null, profile: number | null) {
      if (profile !== (look.variables?.profile ?? null)) setConstants({})
      const format = look.variables?.file === file && holdsPrices(type) ? look.variables.format : null
      start(file && { file, type, list, profile, format, reading: null })
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
