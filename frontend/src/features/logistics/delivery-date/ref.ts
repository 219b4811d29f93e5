import { type To, useLocation } from 'react-router'
import { useCan } from '~/session/me'
import { keepTenant } from '~/session/tenant'
import { type DateForm, readQuestion, writeQuestion } from './address'
import { deliveryDate } from './screen'

/**
 * Returns a function that links to the explanation of a delivery date; null for users who may not see it.
 */
export function useExplainedDate(): ((order: Partial<DateForm>) => To) | null {
  const may = useCan(...deliveryDate.permissions)
  const { search } = useLocation()
  if (!may) return null
  return (order) => ({
    pathname: deliveryDate.path,
    search: writeQuestion(keepTenant(search), { ...readQuestion(''), ...order }),
  })
}
