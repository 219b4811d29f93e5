import { PencilLine, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportProfile } from '~/api/schema'
import { useAllowedOperations } from '~/kit/records/resources'
import { useDelete } from '~/kit/records/use-delete'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { type RowAction, RowMenu } from '~/kit/ui/row-menu'
import { importProfiles } from './api'
import { importProfile } from './resource'

const RenameDialog = lazyWithTexts(() => import('./rename-dialog'))

interface Props {
  profile: ImportProfile
  onRenamed: (profile: ImportProfile) => void
  onDeleted: () => void
}

/** Renames or deletes the profile that is chosen in the wizard. */
export function ProfileMenu({ profile, onRenamed, onDeleted }: Props) {
  const { t } = useTranslation('importProfiles')
  const { t: common } = useTranslation()
  const may = useAllowedOperations(importProfile)
  const [isRenaming, setRenaming] = useState(false)
  const remove = useDelete<ImportProfile>({
    remove: ({ id, name }) => importProfiles.remove(id, name),
    name: importProfile.title,
    usage: importProfiles.usage,
    undoable: may.create,
    leave: onDeleted,
  })

  const actions: RowAction[] = [
    ...(may.update ? [{ label: t('wizard.rename'), icon: PencilLine, onClick: () => setRenaming(true) }] : []),
    ...(may.remove ? [{ label: common('actions.delete'), icon: Trash2, danger: true, onClick: () => void remove(profile) }] : []),
  ]
  return (
    <>
      <RowMenu name={profile.name} actions={actions} />
      {isRenaming && (
        <Suspense fallback={null}>
          <RenameDialog profile={profile} onRenamed={onRenamed} onClose={() => setRenaming(false)} />
        </Suspense>
      )}
    </>
  )
}
