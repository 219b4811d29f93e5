import Chip from '@mui/material/Chip'
import Tooltip from '@mui/material/Tooltip'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SurchargeTable } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { monthText } from '~/lib/months'

const MAX_NAMES = 8

/** Number of values that are missing for this month and the next, with the first of their rows. */
export function MissingChip({ row: { missing } }: { row: Pick<SurchargeTable, 'missing'> }) {
  const { t } = useTranslation('surchargeTables')
  const { lang } = useFormat()
  if (missing.length === 0) return null
  const names = missing.slice(0, MAX_NAMES).map(({ key, month }) => `${key.name}, ${monthText(month, lang)}`)
  const more = missing.length - names.length
  return (
    <Tooltip title={[...names, ...(more > 0 ? [t('more', { count: more })] : [])].join('; ')}>
      <Chip
        size="small"
        color="warning"
        variant="outlined"
        icon={<TriangleAlert size={14} aria-hidden />}
        label={t('missing', { count: missing.length })}
        tabIndex={0}
      />
    </Tooltip>
  )
}
