import { useTranslation } from 'react-i18next'
import type { PriceList } from '~/api/schema'
import { Notice } from '~/kit/ui/notice'

/** Why nobody here changes a list; null where somebody may. */
export function lockOf({
  own,
  status,
  writable,
}: Pick<PriceList, 'own' | 'status' | 'writable'>): 'foreign' | 'expired' | 'ofGroup' | null {
  // what to do about an expired one is told to those who can do it
  if (!own) return 'foreign'
  if (status === 'inactive') return 'expired'
  return writable ? null : 'ofGroup'
}

export function LockedNotice({ row }: { row: PriceList }) {
  const { t } = useTranslation('priceLists')
  const lock = lockOf(row)
  return lock && <Notice tone="info">{t(`locked.${lock}`)}</Notice>
}
