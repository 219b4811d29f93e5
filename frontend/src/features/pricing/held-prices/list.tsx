import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { Check, CircleX, WandSparkles } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { HeldPrice } from '~/api/schema'
import { importing } from '~/features/exchange/imports/resource'
import { stock } from '~/features/logistics/stocks/resource'
import { ResourceList } from '~/kit/records/resource-list'
import { useAllowedOperations } from '~/kit/records/resources'
import { columns } from '~/kit/table/columns'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { keepTenant } from '~/session/tenant'
import { heldPrices } from './api'
import { DecideButtons } from './decide-buttons'
import { OtherPrices, PriceLines } from './price-lines'
import { heldPrice } from './resource'
import { useDecide } from './use-decide'

const CorrectDialog = lazyWithTexts(() => import('./correct-dialog'))

/** Reasons in the server's words. */
const Reasons = ({ row }: { row: HeldPrice }) => (
  <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, minWidth: 200 }}>
    {row.reasons.map(({ field, message }) => (
      <li key={`${field} ${message}`}>{message}</li>
    ))}
  </Box>
)

function FromImport({ id, line }: { id: number; line: number | null }) {
  const { t } = useTranslation('heldPrices')
  const { search } = useLocation()
  return (
    <Link component={RouterLink} to={{ pathname: `${importing.path}/${id}`, search: keepTenant(search) }}>
      {line === null ? t('import', { id }) : t('importLine', { id, line })}
    </Link>
  )
}

const col = columns<HeldPrice>('heldPrices')
const CARD = { card: 'chosen' } as const
const LEADING_COLUMNS = [
  col.text('stock'),
  col.custom('by', (row) => row.by?.name ?? '', { noWrap: true }),
  col.custom(
    'change',
    (row) => (
      <>
        <PriceLines before={row.current} after={row.wanted} />
        <OtherPrices row={row} />
      </>
    ),
    CARD,
  ),
]
const TRAILING_COLUMNS = [
  col.custom('mended', (row) => row.mended && <PriceLines before={row.wanted} after={row.mended} afterOnly />),
  col.custom('reasons', (row) => <Reasons row={row} />, { card: 'chosen' }),
  { ...col.instant('since', { card: false }), sort: 'updated_at' },
  col.custom('import_id', (row) => row.import_id !== null && <FromImport id={row.import_id} line={row.line} />, {
    card: false,
    noWrap: true,
  }),
]

export default function HeldPriceList() {
  const { t } = useTranslation('heldPrices')
  const may = useAllowedOperations(heldPrice)
  const decide = useDecide()
  const [rowToCorrect, setRowToCorrect] = useState<HeldPrice | null>(null)
  const columns = useMemo(
    () =>
      may.update
        ? [
            ...LEADING_COLUMNS,
            { ...col.custom('decision', (row) => <DecideButtons row={row} onCorrect={setRowToCorrect} />, CARD), sort: null, width: 148 },
            ...TRAILING_COLUMNS,
          ]
        : [...LEADING_COLUMNS, ...TRAILING_COLUMNS],
    [may.update],
  )
  return (
    <>
      <ResourceList<HeldPrice>
        resource={heldPrice}
        api={heldPrices}
        columns={columns}
        creatable={false}
        rowHref={(row) => `${stock.path}/${row.stock_id}`}
        {...(may.update && {
          rowActions: (row) => [
            { label: t('decide.release.action'), icon: Check, onClick: () => void decide(row, 'release') },
            {
              label: t('decide.release_mended.action'),
              icon: WandSparkles,
              blocked: row.mended ? null : t('nothingMended'),
              onClick: () => void decide(row, 'release_mended'),
            },
            { label: t('decide.refuse.action'), icon: CircleX, danger: true, onClick: () => void decide(row, 'refuse') },
          ],
        })}
      />
      {rowToCorrect && (
        <Suspense fallback={null}>
          <CorrectDialog row={rowToCorrect} onClose={() => setRowToCorrect(null)} />
        </Suspense>
      )}
    </>
  )
}
