import Switch from '@mui/material/Switch'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PriceAdjustment } from '~/api/schema'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { useImpact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { useAllowedOperations } from '~/kit/records/resources'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import { useOfferUndo } from '~/kit/ui/use-undo'
import { adjustmentInput } from './adjustment-input'
import { priceAdjustments } from './api'
import { priceAdjustment } from './resource'

/** Switches an adjustment on or off in the list, after showing the impact on prices. */
export function ActiveSwitch({ row }: { row: PriceAdjustment }) {
  const { t } = useTranslation(['priceAdjustments', 'common'])
  const may = useAllowedOperations(priceAdjustment)
  const text = useErrorText()
  const offer = useOfferUndo()
  const seesImpact = useMaySeeImpact('price_adjustment')
  const [confirmImpact, dialog] = useImpact()
  /** Value that is being saved, with the version that it was switched in. */
  const [sent, setSent] = useState<{ version: number; active: boolean } | null>(null)
  const pending = sent?.version === row.version

  async function change(active: boolean) {
    const { id, name } = row
    const update = { id, input: adjustmentInput({ ...row, active }) }
    try {
      if (seesImpact && !(await confirmImpact({ changeKind: active ? 'on' : 'off', name, request: impactOf.adjustment({ update }) })))
        return
      setSent({ version: row.version, active })
      const saved = await priceAdjustments.activate(row.id, row.version, active)
      offer(t(saved.active ? 'active.on' : 'active.off', { name: row.name }), saved)
    } catch (error) {
      notify.error(text(error))
      setSent(null)
    }
  }

  if (!may.update) return t(row.active ? 'common:states.yes' : 'common:states.no')
  return (
    // keeps clicks in the dialog from opening the row
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: only keeps clicks
    <span onClick={(event) => event.stopPropagation()}>
      <Switch
        size="small"
        checked={pending ? sent.active : row.active}
        disabled={pending}
        onChange={(_, active) => void change(active)}
        slotProps={{ input: { 'aria-label': t('active.label', { name: row.name }) } }}
      />
      {dialog}
    </span>
  )
}
