import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Typography from '@mui/material/Typography'
import { useTranslation } from 'react-i18next'
import { useConfig } from '~/session/config'

/**
 * Accounts of the demo, shown only by a server that runs with --demo; a click fills in the form, and the
 * user still signs in.
 */
export default function DemoAccounts({ onPick }: { onPick: (value: { email: string; password: string }) => void }) {
  const { t } = useTranslation('auth')
  const { demo_accounts } = useConfig()
  return (
    <Box component="details" sx={{ borderTop: 1, borderColor: 'divider', pt: 2 }}>
      <Typography component="summary" variant="body2" sx={{ cursor: 'pointer', fontWeight: 550, color: 'text.secondary' }}>
        {t('demoAccounts')}
      </Typography>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, mt: 1, p: 0 }}>
        {demo_accounts.map(({ email, description, password }) => (
          <li key={email}>
            <ButtonBase
              onClick={() => onPick({ email, password })}
              sx={{
                display: 'grid',
                justifyItems: 'start',
                width: '100%',
                px: 1,
                py: 0.75,
                borderRadius: 1,
                textAlign: 'left',
                '&:hover, &:focus-visible': { bgcolor: 'action.hover' },
              }}
            >
              <Typography variant="body2" sx={{ fontWeight: 550 }}>
                {description}
              </Typography>
              <Typography variant="caption" color="textSecondary">
                {email}
              </Typography>
            </ButtonBase>
          </li>
        ))}
      </Box>
    </Box>
  )
}
