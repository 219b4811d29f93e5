import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { notify } from '~/kit/ui/snackbar'
import { type ImpactQuestion, useImpact } from './use-impact'

/** The most prices whose impact one call tells. */
const IMPACT_MAX = 5000

/** A sheet of prices that is saved, as `useSaveRows` does. */
interface Saving {
  save: () => Promise<void>
  saving: boolean
  /** True if all that is changed can be sent. */
  ready: () => boolean
  /** Shows what all that is changed was refused for. */
  tell: (refused: unknown) => Promise<void>
}

interface Options extends Saving {
  /** How many rows are changed. */
  changed: number
  /** The question of what they would do; null for users who do not see impacts. */
  question: (() => Pick<ImpactQuestion, 'to' | 'name' | 'ask'>) | null
}

interface SheetImpact {
  /** Saves; where prices change, after showing how. */
  save: () => void
  /** Shows what the changed prices would do, also where no price changes; null for users who do not see it. */
  showImpact: (() => void) | null
  busy: boolean
  dialog: ReactNode
}

/** Saves a sheet of prices with their impact: its question goes on by itself where no price changes, so that it is in nobody's way. */
export function useSheetImpact({ save, saving, ready, tell, changed, question }: Options): SheetImpact {
  const { t } = useTranslation('spreadsheet')
  const { decimal } = useFormat()
  const [askImpact, dialog] = useImpact()
  const [asking, setAsking] = useState(false)
  const busy = saving || asking

  async function show(quiet: boolean) {
    if (changed === 0 || busy || !question || !ready()) return
    if (changed > IMPACT_MAX) {
      notify.warning(t('impactMost', { number: decimal(IMPACT_MAX) }))
      return quiet ? save() : undefined
    }
    setAsking(true)
    try {
      if (await askImpact({ ...question(), quiet })) await save()
    } catch (refused) {
      await tell(refused)
    }
    setAsking(false)
  }

  return {
    save: () => void (question ? show(true) : changed > 0 && !busy && save()),
    showImpact: question && (() => void show(false)),
    busy,
    dialog,
  }
}
