/** Query parameter for the price list that a file is for; the page of a list links here with it. */
export const LIST_PARAM = 'priceList'

export function listOf(search: string): number | null {
  const id = new URLSearchParams(search).get(LIST_PARAM)
  return id && /^[1-9]\d{0,15}$/.test(id) ? Number(id) : null
}
