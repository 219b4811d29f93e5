import { articleTypeRef } from '~/features/article-types/ref'
import { processingRef } from '~/features/processings/ref'
import { DecimalField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/form/record-form'
import { RefField } from '~/kit/form/ref-field'
import { processingPrices } from './api'
import { processingPrice } from './resource'
import { processingPriceSchema, toForm } from './schema'

export default function ProcessingPriceForm() {
  return (
    <RecordForm of={processingPrice} api={processingPrices} schema={processingPriceSchema} toForm={toForm}>
      {({ control }) => (
        <>
          <RefField control={control} name="processing_id" source={processingRef} required />
          <RefField control={control} name="article_type_id" source={articleTypeRef} />
          <DecimalField control={control} name="price.price" required unit="€" />
          <DecimalField control={control} name="price.price_quantity" required />
        </>
      )}
    </RecordForm>
  )
}
