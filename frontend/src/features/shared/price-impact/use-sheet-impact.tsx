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
  showErrors: (error: unknown) => Promise<void>
}

interface Options extends Saving {
  /** Number of changed rows. */
  changed: number
  /** Returns the request for their impact; null for users who may not see impacts. */
  question: (() => Pick<ImpactQuestion, 'changeKind' | 'name' | 'request'>) | null
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
export function useSheetImpact({ save, saving, ready, showErrors, changed, question }: Options): SheetImpact {
  const { t } = useTranslation('spreadsheet')
  const { decimal } = useFormat()
  const [confirmImpact, dialog] = useImpact()
  const [isConfirming, setIsConfirming] = useState(false)
  const busy = saving || isConfirming

  async function show(skipsIfUnchanged: boolean) {
    if (changed === 0 || busy || !question || !ready()) return
    if (changed > IMPACT_MAX) {
      notify.warning(t('impactMost', { number: decimal(IMPACT_MAX) }))
      return skipsIfUnchanged ? save() : undefined
    }
    setIsConfirming(true)
    try {
      if (await confirmImpact({ ...question(), skipsIfUnchanged })) await save()
    } catch (error) {
      await showErrors(error)
    }
    setIsConfirming(false)
  }

  return {
    save: () => void (question ? show(true) : changed > 0 && !busy && save()),
    showImpact: question && (() => void show(false)),
    busy,
    dialog,
  }
}
