type Query = Record<string, unknown>

/**
 * Serialises parameters in OpenAPI's style `form`: the properties of an object beside the others, several
 * values one after the other.
 */
export function queryString(query: Query): string {
  return Object.entries(query)
    .flatMap(([name, value]) => (name === 'filter' && value ? Object.entries(value) : [[name, value]]))
    .flatMap(([name, value]) => [value].flat().map((item) => [name, item]))
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
}
