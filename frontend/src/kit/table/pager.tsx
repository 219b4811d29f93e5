import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Meta } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { NativeSelect } from '~/kit/ui/native-select'
import { PAGE_SIZES } from './list-state'
import type { List } from './use-list-state'

export function Pager({ list, meta }: { list: List; meta: Meta }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { page, size } = list.state
  const last = Math.max(meta.last_page, 1)
  // page on screen: while another one is loading, the previous one
  const { current_page, per_page } = meta
  const [displayedPage, setDisplayedPage] = useState(current_page)
  const [text, setText] = useState(String(current_page))
  // set during the render instead of in an effect, so that rows and page number always agree
  if (displayedPage !== current_page) {
    setDisplayedPage(current_page)
    setText(String(current_page))
  }

  function goToPage(event: FormEvent) {
    event.preventDefault()
    const nextPage = Math.min(Math.max(Number.parseInt(text, 10) || page, 1), last)
    setText(String(nextPage))
    if (nextPage !== page) list.setPage(nextPage)
  }

  const from = meta.total === 0 ? 0 : (current_page - 1) * per_page + 1
  return (
    <Box
      component="nav"
      aria-label={t('list.pages')}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 3,
        rowGap: 1,
        px: 2,
        py: 1,
        borderTop: 1,
        borderColor: 'divider',
        fontSize: '0.875rem',
        color: 'text.secondary',
      }}
    >
      <Typography variant="body2" aria-live="polite" sx={{ flex: 1, whiteSpace: 'nowrap' }}>
        {t('list.range', {
          from: format.decimal(from),
          to: format.decimal(Math.min(current_page * per_page, meta.total)),
          total: format.decimal(meta.total),
        })}
      </Typography>
      <Stack direction="row" spacing={1} data-print="none" sx={{ alignItems: 'center', display: { xs: 'none', sm: 'flex' } }}>
        <label htmlFor="page-size">{t('list.perPage')}</label>
        <NativeSelect
          size="small"
          value={size}
          onChange={(event) => list.setSize(Number(event.target.value))}
          inputProps={{ id: 'page-size' }}
          sx={{ '& select': { py: 0.5, fontSize: '0.875rem' } }}
        >
          {PAGE_SIZES.map((value) => (
            <option key={value} value={value}>
              {value}
            </option>
          ))}
        </NativeSelect>
      </Stack>
      <Stack direction="row" component="form" onSubmit={goToPage} spacing={0.5} sx={{ alignItems: 'center' }}>
        <IconButton size="small" aria-label={t('list.previous')} disabled={page <= 1} onClick={() => list.setPage(page - 1)}>
          <ChevronLeft size={18} />
        </IconButton>
        <OutlinedInput
          size="small"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={goToPage}
          inputProps={{ 'aria-label': t('list.page'), inputMode: 'numeric', size: Math.max(2, String(last).length) }}
          sx={{ '& input': { p: '4px 6px', textAlign: 'center', width: 'auto', fontSize: '0.875rem' } }}
        />
        <Box component="span" sx={{ whiteSpace: 'nowrap', px: 0.5 }}>
          {t('list.ofPages', { count: last, total: format.decimal(last) })}
        </Box>
        <IconButton size="small" aria-label={t('list.next')} disabled={page >= last} onClick={() => list.setPage(page + 1)}>
          <ChevronRight size={18} />
        </IconButton>
      </Stack>
    </Box>
  )
}
