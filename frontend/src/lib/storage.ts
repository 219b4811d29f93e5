/** Local storage that survives being blocked, full or filled with something else. */
const memory = new Map<string, string>()

export function readText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return memory.get(key) ?? null
  }
}

export function writeText(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    if (value === null) memory.delete(key)
    else memory.set(key, value)
  }
}

export function readJson<T extends object>(key: string, fallback: T): T {
  const text = readText(key)
  if (!text) return fallback
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...fallback, ...value } : fallback
  } catch {
    return fallback
  }
}

export function writeJson(key: string, value: object): void {
  writeText(key, JSON.stringify(value))
}
