import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import type { PriceAdjustment } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { AppliesTo } from './applies-to'
import { ConditionsSummary } from './conditions/summary'

/** Maximum number of customers and groups that are listed by name. */
const NAMED = 3

/**
 * Items, customers and period of an adjustment, one line each; customers and conditions only if they
 * restrict it.
 */
export function Applicability({ of }: { of: PriceAdjustment }) {
  const { t } = useTranslation('conditions')
  const buyers = useBuyers(of)
  const limited = buyers !== null || of.apply_to.kind === 'item'
  const line = { display: 'block', overflowWrap: 'anywhere', textWrap: 'pretty' }
  return (
    <>
      <Box component="span" sx={line}>
        <AppliesTo of={of.apply_to} />
        {!limited && of.conditions === null && `, ${t('summary.alwaysAfter')}`}
      </Box>
      {buyers !== null && (
        <Box component="span" sx={line}>
          {buyers}
        </Box>
      )}
      {of.conditions !== null && (
        <Box component="span" sx={line}>
          <ConditionsSummary of={of.conditions} />
        </Box>
      )}
    </>
  )
}

/** Customers that an adjustment applies to; null for all customers. */
function useBuyers({ tenants, tenant_groups, excluded_tenants }: PriceAdjustment): string | null {
  const { t } = useTranslation(['priceAdjustments', 'conditions'])
  const { list } = useFormat()
  const named = (names: readonly string[]) => {
    const more = names.length - NAMED
    return more > 0 ? `${names.slice(0, NAMED).join(', ')} ${t('conditions:summary.more', { count: more })}` : list(names)
  }
  const groups = tenant_groups.map(({ name }) => t('applies.group', { name }))
  const buyers = named([...tenants.map(({ company }) => company), ...groups])
  const excluded = named(excluded_tenants.map(({ company }) => company))
  if (buyers === '') return excluded === '' ? null : t('applies.allBut', { excluded })
  return excluded === '' ? t('applies.for', { buyers }) : t('applies.forBut', { buyers, excluded })
}
