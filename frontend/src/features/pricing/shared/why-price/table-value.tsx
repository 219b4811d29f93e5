import { useTranslation } from 'react-i18next'
import type { QuoteSurcharge } from '~/api/schema'
import { RecordLink } from '~/features/shared/record-link'
import { useFormat } from '~/i18n/use-format'
import { monthText } from '~/lib/months'

interface Props {
  surcharge: QuoteSurcharge
  /** True if the table has no value for the month. */
  missing?: boolean
}

/** Surcharge table and month that the value of an adjustment is taken from, or is missing in. */
export function TableValue({ surcharge: { table_id, table, month }, missing = false }: Props) {
  const { t } = useTranslation('whyPrice')
  const { lang } = useFormat()
  return (
    <>
      {t(missing ? 'leftOut.step.no_table_value' : 'step.fromTable', { month: monthText(month, lang) })}{' '}
      <RecordLink record="surcharge_table" id={table_id} name={table} />
    </>
  )
}
