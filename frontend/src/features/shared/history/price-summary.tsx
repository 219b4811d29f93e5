import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { AuditEntry } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { linkToChangedPrices } from '~/kit/records/link'
import { useRights } from '~/session/me'
import { keepTenant } from '~/session/tenant'

/** Fields of a history entry that count the changed prices of a list. */
const COUNTS = ['prices_changed', 'prices_added', 'prices_removed', 'prices_held'] as const

/** Number of prices of a list that were changed together, with a link to the entries of each. */
export function PriceSummary({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('audit')
  const { decimal } = useFormat()
  const counts = COUNTS.flatMap((field) => {
    const count = Number(entry.changes.find((change) => change.field === field)?.to ?? 0)
    return count > 0 ? [t(`prices.${field}`, { count, number: decimal(count) })] : []
  })
  return (
    <Box>
      {counts.join(', ')} <Rows entry={entry} />
    </Box>
  )
}

function Rows({ entry: { channel, through, request_id } }: { entry: AuditEntry }) {
  const { t } = useTranslation('audit')
  const rights = useRights()
  const { search } = useLocation()
  const tenantSearch = keepTenant(search)
  const link = { component: RouterLink, sx: { whiteSpace: 'nowrap' } }
  if (channel === 'import' && through)
    return (
      rights.has('import.view') && (
        <Link {...link} to={{ pathname: `/imports/${through.id}`, search: tenantSearch }}>
          {t('prices.import')}
        </Link>
      )
    )
  if (request_id === null) return null
  return (
    <Link {...link} to={linkToChangedPrices(request_id, tenantSearch)}>
      {t('prices.rows')}
    </Link>
  )
}
