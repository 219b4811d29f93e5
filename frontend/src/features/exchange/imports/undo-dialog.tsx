import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogContentText from '@mui/material/DialogContentText'
import Link from '@mui/material/Link'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation, useNavigate } from 'react-router'
import type { Import } from '~/api/schema'
import { isRunning } from '~/features/exchange/shared/running'
import { useFormat } from '~/i18n/use-format'
import { useSave } from '~/kit/form/use-save'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { FormErrors } from '~/kit/ui/form-errors'
import { Working } from '~/kit/ui/working'
import { keepTenant } from '~/session/tenant'
import { imports } from './api'
import { cacheQueuedImport } from './cache-queued-import'
import { spokenName } from './import-name'
import { importing } from './resource'
import { countInGroup, GROUP_PARAM, type Group, groups } from './undone-groups'

/** Runs the undo of an import as a dry run, shows the result and asks for confirmation. */
export default function UndoDialog({ row, onClose }: { row: Import; onClose: () => void }) {
  const { t } = useTranslation('imports')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { search } = useLocation()
  const attempt = useMutation({ mutationFn: () => imports.undo(row.id, true) })
  const started = useRef(false)
  const { mutate } = attempt
  useEffect(() => {
    if (started.current) return
    started.current = true
    mutate()
  }, [mutate])
  const dryRun = useQuery({ ...imports.one(attempt.data?.id ?? 0), enabled: attempt.data !== undefined }).data
  const finishedDryRun = dryRun && !isRunning(dryRun) ? dryRun : null
  const save = useSave<void, Import>({
    save: () => imports.undo(row.id, false),
    startsJob: true,
    message: (row) => t('undo.queued', { name: spokenName(row) }),
    done(row) {
      cacheQueuedImport(queries, row)
      onClose()
      void navigate({ pathname: `${importing.path}/${row.id}`, search: keepTenant(search) })
    },
  })
  const textGroup = row.undoes === null ? 'undo' : 'undo.again'
  const isPossible = finishedDryRun !== null && countInGroup(finishedDryRun, 'reversed') > 0
  return (
    <DialogFrame
      title={t(`${textGroup}.title`, { name: spokenName(row) })}
      description={t(`${textGroup}.body`)}
      pending={save.pending}
      onClose={onClose}
      content={{ sx: { display: 'flex', flexDirection: 'column', gap: 2 } }}
      actions={
        <>
          <Button color="inherit" onClick={onClose} disabled={save.pending} autoFocus>
            {t(`${textGroup}.keep`)}
          </Button>
          {isPossible && (
            <Button variant="contained" onClick={() => save.submit()} loading={save.pending}>
              {t(`${textGroup}.confirm`)}
            </Button>
          )}
        </>
      }
    >
      {attempt.error ? <FormErrors error={attempt.error} /> : !finishedDryRun && <Working>{t('undo.trying')}</Working>}
      {finishedDryRun && <Outcome dryRun={finishedDryRun} onLeave={onClose} />}
      {finishedDryRun && !isPossible && <DialogContentText>{finishedDryRun.status_message ?? t('undo.nothing')}</DialogContentText>}
      <FormErrors error={save.error} />
    </DialogFrame>
  )
}

/** Numbers of records by result of the undo, each with a link to them. */
function Outcome({ dryRun, onLeave }: { dryRun: Import; onLeave: () => void }) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  const { search } = useLocation()
  const rowsOf = (group: Group) => {
    const params = new URLSearchParams(search)
    params.set(GROUP_PARAM, group)
    return { pathname: `../${dryRun.id}`, search: params.toString() }
  }
  return (
    <Box component="dl" sx={{ m: 0, border: 1, borderColor: 'divider', borderRadius: 1 }} role="status">
      {groups.map((group, index) => {
        const count = countInGroup(dryRun, group)
        const name = t(`undo.groups.${group}`)
        return (
          <Box
            key={group}
            sx={{
              display: 'flex',
              alignItems: 'baseline',
              gap: 2,
              px: 2,
              py: 1,
              ...(index > 0 && { borderTop: 1, borderColor: 'divider' }),
            }}
          >
            <Box component="dt" sx={{ flex: 1 }}>
              {name}
            </Box>
            <Box component="dd" sx={{ m: 0, display: 'flex', alignItems: 'baseline', gap: 2 }}>
              {count > 0 && (
                <Link
                  component={RouterLink}
                  to={rowsOf(group)}
                  relative="path"
                  onClick={onLeave}
                  aria-label={t('undo.showOf', { group: name })}
                  variant="body2"
                >
                  {t('undo.show')}
                </Link>
              )}
              <Box component="span" sx={{ fontWeight: 600, minWidth: 32, textAlign: 'right' }}>
                {format.decimal(count)}
              </Box>
            </Box>
          </Box>
        )
      })}
    </Box>
  )
}
