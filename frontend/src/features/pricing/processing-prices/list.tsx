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
function AllTypes() {
  const { t } = useTranslation('processingPrices')
  return t('every')
}

const col = columns<ProcessingPrice>('processingPrices')
const COLUMNS = [
  col.custom('processing_id', processingPrice.title, { sort: 'processing' }),
  col.custom('article_type_id', (row) => row.article_type?.name ?? <AllTypes />, { sort: 'article_type' }),
  { ...col.custom('price', (row) => <Price money={row.price} />, { align: 'right', noWrap: true }), sort: null },
  col.instant('updated_at', { card: false }),
]

export default function ProcessingPriceList() {
  const seesImpact = useMaySeeImpact('listing')
  return (
    <ResourceList
      resource={processingPrice}
      api={processingPrices}
      columns={COLUMNS}
      rowName={processingPrice.title}
      {...(seesImpact && { deletes: ({ id }: ProcessingPrice) => <Impact request={impactOf.processingPrice({ delete: { id } })} /> })}
    />
  )
}
