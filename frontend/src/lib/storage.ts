/** Wrapper of a browser storage that tolerates a blocked or full storage, and foreign content. */
function texts(area: () => Storage) {
  const memory = new Map<string, string>()
  return {
    read(key: string): string | null {
      try {
        return area().getItem(key)
      } catch {
        return memory.get(key) ?? null
      }
    },
    write(key: string, value: string | null): void {
      try {
        if (value === null) area().removeItem(key)
        else area().setItem(key, value)
      } catch {
        if (value === null) memory.delete(key)
        else memory.set(key, value)
      }
    },
  }
}

export const { read: readText, write: writeText } = texts(() => localStorage)
const tab = texts(() => sessionStorage)

function parse<T extends object>(text: string | null, fallback: T): T {
  if (!text) return fallback
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...fallback, ...value } : fallback
  } catch {
    return fallback
  }
}

export const readJson = <T extends object>(key: string, fallback: T): T => parse(readText(key), fallback)

export function writeJson(key: string, value: object): void {
  writeText(key, JSON.stringify(value))
}

/** Reads a value that lasts as long as the tab. */
export const readTab = <T extends object>(key: string, fallback: T): T => parse(tab.read(key), fallback)

export const writeTab = (key: string, value: object | null) => tab.write(key, value && JSON.stringify(value))
