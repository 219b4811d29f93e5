import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { availabilityTypeValues } from '~/api/schema'
import { articleRef } from '~/features/catalog/articles/ref'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import { useDelivers } from '~/features/shared/destination/use-destination'
import { DecimalField, EnumField } from '~/kit/form/fields'
import { RefField } from '~/kit/form/ref-field'
import { ShownField } from '~/kit/form/shown-field'
import { RecordForm } from '~/kit/records/record-form'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { stocks } from './api'
import { LeadTimeField } from './lead-time-field'
import { LiveQuantity } from './live-quantity'
import { StockQuantity } from './quantity'
import { stock } from './resource'
import { stockSchema, toCopy, toForm } from './schema'

const StockDelivery = lazyWithTexts(() => import('./delivery'), 'destination')

export default function StockForm() {
  const { t } = useTranslation('stocks')
  const delivers = useDelivers()
  return (
    <RecordForm resource={stock} api={stocks} schema={stockSchema} toForm={toForm} copy={toCopy}>
      {({ control, setValue, clearErrors }, row) => (
        <>
          {row ? (
            <ShownField
              label={t('fields.article_id')}
              value={`${row.article.article_number} · ${row.article.article_name}`}
              help={t('articleFixed')}
            />
          ) : (
            <RefField
              control={control}
              name="article_id"
              source={articleRef}
              required
              onPick={(_, article) => setValue('quantity_unit', article?.article_type.base_unit_of_measure ?? '')}
            />
          )}
          <RefField control={control} name="warehouse_id" source={warehouseRef} required />
          <EnumField
            control={control}
            name="availability_type"
            values={availabilityTypeValues}
            required
            // clears the quantity while it is hidden, so that it cannot be invalid
            onPick={(availability) => {
              if (availability === 'quantity') return
              setValue('quantity', '')
              clearErrors('quantity')
            }}
          />
          <StockQuantity control={control} />
          {row?.availability_type === 'external-api' && <LiveQuantity id={row.id} />}
          <LeadTimeField control={control} name="lead_time" />
          <DecimalField control={control} name="length" unit="mm" />
          <DecimalField control={control} name="width" unit="mm" />
          {row && delivers && (
            <Suspense fallback={null}>
              <StockDelivery row={row} />
            </Suspense>
          )}
        </>
      )}
    </RecordForm>
  )
}
