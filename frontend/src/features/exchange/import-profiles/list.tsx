import Button from '@mui/material/Button'
import { useMutation } from '@tanstack/react-query'
import { Download, Upload } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportProfile } from '~/api/schema'
import { useImportable } from '~/features/exchange/imports/may-import'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { BusyButton } from '~/kit/ui/busy-button'
import { FormErrors } from '~/kit/ui/form-errors'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { notify } from '~/kit/ui/snackbar'
import { saveBlob } from '~/lib/download'
import { importProfiles } from './api'
import { importProfile } from './resource'
import { writeProfiles } from './transfer'

const TransferDialog = lazyWithTexts(() => import('./transfer-dialog'))

const col = columns<ImportProfile>('importProfiles')
const COLUMNS = [
  col.text('name'),
  { ...col.enum('type'), sort: null },
  { ...col.custom('columns', (row) => row.mapping.length, { align: 'right' }), sort: null },
  { ...col.custom('constants', (row) => row.settings.constants?.length ?? 0, { align: 'right' }), sort: null },
  col.instant('updated_at', { card: false }),
]

export default function ImportProfileList() {
  const importable = useImportable()
  const may = ({ type }: ImportProfile) => importable.includes(type)
  return (
    <ResourceList
      resource={importProfile}
      api={importProfiles}
      columns={COLUMNS}
      creatable={importable.length > 0}
      writable={may}
      deletable={may}
      actions={<Transfer mayLoad={importable.length > 0} />}
    />
  )
}

/** Downloads profiles as a file and uploads them, here or in another installation. */
function Transfer({ mayLoad }: { mayLoad: boolean }) {
  const { t } = useTranslation('importProfiles')
  const [loading, setLoading] = useState(false)
  const save = useMutation({
    mutationFn: importProfiles.all,
    onSuccess({ data }) {
      if (data.length === 0) return notify.success(t('transfer.none'))
      saveBlob(new Blob([writeProfiles(data)], { type: 'application/json' }), `${t('transfer.file')}.json`)
    },
  })
  return (
    <>
      <FormErrors error={save.error} />
      <BusyButton variant="outlined" color="inherit" startIcon={<Download size={18} />} busy={save.isPending} onClick={() => save.mutate()}>
        {t('transfer.export')}
      </BusyButton>
      {mayLoad && (
        <Button variant="outlined" color="inherit" startIcon={<Upload size={18} />} onClick={() => setLoading(true)}>
          {t('transfer.import')}
        </Button>
      )}
      {loading && (
        <Suspense fallback={null}>
          <TransferDialog onClose={() => setLoading(false)} />
        </Suspense>
      )}
    </>
  )
}
