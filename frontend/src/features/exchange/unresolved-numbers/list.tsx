import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { BellOff, BellRing, ListChecks, RotateCw } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UnresolvedNumber } from '~/api/schema'
import { importing } from '~/features/exchange/imports/resource'
import { matching } from '~/features/exchange/matchings/resource'
import { RecordLink } from '~/features/shared/record-link'
import { ResourceList } from '~/kit/records/resource-list'
import { useAllowedOperations } from '~/kit/records/resources'
import { columns } from '~/kit/table/columns'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { unresolvedNumbers } from './api'
import { unresolvedNumber } from './resource'
import { SuggestionCell } from './suggestion-cell'
import { useIgnore, useReplay } from './use-done'
import { useSuggestions } from './use-suggestions'

const AcceptDialog = lazyWithTexts(() => import('./accept-dialog'))

const col = columns<UnresolvedNumber>('unresolvedNumbers')
const COLUMNS = [
  col.text('number'),
  col.text('designation'),
  col.custom('suggestion', (row) => <SuggestionCell row={row} />, { sort: '', width: 300 }),
  col.enum('kind', { card: false }),
  col.number('times', { card: false }),
  col.number('waiting'),
  col.enum('state', { card: false }),
  { ...col.instant('last_seen', { card: false }), sort: 'updated_at' },
  col.custom(
    'import_id',
    (row) => row.import_id !== null && <RecordLink record={importing.record} id={row.import_id} name={String(row.import_id)} />,
    { card: false },
  ),
]

export default function UnresolvedNumberList() {
  const { t } = useTranslation('unresolvedNumbers')
  const may = useAllowedOperations(unresolvedNumber)
  const mayMatch = useAllowedOperations(matching).create
  const mayImport = useAllowedOperations(importing).create
  const [accepting, setAccepting] = useState(false)
  const suggestionCount = useSuggestions().size
  const ignore = useIgnore()
  const { busy, replay } = useReplay()
  return (
    <>
      <ResourceList<UnresolvedNumber>
        resource={unresolvedNumber}
        api={unresolvedNumbers}
        columns={COLUMNS}
        creatable={false}
        rowHref={(row) => `${unresolvedNumber.path}/${row.id}`}
        actions={
          <>
            {mayImport && (
              <Button variant="outlined" startIcon={<RotateCw size={18} />} disabled={busy} onClick={() => void replay()}>
                <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
                  {t('replay.action')}
                </Box>
              </Button>
            )}
            {mayMatch && suggestionCount > 0 && (
              <Button variant="contained" startIcon={<ListChecks size={18} />} onClick={() => setAccepting(true)}>
                {t('accept.all')}
              </Button>
            )}
          </>
        }
        {...(may.update && {
          rowActions: (row) => [
            row.state === 'open'
              ? { label: t('ignore.action'), icon: BellOff, onClick: () => void ignore(row, true) }
              : { label: t('reopen.action'), icon: BellRing, onClick: () => void ignore(row, false) },
          ],
        })}
      />
      {accepting && (
        <Suspense fallback={null}>
          <AcceptDialog onClose={() => setAccepting(false)} />
        </Suspense>
      )}
    </>
  )
}
