import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { BusyButton } from '~/kit/feedback/busy-button'
import { DialogFooter } from '~/kit/feedback/dialog-footer'
import { FormErrors } from '~/kit/feedback/form-errors'
import { Working } from '~/kit/feedback/working'
import type { EffectViewProps } from '~/kit/list/selection/bulk'
import { EffectBar } from './effect-bar'
import { EffectTable } from './effect-table'

/** What a change does to articles, before it is made. */
export default function EffectDialog({ name, effect, error, pending, skips = false, file, onConfirm, onBack }: EffectViewProps) {
  const { t } = useTranslation('effect')
  const format = useFormat()
  const saving = useMutation({ mutationFn: async () => file?.() })
  const id = useId()
  const phone = useMediaQuery(useTheme().breakpoints.down('sm'), { noSsr: true })
  const count = (number: number) => ({ count: number, articles: format.decimal(number) })
  const refused = Boolean(effect && effect.refused > 0 && (!skips || effect.changed === 0))
  const which = skips ? 'each.' : ''
  const listed = effect ? effect.refused + effect.changed : 0
  return (
    <Dialog
      open
      onClose={() => !pending && onBack()}
      fullWidth
      fullScreen={phone}
      maxWidth="md"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-body`}
      slotProps={{ paper: { sx: phone ? { borderRadius: 0 } : {} } }}
    >
      <DialogTitle id={`${id}-title`} sx={{ overflowWrap: 'anywhere' }}>
        {t(`${which}${refused ? 'refusedTitle' : 'title'}`, { name })}
      </DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <DialogContentText id={`${id}-body`}>{t(`${which}${refused ? 'refusedBody' : 'body'}`)}</DialogContentText>
        {error ? <FormErrors error={error} /> : !effect && <Working>{t('computing')}</Working>}
        {effect && (
          <>
            <EffectBar effect={effect} />
            <Box
              sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, typography: 'body2', color: 'text.secondary' }}
            >
              {listed > effect.changes.length && (
                <span>{t('first', { shown: format.decimal(effect.changes.length), total: format.decimal(listed) })}</span>
              )}
              {file && (
                <BusyButton size="small" startIcon={<Download size={16} />} busy={saving.isPending} onClick={() => saving.mutate()}>
                  {t('download')}
                </BusyButton>
              )}
            </Box>
            {saving.error && <FormErrors error={saving.error} />}
            {effect.changes.length > 0 && <EffectTable changes={effect.changes} />}
          </>
        )}
      </DialogContent>
      {effect && pending && (
        <Box sx={{ px: 3, pt: 2 }}>
          <Working>{t('changing', count(effect.changed))}</Working>
        </Box>
      )}
      <DialogFooter
        // on a phone the confirmation must not stand where "save" was tapped
        sx={{ gap: 1, flexDirection: { xs: 'column-reverse', sm: 'row' }, alignItems: 'stretch' }}
        disableSpacing
      >
        <Button color="inherit" onClick={onBack} disabled={pending} autoFocus>
          {t(`${which}back`)}
        </Button>
        {effect && !refused && (
          <Button variant="contained" onClick={onConfirm} loading={pending}>
            {t('confirm', count(effect.changed))}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  )
}
