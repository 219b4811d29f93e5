import { useTranslation } from 'react-i18next'
import type { Money, ProcessingPrice } from '~/api/schema'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { Impact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { processingPrices } from './api'
import { processingPrice } from './resource'

const Price = ({ money }: { money: Money }) => useMoneyText()(money)

/** Text of a price without an article type: it applies to all types. */
function Every() {
  const { t } = useTranslation('processingPrices')
  return t('every')
}

const col = columns<ProcessingPrice>('processingPrices')
const COLUMNS = [
  col.custom('processing_id', processingPrice.title, { sort: 'processing' }),
  col.custom('article_type_id', (row) => row.article_type?.name ?? <Every />, { sort: 'article_type' }),
  { ...col.custom('price', (row) => <Price money={row.price} />, { align: 'right', whole: true }), sort: null },
  col.instant('updated_at', { card: false }),
]

export default function ProcessingPriceList() {
  const sees = useMaySeeImpact('listing')
  return (
    <ResourceList
      of={processingPrice}
      api={processingPrices}
      columns={COLUMNS}
      rowName={processingPrice.title}
      {...(sees && { deletes: ({ id }: ProcessingPrice) => <Impact ask={impactOf.processingPrice({ delete: { id } })} /> })}
    />
  )
}
