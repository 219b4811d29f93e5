import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isApiError } from '~/api/errors'
import type { ImportInspection, ImportSettings, ImportType, PriceFormat } from '~/api/schema'
import { type InspectedAs, inspections } from './inspection-api'
import type { Choices } from './mapping'
import type { Units } from './measure'
import type { Constants } from './settings'

interface InspectionRequest extends InspectedAs {
  file: File
}

const withoutConstants = ({ constants: _, ...reading }: ImportSettings): ImportSettings => reading

/** True if files of this type can be price files of another format. */
export const holdsPrices = (type: ImportType) => type === 'Listing' || type === 'Price' || type === 'PriceList'

/** Returns a format in which a rejected file can be read after all, by the code of the error. */
export function readableFormat(error: unknown, type: ImportType): PriceFormat | null {
  if (!isApiError(error) || !holdsPrices(type)) return null
  if (error.codes.file?.includes('file_datanorm')) return 'datanorm'
  return error.codes.file?.includes('file_xml') ? 'bmecat' : null
}

/** Returns the entries of these columns. */
const pick = <V>(byColumn: Readonly<Record<number, V>>, isPicked: (at: number) => boolean): Record<number, V> =>
  Object.fromEntries(Object.entries(byColumn).filter(([at]) => isPicked(Number(at))))

/** Constants by field. */
const byField = (constants: ImportSettings['constants']): Constants =>
  Object.fromEntries((constants ?? []).map(({ field, value }) => [field, value]))

/**
 * Inspection of the chosen file and the user's choices for its columns; both belong to one file, one type
 * and one list.
 */
export function useInspection(tenantId: number) {
  const [choices, setChoices] = useState<Choices>({})
  const [units, setUnits] = useState<Units>({})
  const [constants, setConstants] = useState<Constants>({})
  const abortRef = useRef<AbortController | null>(null)
  const mutation = useMutation<ImportInspection, unknown, InspectionRequest>({
    mutationFn({ file, ...request }) {
      abortRef.current?.abort()
      abortRef.current = new AbortController()
      return inspections.inspect(file, request, tenantId, { onProgress: () => {}, signal: abortRef.current.signal })
    },
  })
  /** Result of the same file with the settings before. */
  const [previousResult, setPreviousResult] = useState<ImportInspection>()
  const result = mutation.data ?? (mutation.isIdle ? undefined : previousResult)
  const profile = result?.profile ?? null
  const start = (request: InspectionRequest | null) => {
    setPreviousResult(undefined)
    setChoices({})
    setUnits({})
    if (request) mutation.mutate(request)
    else mutation.reset()
  }
  return {
    /** Result for the current settings, or the one before until the file has been read with them. */
    result,
    /** Result for the current settings; absent while the file is read with them, and if that has failed. */
    current: mutation.data,
    error: mutation.error,
    pending: mutation.isPending,
    choices,
    choose: (at: number, field: string | null) => setChoices((before) => ({ ...before, [at]: field })),
    units,
    chooseUnit: (at: number, unit: string) => setUnits((before) => ({ ...before, [at]: unit })),
    /** Constants of the profile, overridden by those entered since. */
    constants: { ...byField(profile?.settings.constants), ...constants },
    setConstant: (field: string, value: string) => setConstants((before) => ({ ...before, [field]: value })),
    /** Adds constants of an earlier import; those already entered take precedence. */
    takeConstants: (presets: NonNullable<ImportSettings['constants']>) => setConstants((before) => ({ ...byField(presets), ...before })),
    /** Reading settings of the last inspection. */
    reading: mutation.variables?.reading ?? (profile ? withoutConstants(profile.settings) : {}),
    /** Reads the same file with other settings, and keeps the choices for columns that stay in place. */
    read(reading: ImportSettings) {
      if (!mutation.variables || !result) return
      setPreviousResult(result)
      mutation.mutate(
        { ...mutation.variables, reading },
        {
          onSuccess({ columns }) {
            const isSame = (at: number) => columns[at]?.name === result.columns[at]?.name
            setChoices((before) => pick(before, isSame))
            setUnits((before) => pick(before, isSame))
          },
        },
      )
    },
    /** Format of a price file that is not a table. */
    format: mutation.variables?.format ?? null,
    /** Inspects the same file as a price file of the given format. */
    readAs(format: PriceFormat) {
      if (mutation.variables) start({ ...mutation.variables, format, reading: null })
    },
    /** Starts the inspection of a file; without a file it resets. */
    inspectFile(file: File | null, type: ImportType, list: number | null, profile: number | null) {
      if (profile !== (mutation.variables?.profile ?? null)) setConstants({})
      const format = mutation.variables?.file === file && holdsPrices(type) ? mutation.variables.format : null
      start(file && { file, type, list, profile, format, reading: null })
    },
  }
}

/**
 * Checks that the file can still be read: a browser does not send a file that has changed since it was
 * chosen.
 */
export const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
