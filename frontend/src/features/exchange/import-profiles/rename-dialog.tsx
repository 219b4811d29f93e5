import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ImportProfile } from '~/api/schema'
import { TextField } from '~/kit/form/fields'
import { FormDialog } from '~/kit/form/form-dialog'
import { text, z } from '~/kit/form/schema'
import { useSave } from '~/kit/form/use-save'
import { useServerErrors } from '~/kit/form/use-server-errors'
import { importProfiles } from './api'

const schema = z.object({ name: text() })
type Body = z.output<typeof schema>

interface Props {
  profile: ImportProfile
  onRenamed: (profile: ImportProfile) => void
  onClose: () => void
}

/** Renames a profile without changing its settings. */
export default function RenameDialog({ profile, onRenamed, onClose }: Props) {
  const { t } = useTranslation('importProfiles')
  const form = useForm<Body, unknown, Body>({ resolver: zodResolver(schema as never) as never, defaultValues: { name: profile.name } })
  const save = useSave({
    save: ({ name }: Body) => importProfiles.rename(profile.id, { name, version: profile.version }),
    message: ({ name }) => t('wizard.renamed', { name }),
    undoable: true,
    done(renamed) {
      onRenamed(renamed)
      onClose()
    },
  })
  return (
    <FormDialog
      ns="importProfiles"
      title={t('wizard.renameTitle', { name: profile.name })}
      maxWidth="xs"
      pending={save.pending}
      error={useServerErrors(form, save.error)}
      onSubmit={() => void form.handleSubmit((body) => save.submit(body), save.reset)()}
      onClose={onClose}
    >
      <TextField control={form.control} name="name" required max={255} autoFocus />
    </FormDialog>
  )
}
