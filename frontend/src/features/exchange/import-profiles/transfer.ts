import type { ImportProfile, ImportProfileInput } from '~/api/schema'

/** Maximum size of a file of profiles in MB; the server accepts no more in one call. */
export const FILE_MAX_MB = 1

/** Writes profiles to a file: their contents without ids and times, as the server accepts them. */
export const writeProfiles = (profiles: readonly ImportProfile[]): string =>
  JSON.stringify({ profiles: profiles.map(({ name, type, settings, mapping }) => ({ name, type, settings, mapping })) }, null, 2)

export type FileFault = 'tooLarge' | 'notJson' | 'notProfiles'

/**
 * Reads the profiles of a file, or returns the reason why it has none. The server checks their contents and
 * reports each fault.
 */
export async function readProfiles(file: File): Promise<ImportProfileInput[] | FileFault> {
  if (file.size > FILE_MAX_MB * 1024 ** 2) return 'tooLarge'
  let parsed: unknown
  try {
    parsed = JSON.parse(await file.text())
  } catch {
    return 'notJson'
  }
  const profiles = typeof parsed === 'object' && parsed !== null && 'profiles' in parsed ? parsed.profiles : null
  const isObject = (entry: unknown) => typeof entry === 'object' && entry !== null && !Array.isArray(entry)
  if (!Array.isArray(profiles) || profiles.length === 0 || !profiles.every(isObject)) return 'notProfiles'
  return profiles as ImportProfileInput[]
}

export interface ProfileFault {
  /** Position of the profile in the file, from 1. */
  number: number
  name: string
  /** Part of the profile: `mapping`. */
  part: string
  /** Position of the entry in a list, from 1. */
  entry: number | null
  messages: string[]
}

/** Faults that the server reports at `profiles.<index>.<field>`, in the order of the file. */
export function profileFaults(errors: Readonly<Record<string, string[]>>, profiles: readonly ImportProfileInput[]): ProfileFault[] {
  const faults = Object.entries(errors).flatMap(([path, messages]): ProfileFault[] => {
    const match = /^profiles\.(\d+)\.([a-z_]+)(?:\.([a-z_]+\.)?(\d+))?/.exec(path)
    if (!match) return []
    const at = Number(match[1])
    const name = profiles[at]?.name
    const isConstant = match[3] === 'constants.'
    return [
      {
        number: at + 1,
        name: typeof name === 'string' ? name : '',
        part: isConstant ? 'constants' : (match[2] ?? ''),
        entry: match[4] === undefined ? null : Number(match[4]) + 1,
        messages,
      },
    ]
  })
  return faults.sort((a, b) => a.number - b.number)
}
