import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogContentText from '@mui/material/DialogContentText'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { $api } from '~/api/client'
import type { DemoMail } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { useErrorText } from '~/kit/ui/error-text'
import { Notice } from '~/kit/ui/notice'

/** Polling interval in milliseconds; a mail is sent within a second or two. */
const POLL = 2_000

/** Latest mails of the demo to all recipients. */
export default function DemoMails({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['demoMails', 'common'])
  const errorText = useErrorText()
  const { data, error } = useQuery($api.queryOptions('get', '/api/demo/mails', {}, { refetchInterval: POLL, gcTime: 0 }))
  return (
    <DialogFrame
      title={t('title')}
      onClose={onClose}
      actions={
        <Button color="inherit" onClick={onClose} autoFocus>
          {t('common:actions.close')}
        </Button>
      }
    >
      <DialogContentText>{t('intro')}</DialogContentText>
      {error ? (
        <Notice tone="error">{errorText(error)}</Notice>
      ) : data ? (
        <Mails mails={data.data} onOpen={onClose} />
      ) : (
        <Skeleton variant="rounded" height={72} sx={{ mt: 2 }} />
      )}
    </DialogFrame>
  )
}

function Mails({ mails, onOpen }: { mails: DemoMail[]; onOpen: () => void }) {
  const { t } = useTranslation('demoMails')
  if (mails.length === 0) {
    return (
      <Typography variant="body2" sx={{ mt: 2 }} role="status">
        {t('empty')}
      </Typography>
    )
  }
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {mails.map((mail) => (
        <Box component="li" key={mail.id} sx={{ borderTop: 1, borderColor: 'divider', mt: 2, pt: 2 }}>
          <MailView mail={mail} onOpen={onOpen} />
        </Box>
      ))}
    </Box>
  )
}

/** Path of a link on this server, whichever host name the mail contains. */
function localPath(link: string) {
  const { pathname, search, hash } = new URL(link)
  return { pathname, search, hash }
}

function MailView({ mail, onOpen }: { mail: DemoMail; onOpen: () => void }) {
  const { t } = useTranslation('demoMails')
  const format = useFormat()
  return (
    <>
      <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between' }}>
        <div>
          <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{mail.subject}</Typography>
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {t('to', { address: mail.address, time: format.dateTime(mail.sent_at) })}
          </Typography>
        </div>
        {mail.link && (
          <Button component={Link} to={localPath(mail.link)} onClick={onOpen} variant="outlined" size="small">
            {t('open')}
          </Button>
        )}
      </Box>
      <Box component="details" sx={{ mt: 1 }}>
        <Typography component="summary" variant="body2" color="textSecondary" sx={{ cursor: 'pointer', minHeight: 24 }}>
          {t('text')}
        </Typography>
        <Typography variant="body2" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', mt: 1 }}>
          {mail.text}
        </Typography>
      </Box>
    </>
  )
}
