import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Copy, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { TextField } from '~/kit/form/fields'
import { FormDialog } from '~/kit/form/form-dialog'
import { BusyButton } from '~/kit/ui/busy-button'
import { Card } from '~/kit/ui/card'
import { useConfirm } from '~/kit/ui/confirm'
import { CopyText } from '~/kit/ui/copy-text'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { RowMenu } from '~/kit/ui/row-menu'
import { notify } from '~/kit/ui/snackbar'

const TONES = ['success', 'info', 'warning', 'error'] as const

/** Buttons, menus, snackbars, confirmations and dialogs. */
export function Actions() {
  const { t } = useTranslation(['gallery', 'common'])
  const confirm = useConfirm()
  const [openDialog, setOpenDialog] = useState<'frame' | 'form' | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => {
    if (!isBusy) return
    const timer = setTimeout(() => setIsBusy(false), 2_000)
    return () => clearTimeout(timer)
  }, [isBusy])
  const close = () => setOpenDialog(null)
  const openConfirmation = (retype?: string) =>
    void confirm({
      title: t('confirm.title'),
      body: t('confirm.body'),
      action: t('common:actions.delete'),
      ...(retype && { retype }),
    })
  return (
    <Card title={t('sections.actions')}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, my: 2 }}>
        {TONES.map((tone) => (
          <Button key={tone} variant="outlined" onClick={() => notify[tone](t(`tones.${tone}`))}>
            {t(`tones.${tone}`)}
          </Button>
        ))}
        <Button variant="outlined" onClick={() => notify.undoable(t('undoable'), () => notify.info(t('undone')))}>
          {t('undoable')}
        </Button>
        <Button variant="outlined" onClick={() => openConfirmation()}>
          {t('confirm.open')}
        </Button>
        <Button variant="outlined" onClick={() => openConfirmation('42')}>
          {t('confirm.retype')}
        </Button>
        <Button variant="outlined" onClick={() => setOpenDialog('frame')}>
          {t('dialog.open')}
        </Button>
        <Button variant="outlined" onClick={() => setOpenDialog('form')}>
          {t('dialog.form')}
        </Button>
        <BusyButton variant="contained" busy={isBusy} onClick={() => setIsBusy(true)}>
          {t('busy')}
        </BusyButton>
        <RowMenu
          name="HEB 200"
          actions={[
            { label: t('copy.action'), icon: Copy, onClick: () => notify.success(t('copy.done')) },
            { label: t('common:actions.delete'), icon: Trash2, onClick: () => {}, danger: true, blocked: t('menu.blocked') },
          ]}
        />
      </Box>
      <CopyText label={t('copy.label')} text="HEB-200-S235JR-12" action={t('copy.action')} done={t('copy.done')} />
      {openDialog === 'frame' && (
        <DialogFrame
          title={t('dialog.open')}
          description={t('dialog.about')}
          onClose={close}
          actions={
            <Button color="inherit" onClick={close}>
              {t('common:actions.close')}
            </Button>
          }
        />
      )}
      {openDialog === 'form' && <NameDialog onClose={close} />}
    </Card>
  )
}

function NameDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('gallery')
  const { control, handleSubmit } = useForm({ defaultValues: { name: '' } })
  return (
    <FormDialog
      ns="gallery"
      title={t('dialog.form')}
      description={t('dialog.about')}
      pending={false}
      error={null}
      onSubmit={() => void handleSubmit(onClose)()}
      onClose={onClose}
    >
      <TextField control={control} name="name" required autoFocus />
    </FormDialog>
  )
}
