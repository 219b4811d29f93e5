import { useTranslation } from 'react-i18next'
import type { PriceList } from '~/api/schema'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { Impact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { useConfirm } from '~/kit/ui/confirm'
import { notify } from '~/kit/ui/snackbar'
import { priceLists } from './api'

/** Asks for confirmation before a list is archived, showing the consequences and the impact on prices. */
export function useArchive() {
  const { t } = useTranslation('priceLists')
  const confirm = useConfirm()
  const seesImpact = useMaySeeImpact('price_list')
  return async (row: PriceList) => {
    const isArchived = await confirm({
      title: t('archive.title', { name: row.name }),
      body: t(row.status === 'pending' ? 'archive.pending' : 'archive.active'),
      ...(seesImpact && row.own && { detail: <Impact request={impactOf.list(row.id, { archive: true })} />, wide: true }),
      action: t('actions.archive'),
      failed: t('archive.failed', { name: row.name }),
      run: () => priceLists.archive(row.id, row.version),
    })
    if (isArchived) notify.success(t('archive.done', { name: row.name }))
  }
}
