/** In the address of what makes a record: the id of the one that it begins with. */
export const COPY_OF = 'from'

/** Where a record is made from another one, seen from their list. */
export function copyTo(id: number, search: string) {
  const params = new URLSearchParams(search)
  params.set(COPY_OF, String(id))
  return { pathname: 'new', search: String(params) }
}
