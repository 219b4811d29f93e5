import { zodResolver } from '@hookform/resolvers/zod'
import Alert from '@mui/material/Alert'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { ApiError, isApiError } from '~/api/errors'
import type { ImportProfileInput } from '~/api/schema'
import { CheckField } from '~/kit/form/fields'
import { FileField } from '~/kit/form/file-field'
import { FormDialog } from '~/kit/form/form-dialog'
import { z } from '~/kit/form/schema'
import { useSave } from '~/kit/form/use-save'
import { notify } from '~/kit/ui/snackbar'
import { importProfiles } from './api'
import { FILE_MAX_MB, type ProfileFault, profileFaults, readProfiles } from './transfer'

const schema = z.object({
  file: z.pipe(
    z.nullable(z.instanceof(File)).check(z.refine((file) => file !== null, 'required')),
    z.transform((file) => file as File),
  ),
  replace: z.boolean(),
})
type Body = z.output<typeof schema>

/** Saves the profiles of a file. */
export default function TransferDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('importProfiles')
  const [sent, setSent] = useState<ImportProfileInput[]>([])
  const form = useForm<{ file: File | null; replace: boolean }, unknown, Body>({
    resolver: zodResolver(schema as never) as never,
    defaultValues: { file: null, replace: false },
  })
  const save = useSave({
    async save({ file, replace }: Body) {
      const read = await readProfiles(file)
      if (typeof read === 'string') throw new ApiError({ message: t(`transfer.${read}`, { max: FILE_MAX_MB }), fields: {} })
      setSent(read)
      return importProfiles.saveAll({ profiles: read, replace })
    },
    done({ created, replaced }) {
      notify.success(t('transfer.saved', { created, replaced }))
      onClose()
    },
  })
  const faults = isApiError(save.error) ? profileFaults(save.error.fields, sent) : []
  return (
    <FormDialog
      ns="importProfiles"
      title={t('transfer.title')}
      description={t('transfer.body')}
      maxWidth="sm"
      pending={save.pending}
      error={faults.length > 0 ? null : save.error}
      action={t('transfer.submit')}
      onSubmit={() => void form.handleSubmit((body) => save.submit(body), save.reset)()}
      onClose={onClose}
    >
      {faults.length > 0 && (
        <Alert severity="error" role="alert" sx={{ maxHeight: 240, overflowY: 'auto' }}>
          {faults.map((fault) => (
            <Fault key={`${fault.number} ${fault.part} ${fault.entry}`} fault={fault} />
          ))}
        </Alert>
      )}
      <FileField control={form.control} name="file" required accept=".json" onPick={save.reset} />
      <CheckField control={form.control} name="replace" />
    </FormDialog>
  )
}

function Fault({ fault: { number, name, part, entry, messages } }: { fault: ProfileFault }) {
  const { t, i18n } = useTranslation('importProfiles')
  const label = i18n.exists(`importProfiles:fields.${part}`) ? t(`fields.${part as 'name'}`) : part
  const place = entry === null ? label : t('transfer.entry', { part: label, entry })
  return <div>{t('transfer.place', { number, name, place, message: messages.join(' ') })}</div>
}
