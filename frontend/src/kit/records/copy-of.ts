/** Query parameter of the create form: id of the record to copy. */
export const COPY_OF = 'from'

/** Address of the form that copies a record, relative to the list. */
export function copyTo(id: number, search: string) {
  const params = new URLSearchParams(search)
  params.set(COPY_OF, String(id))
  return { pathname: 'new', search: String(params) }
}
