import type { ImportProfile, ImportProfileInput } from '~/api/schema'

/** The largest file of profiles; the server takes no more in one call. */
export const FILE_MAX_MB = 1

/** A file of profiles: their contents without ids and times, as the server takes them. */
export const writeProfiles = (profiles: readonly ImportProfile[]): string =>
  JSON.stringify({ profiles: profiles.map(({ name, type, settings, mapping }) => ({ name, type, settings, mapping })) }, null, 2)

export type FileFault = 'tooLarge' | 'notJson' | 'notProfiles'

/** The profiles of a file, or the reason why it has none. Their contents are checked by the server, which names each fault. */
export async function readProfiles(file: File): Promise<ImportProfileInput[] | FileFault> {
  if (file.size > FILE_MAX_MB * 1024 ** 2) return 'tooLarge'
  let parsed: unknown
  try {
    parsed = JSON.parse(await file.text())
  } catch {
    return 'notJson'
  }
  const profiles = typeof parsed === 'object' && parsed !== null && 'profiles' in parsed ? parsed.profiles : null
  const isOne = (entry: unknown) => typeof entry === 'object' && entry !== null && !Array.isArray(entry)
  if (!Array.isArray(profiles) || profiles.length === 0 || !profiles.every(isOne)) return 'notProfiles'
  return profiles as ImportProfileInput[]
}

export interface ProfileFault {
  /** The place of the profile in its file, from 1. */
  number: number
  name: string
  /** The part of the profile: `mapping`. */
  part: string
  /** The entry of a list, from 1. */
  entry: number | null
  messages: string[]
}

/** Faults that the server names at `profiles.<index>.<field>`, in the order of the file. */
export function profileFaults(errors: Readonly<Record<string, string[]>>, profiles: readonly ImportProfileInput[]): ProfileFault[] {
  const faults = Object.entries(errors).flatMap(([path, messages]): ProfileFault[] => {
    const found = /^profiles\.(\d+)\.([a-z_]+)(?:\.([a-z_]+\.)?(\d+))?/.exec(path)
    if (!found) return []
    const at = Number(found[1])
    const name = profiles[at]?.name
    const isConstant = found[3] === 'constants.'
    return [
      {
        number: at + 1,
        name: typeof name === 'string' ? name : '',
        part: isConstant ? 'constants' : (found[2] ?? ''),
        entry: found[4] === undefined ? null : Number(found[4]) + 1,
        messages,
      },
    ]
  })
  return faults.sort((a, b) => a.number - b.number)
}
