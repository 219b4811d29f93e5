import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { refresh } from '~/api/change'
import type { Import } from '~/api/schema'
import { awaited, isRunning } from '~/features/exchange/shared/running'
import { notify } from '~/kit/ui/snackbar'
import { useMe } from '~/session/me'
import { spokenName } from './import-name'

const TONE = { Success: 'success', PartialSuccess: 'warning', Failed: 'error' } as const

/** Says when an import that was begun here or seen running has ended, wherever its uploader is by then. */
export function useImportNews(rows: readonly Import[]): void {
  const { t } = useTranslation('shell')
  const me = useMe()
  const tell = useEffectEvent(({ status, ...row }: Import) => {
    void refresh()
    // a cancelled one was cancelled by hand
    if (row.created_by?.id !== me.id || !(status in TONE)) return
    const end = status as keyof typeof TONE
    // whoever tries to take something back waits for it
    if (row.dry_run && row.undoes !== null) return
    const ended = row.undoes !== null ? 'endedUndo' : row.dry_run ? 'endedDry' : 'ended'
    // rows may only wait: for a matching or a release
    const waits = ended === 'ended' && end === 'PartialSuccess' && row.rows_refused === 0
    notify.news(TONE[end], t(waits ? 'imports.endedWaiting' : `imports.${ended}.${end}`, { name: spokenName(row) }))
  })
  useEffect(() => {
    // newest last: it takes the place of those that wait to be told
    for (const row of rows.toReversed()) {
      if (isRunning(row)) awaited.add(row.id)
      else if (awaited.delete(row.id)) tell(row)
    }
  }, [rows])
}
