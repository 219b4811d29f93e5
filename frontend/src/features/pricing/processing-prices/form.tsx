import { useTranslation } from 'react-i18next'
import type { ProcessingPrice } from '~/api/schema'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { processingRef } from '~/features/catalog/processings/ref'
import { useRelease } from '~/features/pricing/shared/use-release'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { useImpact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { DecimalField } from '~/kit/form/fields'
import { RefField } from '~/kit/form/ref-field'
import { RecordForm } from '~/kit/records/record-form'
import { processingPrices } from './api'
import { processingPrice } from './resource'
import { type ProcessingPriceBody, processingPriceSchema, toForm } from './schema'

export default function ProcessingPriceForm() {
  const { t } = useTranslation('processingPrices')
  const saveWithRelease = useRelease()
  const seesImpact = useMaySeeImpact('listing')
  const [confirmImpact, dialog] = useImpact()
  const confirm = (input: ProcessingPriceBody, row: ProcessingPrice | null) => {
    const change = row ? { update: { id: row.id, input } } : { create: input }
    const name = row ? processingPrice.title(row) : t('title.one')
    return confirmImpact({ changeKind: row ? 'update' : 'create', name, request: impactOf.processingPrice(change), skipsIfUnchanged: true })
  }
  const api = {
    ...processingPrices,
    update: (id: number, body: ProcessingPriceBody & { version: number }) =>
      saveWithRelease((flag) => processingPrices.update(id, { ...body, ...flag })),
  }
  return (
    <>
      <RecordForm resource={processingPrice} api={api} schema={processingPriceSchema} toForm={toForm} {...(seesImpact && { confirm })}>
        {({ control }) => (
          <>
            <RefField control={control} name="processing_id" source={processingRef} required />
            <RefField control={control} name="article_type_id" source={articleTypeRef} />
            <DecimalField control={control} name="price.price" required unit="€" />
            <DecimalField control={control} name="price.price_quantity" required />
          </>
        )}
      </RecordForm>
      {dialog}
    </>
  )
}
