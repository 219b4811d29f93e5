import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import type { EffectViewProps } from '~/kit/records/selection/bulk'
import { BusyButton } from '~/kit/ui/busy-button'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { FormErrors } from '~/kit/ui/form-errors'
import { Working } from '~/kit/ui/working'
import { EffectBar } from './effect-bar'
import { EffectTable } from './effect-table'

/** Dialog that shows how a change affects articles before it is saved. */
export default function EffectDialog({ name, effect, error, pending, skips = false, file, onConfirm, onBack }: EffectViewProps) {
  const { t } = useTranslation('effect')
  const format = useFormat()
  const saving = useMutation({ mutationFn: async () => file?.() })
  const count = (number: number) => ({ count: number, articles: format.decimal(number) })
  const refused = Boolean(effect && effect.refused > 0 && (!skips || effect.changed === 0))
  const textPrefix = skips ? 'each.' : ''
  const listed = effect ? effect.refused + effect.changed : 0
  return (
    <DialogFrame
      title={t(`${textPrefix}${refused ? 'refusedTitle' : 'title'}`, { name })}
      description={t(`${textPrefix}${refused ? 'refusedBody' : 'body'}`)}
      pending={pending}
      onClose={onBack}
      maxWidth="md"
      fullScreenOnPhone
      stacksActions
      progress={effect && pending && <Working>{t('changing', count(effect.changed))}</Working>}
      content={{ sx: { display: 'flex', flexDirection: 'column', gap: 2 } }}
      actions={
        <>
          <Button color="inherit" onClick={onBack} disabled={pending} autoFocus>
            {t(`${textPrefix}back`)}
          </Button>
          {effect && !refused && (
            <Button variant="contained" onClick={onConfirm} loading={pending}>
              {t('confirm', count(effect.changed))}
            </Button>
          )}
        </>
      }
    >
      {error ? <FormErrors error={error} /> : !effect && <Working>{t('computing')}</Working>}
      {effect && (
        <>
          <EffectBar effect={effect} />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, typography: 'body2', color: 'text.secondary' }}>
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
    </DialogFrame>
  )
}
