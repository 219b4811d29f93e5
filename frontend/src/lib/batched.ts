const PAUSE = 20

/**
 * Batches requests for single values: keys requested within 20 ms are loaded in one call, up to `most` of
 * them.
 */
export function batched<K, V>(most: number, load: (keys: K[]) => Promise<ReadonlyMap<K, V>>): (key: K) => Promise<V | null> {
  let waiting: { keys: Set<K>; values: Promise<ReadonlyMap<K, V>> } | null = null
  return async (key) => {
    if (waiting === null || (waiting.keys.size >= most && !waiting.keys.has(key))) {
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
