import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { AppliedImportProfile, ImportProfile, ImportProfileInput } from '~/api/schema'
import { TextField } from '~/kit/form/fields'
import { FormDialog } from '~/kit/form/form-dialog'
import { text, z } from '~/kit/form/schema'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { importProfiles } from './api'

const schema = z.object({ name: text() })
type Body = z.output<typeof schema>

interface Props {
  contents: Omit<ImportProfileInput, 'name' | 'version'>
  /** Profile that the file was read with; saving under its name updates it. */
  applied: Pick<AppliedImportProfile, 'id' | 'name' | 'version'> | null
  onSaved: (profile: ImportProfile) => void
  onClose: () => void
}

/** Saves the settings of a file under a name. */
export default function SaveProfileDialog({ contents, applied, onSaved, onClose }: Props) {
  const { t } = useTranslation('importProfiles')
  const form = useForm<Body, unknown, Body>({
    resolver: zodResolver(schema as never) as never,
    defaultValues: { name: applied?.name ?? '' },
  })
  const save = useSave({
    save: ({ name }: Body) =>
      applied && name === applied.name
        ? importProfiles.update(applied.id, { ...contents, name, version: applied.version })
        : importProfiles.create({ ...contents, name }),
    message: ({ name }) => t('wizard.saved', { name }),
    done(profile) {
      onSaved(profile)
      onClose()
    },
  })
  return (
    <FormDialog
      ns="importProfiles"
      title={t('wizard.saveTitle')}
      description={t('wizard.saveBody')}
      maxWidth="sm"
      pending={save.pending}
      error={useServerErrors(form, save.error)}
      onSubmit={() => void form.handleSubmit((body) => save.submit(body), save.reset)()}
      onClose={onClose}
    >
      <TextField control={form.control} name="name" required max={255} autoFocus />
    </FormDialog>
  )
}
