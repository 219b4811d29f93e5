import { useTranslation } from 'react-i18next'
import type { PriceList } from '~/api/schema'
import { Notice } from '~/kit/ui/notice'

/** Returns the reason why no user of this tenant can change a list; null if it can be changed. */
export function lockOf({
  own,
  status,
  writable,
}: Pick<PriceList, 'own' | 'status' | 'writable'>): 'foreign' | 'expired' | 'ofGroup' | null {
  // first, since only the owner is shown what to do about an expired list
  if (!own) return 'foreign'
  if (status === 'inactive') return 'expired'
  return writable ? null : 'ofGroup'
}

export function LockedNotice({ row }: { row: PriceList }) {
  const { t } = useTranslation('priceLists')
  const lock = lockOf(row)
  return lock && <Notice tone="info">{t(`locked.${lock}`)}</Notice>
}
