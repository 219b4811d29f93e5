import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { notify } from '~/kit/ui/snackbar'
import { type ImpactQuestion, useImpact } from './use-impact'

/** Maximum number of prices in a request for an impact. */
const IMPACT_MAX = 5000

/** Saving of a sheet of prices, as `useSaveRows` provides it. */
interface Saving {
  save: () => Promise<void>
  saving: boolean
  /** Returns true if all changes can be sent. */
  ready: () => boolean
  /** Shows the errors of all changes. */
  tell: (refused: unknown) => Promise<void>
}

interface Options extends Saving {
  /** Number of changed rows. */
  changed: number
  /** Returns the request for their impact; null for users who may not see impacts. */
  question: (() => Pick<ImpactQuestion, 'to' | 'name' | 'ask'>) | null
}

interface SheetImpact {
  /** Saves the changes; if prices change, shows the impact first. */
  save: () => void
  /** Shows the impact of the changes, even if no price changes; null for users who may not see it. */
  showImpact: (() => void) | null
  busy: boolean
  dialog: ReactNode
}

/**
 * Saves a sheet of prices after showing their impact; if no price changes, it saves without confirmation.
 */
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
