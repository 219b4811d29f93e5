import { articleTypeRef } from '~/features/article-types/ref'
import { processingRef } from '~/features/processings/ref'
import { DecimalField } from '~/kit/form/fields'
import { RecordForm } from '~/kit/form/record-form'
import { RefField } from '~/kit/form/ref-field'
import { useRelease } from '~/kit/money/use-release'
import { processingPrices } from './api'
import { processingPrice } from './resource'
import { type ProcessingPriceBody, processingPriceSchema, toForm } from './schema'

export default function ProcessingPriceForm() {
  const released = useRelease()
  const api = {
    ...processingPrices,
    update: (id: number, body: ProcessingPriceBody & { version: number }) =>
      released((said) => processingPrices.update(id, { ...body, ...said })),
  }
  return (
    <RecordForm of={processingPrice} api={api} schema={processingPriceSchema} toForm={toForm}>
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
