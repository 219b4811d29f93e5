import { useMemo } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { QuantityField } from '~/features/shared/quantity/quantity-field'
import { useArticleUnits } from '~/features/shared/quantity/use-article-units'
import { stocks } from './api'
import type { StockBody, StockForm } from './schema'

/** Field for the quantity in any unit of the article; hidden unless availability is given by quantity. */
export function StockQuantity({ control }: { control: Control<StockForm, unknown, StockBody> }) {
  const [article, availability, unit] = useWatch({ control, name: ['article_id', 'availability_type', 'quantity_unit'] })
  const quantitiesQuery = useMemo(() => (article === null ? undefined : stocks.quantities(article)), [article])
  const units = useArticleUnits(quantitiesQuery, unit)
  if (availability !== 'quantity') return null
  return <QuantityField control={control} name="quantity" unit="quantity_unit" units={units} equivalentsQuery={quantitiesQuery} required />
}
