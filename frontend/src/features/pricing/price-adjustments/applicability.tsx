import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import type { PriceAdjustment } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { AppliesTo } from './applies-to'
import { ConditionsSummary } from './conditions/summary'

/** Maximum number of customers and groups that are listed by name. */
const MAX_NAMES = 3

/**
 * Items, customers and period of an adjustment, one line each; customers and conditions only if they
 * restrict it.
 */
export function Applicability({ adjustment }: { adjustment: PriceAdjustment }) {
  const { t } = useTranslation('conditions')
  const buyers = useBuyers(adjustment)
  const limited = buyers !== null || adjustment.apply_to.kind === 'item'
  const line = { display: 'block', overflowWrap: 'anywhere', textWrap: 'pretty' }
  return (
    <>
      <Box component="span" sx={line}>
        <AppliesTo applyTo={adjustment.apply_to} />
        {!limited && adjustment.conditions === null && `, ${t('summary.alwaysAfter')}`}
      </Box>
      {buyers !== null && (
        <Box component="span" sx={line}>
          {buyers}
        </Box>
      )}
      {adjustment.conditions !== null && (
        <Box component="span" sx={line}>
          <ConditionsSummary condition={adjustment.conditions} />
        </Box>
      )}
    </>
  )
}

/** Customers that an adjustment applies to; null for all customers. */
function useBuyers({ tenants, tenant_groups, excluded_tenants }: PriceAdjustment): string | null {
  const { t } = useTranslation(['priceAdjustments', 'conditions'])
  const { list } = useFormat()
  const listNames = (names: readonly string[]) => {
    const more = names.length - MAX_NAMES
    return more > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} ${t('conditions:summary.more', { count: more })}` : list(names)
  }
  const groups = tenant_groups.map(({ name }) => t('applies.group', { name }))
  const buyers = listNames([...tenants.map(({ company }) => company), ...groups])
  const excluded = listNames(excluded_tenants.map(({ company }) => company))
  if (buyers === '') return excluded === '' ? null : t('applies.allBut', { excluded })
  return excluded === '' ? t('applies.for', { buyers }) : t('applies.forBut', { buyers, excluded })
}
