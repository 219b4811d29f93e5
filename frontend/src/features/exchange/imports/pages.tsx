import IconButton from '@mui/material/IconButton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Meta } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'

/** Pager for the table above it. */
export function Pages({ label, meta, onPage }: { label: string; meta: Meta; onPage: (page: number) => void }) {
  const { t } = useTranslation('imports')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { current_page: page, last_page: last } = meta
  return (
    <Stack
      component="nav"
      aria-label={label}
      direction="row"
      sx={{ alignItems: 'center', justifyContent: 'flex-end', gap: 1, px: 1, py: 0.5, borderTop: 1, borderColor: 'divider' }}
    >
      <Typography variant="body2" color="textSecondary" aria-live="polite">
        {t('errors.pageOf', { page: format.decimal(page), last: format.decimal(last) })}
      </Typography>
      <IconButton size="small" aria-label={common('list.previous')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft size={18} />
      </IconButton>
      <IconButton size="small" aria-label={common('list.next')} disabled={page >= last} onClick={() => onPage(page + 1)}>
        <ChevronRight size={18} />
      </IconButton>
    </Stack>
  )
}
