import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '~/kit/ui/confirm'
import { focusRefreshedList } from '~/kit/ui/focus-list'
import { notify } from '~/kit/ui/snackbar'
import { useOfferUndo } from '~/kit/ui/use-undo'
import { type UsageQuery, UsedBy } from './used-by'

interface Options<Row extends { id: number }> {
  remove: (row: Row) => Promise<unknown>
  name: (row: Row) => string
  /** Query for the records that refer to a record; a record in use is not deleted. */
  usage?: UsageQuery | undefined
  /** Text that has to be retyped, for records whose loss is severe. */
  retype?: (row: Row) => string
  /** True if the deletion can be undone. */
  undoable?: boolean
  /** Renders further consequences of the deletion in the confirmation. */
  detail?: ((row: Row) => ReactNode) | undefined
  /** Texts for a removal that is not called deletion. */
  texts?: RemovalTexts | undefined
  /** Navigates away from the deleted record. */
  leave?: () => void
}

export interface RemovalTexts {
  /** Label of the button and the menu item. */
  action: string
  title: (name: string) => string
  body: string
  done: (name: string) => string
  failed?: (name: string) => string
}

/** Asks, deletes, and moves the focus to the refreshed list. */
export function useDelete<Row extends { id: number }>({
  remove,
  name,
  usage,
  retype,
  undoable,
  detail,
  texts,
  leave,
}: Options<Row>): (row: Row) => Promise<void> {
  const { t } = useTranslation()
  const client = useQueryClient()
  const confirm = useConfirm()
  const offerUndo = useOfferUndo()
  return async (row) => {
    const params = { name: name(row) }
    let answer: unknown
    const done = await confirm({
      title: texts?.title(params.name) ?? t('confirm.deleteTitle', params),
      body: texts?.body ?? t(undoable ? 'confirm.deleteBody' : 'confirm.deleteForGood', params),
      action: texts?.action ?? t('actions.delete'),
      ...(detail && { detail: detail(row), wide: true }),
      ...(usage && { usage: { ...params, id: row.id, load: () => client.fetchQuery({ ...usage(row.id), staleTime: 0 }), View: UsedBy } }),
      failed: texts?.failed?.(params.name) ?? t('failed.delete', params),
      ...(retype && { retype: retype(row) }),
      run: async () => {
        answer = await remove(row)
      },
    })
    if (!done) return
    leave?.()
    const message = texts?.done(params.name) ?? t('messages.deleted', params)
    if (undoable) offerUndo(message, answer)
    else notify.success(message)
    await focusRefreshedList()
  }
}
