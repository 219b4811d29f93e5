import type { TFunction } from 'i18next'
import { change } from '~/api/change'
import { client, data, LONG_TIMEOUT, originOf } from '~/api/client'
import { ApiError } from '~/api/errors'
import type { UndoDeletions, UndoInput, UndoOutcome } from '~/api/schema'
import type { Format } from '~/i18n/use-format'
import type { Confirmation } from './confirm'
import { errorText } from './error-text'
import { RefusedRecords } from './refused-records'
import { notify } from './snackbar'
import type { UndoImpact } from './undo-impact'
import type { UndoTarget } from './use-undo'

interface Tools {
  t: TFunction<'common'>
  confirm: (confirmation: Confirmation) => Promise<boolean>
  decimal: Format['decimal']
  showImpact: UndoImpact['show']
}

/** Side effects that the user has confirmed. */
type ConfirmedEffects = Pick<UndoInput, 'change_articles' | 'deletes'>

const sendUndo = (target: UndoTarget, confirmed: ConfirmedEffects = {}): Promise<UndoOutcome> =>
  change(
    data(
      'request' in target
        ? client.POST('/api/admin/audit/undo', { body: { request_id: target.request, ...confirmed }, headers: LONG_TIMEOUT })
        : client.POST('/api/admin/audit/{id}/undo', { params: { path: { id: target.entry } }, body: confirmed, headers: LONG_TIMEOUT }),
    ),
  )

/** Undoes a change and asks for each confirmation that the server requires; null if the user declines. */
async function undoWithConfirmations(target: UndoTarget, tools: Tools): Promise<UndoOutcome | null> {
  const { t, confirm } = tools
  const confirmed: ConfirmedEffects = {}
  for (;;) {
    let outcome = await sendUndo(target, confirmed)
    const { asks_for_articles: articles, asks_for_deletions: deletions } = outcome
    if (articles === null && deletions === null) return outcome
    const question: Confirmation = deletions
      ? deletionQuestion(tools, target, deletions)
      : {
          // other articles follow now than at the time of the change
          title: t('undo.articlesTitle'),
          body: t('undo.articlesBody', { count: articles ?? 0 }),
          action: t('undo.action'),
          harmless: true,
        }
    if (deletions) confirmed.deletes = deletions
    else confirmed.change_articles = articles
    const run = async () => {
      outcome = await sendUndo(target, confirmed)
    }
    if (!(await confirm({ ...question, run }))) return null
    if (outcome.asks_for_articles === null && outcome.asks_for_deletions === null) return outcome
  }
}

/** Confirmation for the deletion of records that the undone request has created. */
function deletionQuestion({ t, decimal, showImpact }: Tools, target: UndoTarget, { records, prices }: UndoDeletions): Confirmation {
  const name = target.name
  const title =
    records === 1 && name ? t('confirm.deleteTitle', { name }) : t('undo.deletesTitle', { count: records, number: decimal(records) })
  const deletesText = t('undo.deletesBody', { count: records, number: decimal(records) })
  const body = prices > 0 ? `${deletesText} ${t('undo.deletesPrices', { count: prices, number: decimal(prices) })}` : deletesText
  return { title, body, action: t('actions.delete'), ...(target.impact === 'with deletion' && { detail: showImpact(target), wide: true }) }
}

export async function undo(target: UndoTarget, tools: Tools): Promise<boolean> {
  const { t, confirm, showImpact } = tools
  const impact = target.impact === 'before' && showImpact(target)
  if (impact) {
    const question = { title: t('undo.pricesTitle'), body: t('undo.pricesBody'), action: t('undo.action'), harmless: true, wide: true }
    if (!(await confirm({ ...question, detail: impact }))) return false
  }
  try {
    const outcome = await undoWithConfirmations(target, tools)
    if (outcome) reportOutcome(outcome, target, tools)
    return outcome !== null
  } catch (error) {
    notify.error(t('undo.failed', { reason: reason(t, error) }))
    return true
  }
}

function reportOutcome(outcome: UndoOutcome, { impact }: UndoTarget, tools: Tools): void {
  const { t, confirm } = tools
  const { done, refused } = outcome
  const request = originOf(outcome)?.request
  if (refused.length > 0) {
    void confirm({
      title: t('undo.refusedTitle', { count: refused.length }),
      body: t('undo.refusedBody', { count: done }),
      detail: <RefusedRecords records={refused} />,
      cancel: t('actions.close'),
    })
  }
  const back: UndoTarget | undefined = request === undefined ? undefined : { request, ...(impact && { impact: 'before' }) }
  if (done > 0 && back) notify.undoable(t('undo.done', { count: done }), () => void undo(back, tools))
}

/** Reason of a failure: the errors of the restored fields, or else the message. */
function reason(t: TFunction<'common'>, error: unknown): string {
  const fieldErrors = error instanceof ApiError ? Object.values(error.fields).flat() : []
  return fieldErrors.length > 0 ? fieldErrors.join(' ') : errorText(t, error)
}
