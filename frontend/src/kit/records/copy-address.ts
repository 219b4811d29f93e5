/** Query parameter of the create form: id of the record to copy. */
export const COPY_PARAM = 'from'

/** Address of the form that copies a record, relative to the list. */
export function copyAddress(id: number, search: string) {
  const params = new URLSearchParams(search)
  params.set(COPY_PARAM, String(id))
  return { pathname: 'new', search: String(params) }
}
