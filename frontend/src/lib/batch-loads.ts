const PAUSE = 20

/**
 * Batches requests for single values: keys requested within 20 ms are loaded in one call, up to
 * `maxKeys` of them.
 */
export function batchLoads<K, V>(maxKeys: number, load: (keys: K[]) => Promise<ReadonlyMap<K, V>>): (key: K) => Promise<V | null> {
  let waiting: { keys: Set<K>; values: Promise<ReadonlyMap<K, V>> } | null = null
  return async (key) => {
    if (waiting === null || (waiting.keys.size >= maxKeys && !waiting.keys.has(key))) {
      const keys = new Set<K>()
      const own = {
        keys,
        values: new Promise((resolve) => setTimeout(resolve, PAUSE)).then(() => {
          if (waiting === own) waiting = null
          return load([...keys])
        }),
      }
      waiting = own
    }
    waiting.keys.add(key)
    return (await waiting.values).get(key) ?? null
  }
}
