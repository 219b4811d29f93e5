import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { $api } from '~/api/client'
import type { OwnEmailChange } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'

/** Changes of the user's e-mail address with their authors; renders nothing if there were none. */
export function EmailChanges() {
  const { t } = useTranslation('profile')
  const { dateTime } = useFormat()
  const { data: changes } = useQuery($api.queryOptions('get', '/api/users/me/email-changes', {}))
  if (!changes || changes.data.length === 0) return null
  const authorOf = ({ own, changed_by }: OwnEmailChange) =>
    own ? t('emailChanges.own') : changed_by ? t('emailChanges.by', { name: changed_by }) : t('emailChanges.system')
  return (
    <section aria-labelledby="email-changes">
      <Typography id="email-changes" variant="subtitle2" component="h3">
        {t('emailChanges.title')}
      </Typography>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, typography: 'body2', overflowWrap: 'anywhere' }}>
        {changes.data.map((change) => (
          <Box component="li" key={change.changed_at} sx={{ mt: 0.5 }}>
            {t('emailChanges.change', { from: change.former_email, to: change.new_email })}
            <Typography variant="caption" component="div" color="textSecondary">
              {dateTime(change.changed_at)}, {authorOf(change)}
              {change.undone_at && ` · ${t('emailChanges.undone', { when: dateTime(change.undone_at) })}`}
            </Typography>
          </Box>
        ))}
      </Box>
    </section>
  )
}
