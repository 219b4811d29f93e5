import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { refresh } from '~/api/change'
import type { Import } from '~/api/schema'
import { awaitedImports, isRunning } from '~/features/exchange/shared/running'
import { notify } from '~/kit/ui/snackbar'
import { useMe } from '~/session/me'
import { spokenName } from './import-name'

const TONE = { Success: 'success', PartialSuccess: 'warning', Failed: 'error' } as const

/** Notifies the uploader on any page when an import that was started here or seen running has ended. */
export function useImportNews(rows: readonly Import[]): void {
  const { t } = useTranslation('shell')
  const me = useMe()
  const announce = useEffectEvent(({ status, ...row }: Import) => {
    void refresh()
    // a cancelled import needs no message: a user has cancelled it
    if (row.created_by?.id !== me.id || !(status in TONE)) return
    const end = status as keyof typeof TONE
    // a dry run of an undo is watched in its dialog
    if (row.dry_run && row.undoes !== null) return
    const messageKey = row.undoes !== null ? 'endedUndo' : row.dry_run ? 'endedDry' : 'ended'
    // rows may just be waiting for a matching or a release
    const hasWaitingRows = messageKey === 'ended' && end === 'PartialSuccess' && row.rows_refused === 0
    notify.news(TONE[end], t(hasWaitingRows ? 'imports.endedWaiting' : `imports.${messageKey}.${end}`, { name: spokenName(row) }))
  })
  useEffect(() => {
    // newest last, since a new message replaces those that are still queued
    for (const row of rows.toReversed()) {
      if (isRunning(row)) awaitedImports.add(row.id)
      else if (awaitedImports.delete(row.id)) announce(row)
    }
  }, [rows])
}
