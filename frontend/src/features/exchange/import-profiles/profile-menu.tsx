import { PencilLine, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportProfile } from '~/api/schema'
import { useMay } from '~/kit/records/resources'
import { useConfirm } from '~/kit/ui/confirm'
import { later } from '~/kit/ui/later'
import { type RowAction, RowMenu } from '~/kit/ui/row-menu'
import { useOffer } from '~/kit/ui/use-undo'
import { importProfiles } from './api'
import { importProfile } from './resource'

const RenameDialog = later(() => import('./rename-dialog'))

interface Props {
  profile: ImportProfile
  onRenamed: (profile: ImportProfile) => void
  onDeleted: () => void
}

/** Renames or deletes the profile that is chosen in the wizard. */
export function ProfileMenu({ profile, onRenamed, onDeleted }: Props) {
  const { t } = useTranslation('importProfiles')
  const { t: common } = useTranslation()
  const may = useMay(importProfile)
  const confirm = useConfirm()
  const offer = useOffer()
  const [isRenaming, setRenaming] = useState(false)
  const { id, name } = profile

  async function remove() {
    let answer: unknown
    const done = await confirm({
      title: common('confirm.deleteTitle', { name }),
      body: common('confirm.deleteBody'),
      action: common('actions.delete'),
      failed: common('failed.delete', { name }),
      run: async () => {
        answer = await importProfiles.remove(id, name)
      },
    })
    if (!done) return
    onDeleted()
    offer(common('messages.deleted', { name }), answer)
  }

  const actions: RowAction[] = [
    ...(may.update ? [{ label: t('wizard.rename'), icon: PencilLine, onClick: () => setRenaming(true) }] : []),
    ...(may.remove ? [{ label: common('actions.delete'), icon: Trash2, danger: true, onClick: () => void remove() }] : []),
  ]
  return (
    <>
      <RowMenu name={name} actions={actions} />
      {isRenaming && (
        <Suspense fallback={null}>
          <RenameDialog profile={profile} onRenamed={onRenamed} onClose={() => setRenaming(false)} />
        </Suspense>
      )}
    </>
  )
}
