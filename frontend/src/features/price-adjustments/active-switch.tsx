import Switch from '@mui/material/Switch'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PriceAdjustment } from '~/api/schema'
import { useErrorText } from '~/kit/feedback/error-text'
import { notify } from '~/kit/feedback/snackbar'
import { useOffer } from '~/kit/feedback/use-undo'
import { useMay } from '~/kit/resource/resources'
import { priceAdjustments } from './api'
import { priceAdjustment } from './resource'

/** Switches an adjustment on and off where it is listed. */
export function ActiveSwitch({ row }: { row: PriceAdjustment }) {
  const { t } = useTranslation(['priceAdjustments', 'common'])
  const may = useMay(priceAdjustment)
  const text = useErrorText()
  const offer = useOffer()
  /** What is on its way, for the version that it was switched in. */
  const [sent, send] = useState<{ version: number; active: boolean } | null>(null)
  const pending = sent?.version === row.version

  async function change(active: boolean) {
    send({ version: row.version, active })
    try {
      const saved = await priceAdjustments.activate(row.id, row.version, active)
      offer(t(saved.active ? 'active.on' : 'active.off', { name: row.name }), saved)
    } catch (error) {
      notify.error(text(error))
      send(null)
    }
  }

  if (!may.update) return t(row.active ? 'common:states.yes' : 'common:states.no')
  return (
    <Switch
      size="small"
      checked={pending ? sent.active : row.active}
      disabled={pending}
      onClick={(event) => event.stopPropagation()}
      onChange={(_, active) => void change(active)}
      slotProps={{ input: { 'aria-label': t('active.label', { name: row.name }) } }}
    />
  )
}
