import Chip from '@mui/material/Chip'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Departure } from '~/api/schema'
import { formatDepartures } from '~/features/shared/departure-text'
import { useFormat } from '~/i18n/use-format'
import { TwoLines } from '~/kit/table/columns'

/** Short text of a week's departures; a leg without any is marked. */
export function DepartureSummary({ departures }: { departures: readonly Departure[] }) {
  const { t } = useTranslation('shippingLegs')
  const { lang } = useFormat()
  if (departures.length > 0) return <TwoLines text={formatDepartures(departures, lang)} width={320} />
  return <Chip size="small" variant="outlined" color="warning" icon={<TriangleAlert size={14} />} label={t('departures.none')} />
}
