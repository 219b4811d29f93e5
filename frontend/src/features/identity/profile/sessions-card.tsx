import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone, SquareTerminal } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { $api, client } from '~/api/client'
import { isApiError } from '~/api/errors'
import type { OwnSession } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { BusyButton } from '~/kit/ui/busy-button'
import { Card } from '~/kit/ui/card'
import { useConfirm } from '~/kit/ui/confirm'
import { useErrorText } from '~/kit/ui/error-text'
import { LoadFailed } from '~/kit/ui/load-failed'
import { notify } from '~/kit/ui/snackbar'

const ownSessions = () => $api.queryOptions('get', '/api/sessions', {})
export const OWN_SESSIONS = ownSessions().queryKey

const HANDHELD = ['Android', 'iPhone', 'iPad']

/** Sessions of the current user on all devices. */
export function SessionsCard() {
  const { t } = useTranslation('profile')
  const queries = useQueryClient()
  const confirm = useConfirm()
  const errorText = useErrorText()
  const { data: sessionList, error, isFetching, refetch } = useQuery(ownSessions())
  const end = useMutation({
    mutationFn: (id: number | 'others') =>
      id === 'others' ? client.DELETE('/api/sessions/others') : client.DELETE('/api/sessions/{id}', { params: { path: { id } } }),
    onSuccess: (_, id) => notify.success(t(id === 'others' ? 'sessions.othersEnded' : 'sessions.ended')),
    // a session that has already ended needs no error
    onError: (failure) => isApiError(failure, 'not_found') || notify.error(errorText(failure)),
    onSettled: () => queries.invalidateQueries({ queryKey: OWN_SESSIONS }),
  })
  const sessions = sessionList?.data ?? []
  const others = sessions.filter(({ current }) => !current).length

  async function endOthers() {
    const isConfirmed = await confirm({
      title: t('sessions.endOthers'),
      body: t('sessions.endOthersBody'),
      action: t('sessions.endOthers'),
    })
    if (isConfirmed) end.mutate('others')
  }

  return (
    <Card title={t('sessions.title')} intro={t('sessions.intro')}>
      {error ? (
        <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      ) : (
        <Stack spacing={2}>
          <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, '& > li + li': { borderTop: 1, borderColor: 'divider' } }}>
            {sessionList
              ? sessions.map((session) => (
                  <Row
                    key={session.id}
                    session={session}
                    isEnding={end.isPending && end.variables === session.id}
                    onEnd={() => end.mutate(session.id)}
                  />
                ))
              : [0, 1].map((at) => <Skeleton key={at} component="li" height={56} />)}
          </Box>
          {others > 1 && (
            <div>
              <BusyButton
                variant="outlined"
                color="error"
                busy={end.isPending && end.variables === 'others'}
                onClick={() => void endOthers()}
              >
                {t('sessions.endOthers')}
              </BusyButton>
            </div>
          )}
        </Stack>
      )}
    </Card>
  )
}

function Row({ session, isEnding, onEnd }: { session: OwnSession; isEnding: boolean; onEnd: () => void }) {
  const { t } = useTranslation('profile')
  const format = useFormat()
  const { browser, system } = session
  const device = browser && system ? t('sessions.device', { browser, system }) : (browser ?? system ?? t('sessions.unknownDevice'))
  const Icon = system === null ? SquareTerminal : HANDHELD.includes(system) ? Smartphone : Monitor
  return (
    <Stack component="li" direction="row" spacing={2} sx={{ alignItems: 'center', py: 1.5 }}>
      <Box component={Icon} size={20} aria-hidden sx={{ flexShrink: 0, color: 'text.secondary' }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2" sx={{ fontWeight: 550, overflowWrap: 'anywhere' }}>
          {device}
        </Typography>
        <Typography variant="caption" component="div" color="textSecondary">
          {t('sessions.since', { when: format.dateTime(session.created_at) })}
        </Typography>
        {!session.current && (
          <Typography variant="caption" component="div" color="textSecondary">
            {t('sessions.lastUsed', { when: format.ago(session.last_used_at) })}
          </Typography>
        )}
      </Box>
      {session.current ? (
        <Chip size="small" color="success" variant="outlined" label={t('sessions.current')} />
      ) : (
        <Button color="error" size="small" loading={isEnding} onClick={onEnd} aria-label={t('sessions.endOf', { device })}>
          {t('sessions.end')}
        </Button>
      )}
    </Stack>
  )
}
