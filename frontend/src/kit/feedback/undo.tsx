import type { TFunction } from 'i18next'
import { change } from '~/api/change'
import { client, data, PATIENT, requestOf } from '~/api/client'
import { ApiError } from '~/api/errors'
import type { UndoOutcome } from '~/api/schema'
import type { Confirmation } from './confirm'
import { errorText } from './error-text'
import { RefusedRecords } from './refused-records'
import { notify } from './snackbar'
import type { Undone } from './use-undo'

interface Tools {
  t: TFunction<'common'>
  confirm: (confirmation: Confirmation) => Promise<boolean>
}

const ask = (what: Undone, change_articles: number | null): Promise<UndoOutcome> =>
  change(
    data(
      'request' in what
        ? client.POST('/api/admin/audit/undo', { body: { request_id: what.request, change_articles }, headers: PATIENT })
        : client.POST('/api/admin/audit/{id}/undo', {
            params: { path: { id: what.entry } },
            body: { change_articles },
            headers: PATIENT,
          }),
    ),
  )

export async function undo(what: Undone, tools: Tools): Promise<void> {
  const { t, confirm } = tools
  try {
    const outcome = await ask(what, null)
    const articles = outcome.asks_for_articles
    if (articles === null) return tell(outcome, tools)
    // others follow by now than did then
    let answered: UndoOutcome | null = null
    await confirm({
      title: t('undo.articlesTitle'),
      body: t('undo.articlesBody', { count: articles }),
      action: t('undo.action'),
      harmless: true,
      run: async () => {
        answered = await ask(what, articles)
      },
    })
    if (answered) tell(answered, tools)
  } catch (error) {
    notify.error(t('undo.failed', { reason: reason(t, error) }))
  }
}

function tell(outcome: UndoOutcome, tools: Tools): void {
  const { t, confirm } = tools
  const { done, refused } = outcome
  const request = requestOf(outcome)
  if (refused.length > 0) {
    void confirm({
      title: t('undo.refusedTitle', { count: refused.length }),
      body: t('undo.refusedBody', { count: done }),
      detail: <RefusedRecords records={refused} />,
      cancel: t('actions.close'),
    })
  }
  if (done > 0 && request) notify.undoable(t('undo.done', { count: done }), () => undo({ request }, tools))
}

/** The sentence of the answer, or what is wrong with the fields as they would be. */
function reason(t: TFunction<'common'>, error: unknown): string {
  const wrong = error instanceof ApiError ? Object.values(error.fields).flat() : []
  return wrong.length > 0 ? wrong.join(' ') : errorText(t, error)
}
