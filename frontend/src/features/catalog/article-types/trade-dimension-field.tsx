import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { tradeDimensionRef } from '~/features/catalog/trade-dimensions/ref'
import { RefField } from '~/kit/form/ref-field'
import type { ArticleTypeBody } from './schema'
import { type ArticleTypeForm, measuresLength } from './schema'
import { useRecheck } from './use-recheck'

/** Field for the commercial lengths of articles; enabled only if an attribute measures the length. */
export function TradeDimensionField({ form }: { form: UseFormReturn<ArticleTypeForm, unknown, ArticleTypeBody> }) {
  const { control } = form
  const { t } = useTranslation('articleTypes')
  const [attributes, value] = useWatch({ control, name: ['attributes', 'trade_dimension_id'] })
  const hasLength = measuresLength(attributes)
  useRecheck(form, 'trade_dimension_id', String(hasLength))
  return (
    <RefField
      control={control}
      name="trade_dimension_id"
      source={tradeDimensionRef}
      // an existing value can always be removed
      disabled={!hasLength && value === null}
      help={t(hasLength ? 'tradeDimension.help' : 'tradeDimension.noLength')}
    />
  )
}
