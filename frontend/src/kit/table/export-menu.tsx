import CircularProgress from '@mui/material/CircularProgress'
import IconButton from '@mui/material/IconButton'
import ListItemText from '@mui/material/ListItemText'
import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Tooltip from '@mui/material/Tooltip'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import type { Exporter, ExportFormat } from './exporter'
import type { List } from './use-list-state'

const FORMATS: ExportFormat[] = ['xlsx', 'csv']

/** Menu that exports the filtered rows of all pages to a file. */
export function ExportMenu({ list, total, run }: { list: List; total: number; run: Exporter }) {
  const { t } = useTranslation('listTools')
  const format = useFormat()
  const text = useErrorText()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [pending, setPending] = useState(false)

  async function start(as: ExportFormat) {
    setAnchor(null)
    setPending(true)
    try {
      await run(list.state, as)
      notify.success(t('export.done'))
    } catch (error) {
      notify.error(text(error))
    }
    setPending(false)
  }

  return (
    <>
      <Tooltip title={t(pending ? 'export.pending' : 'export.open')}>
        <IconButton
          aria-label={t(pending ? 'export.pending' : 'export.open')}
          aria-haspopup="menu"
          aria-disabled={pending}
          onClick={(event) => !pending && setAnchor(event.currentTarget)}
        >
          {pending ? <CircularProgress size={18} color="inherit" aria-hidden /> : <Download size={18} />}
        </IconButton>
      </Tooltip>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={{ paper: { sx: { maxWidth: 'min(400px, calc(100vw - 32px))' } } }}
      >
        <ListSubheader component="div" role="presentation" sx={{ lineHeight: 2.5 }}>
          {t('export.rows', { count: total, rows: format.decimal(total) })}
        </ListSubheader>
        {FORMATS.map((as) => (
          <MenuItem key={as} onClick={() => void start(as)} sx={{ whiteSpace: 'normal' }}>
            <ListItemText secondary={t(`export.hint.${as}`)}>{t(`export.format.${as}`)}</ListItemText>
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
