import Box from '@mui/material/Box'
import Dialog from '@mui/material/Dialog'
import InputBase from '@mui/material/InputBase'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { type LucideIcon, Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { focusOnMount } from '~/kit/ui/focus-on-mount'
import { visuallyHidden } from '~/kit/ui/visually-hidden'

export interface PaletteItem {
  /** Stable id of the choice. */
  id: string
  label: string
  detail?: string | undefined
  icon: LucideIcon
  /** True if the choice is not remembered among the recent ones. */
  isTransient?: boolean
  run: () => void
}

export interface PaletteGroup {
  id: string
  title: string
  items: readonly PaletteItem[]
  loading?: boolean
  /** Reason why the group is empty. */
  error?: string | null
}

interface Props {
  text: string
  onText: (text: string) => void
  groups: readonly PaletteGroup[]
  onPick: (item: PaletteItem) => void
  onClose: () => void
}

/** Text field with a list below it, after the ARIA pattern of a combobox: the focus stays in the field. */
export function PaletteDialog({ text, onText, groups, onPick, onClose }: Props) {
  const { t } = useTranslation(['palette', 'common'])
  const id = useId()
  const visibleGroups = groups.filter(({ items, loading, error }) => items.length > 0 || loading || error)
  const items = visibleGroups.flatMap((group) => group.items)
  const [pointed, setPointed] = useState<string | null>(null)
  const pointedIndex = items.findIndex((item) => item.id === pointed)
  const at = Math.max(pointedIndex, 0)
  const active = items[at]
  const optionId = (item: PaletteItem) => `${id}-${item.id}`
  const busy = visibleGroups.some((group) => group.loading)

  useEffect(() => {
    if (active) document.getElementById(`${id}-${active.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && items.length > 0) {
      event.preventDefault()
      setPointed(items[(at + step + items.length) % items.length]?.id ?? null)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing && active) {
      event.preventDefault()
      onPick(active)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      fullWidth
      maxWidth="sm"
      aria-labelledby={`${id}-title`}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
      slotProps={{ paper: { sx: { mt: { xs: 2, md: '10vh' }, mx: { xs: 1.5 }, width: { xs: 'calc(100% - 24px)' }, maxHeight: '70dvh' } } }}
    >
      <Box component="h2" id={`${id}-title`} sx={visuallyHidden}>
        {t('title')}
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, px: 2, borderBottom: 1, borderColor: 'divider', flexShrink: 0 }}>
        <Box component={Search} size={18} aria-hidden sx={{ color: 'text.secondary', flexShrink: 0 }} />
        <InputBase
          inputRef={focusOnMount}
          fullWidth
          value={text}
          onChange={(event) => {
            setPointed(null)
            onText(event.target.value)
          }}
          onKeyDown={onKeyDown}
          placeholder={t('placeholder')}
          sx={{ py: 1 }}
          inputProps={{
            role: 'combobox',
            'aria-label': t('title'),
            'aria-autocomplete': 'list',
            'aria-expanded': items.length > 0,
            'aria-controls': `${id}-list`,
            'aria-activedescendant': active ? optionId(active) : undefined,
            autoComplete: 'off',
            spellCheck: false,
            maxLength: 255,
          }}
        />
      </Box>
      {/* focusable, so that it can be scrolled by keyboard */}
      <Box tabIndex={0} sx={{ overflowY: 'auto', minHeight: 0 }}>
        <Box id={`${id}-list`} role="listbox" aria-label={t('results')} aria-busy={busy} sx={{ p: 1 }}>
          {visibleGroups.map((group) => (
            <Box key={group.id} role="group" aria-labelledby={`${id}-${group.id}`} sx={{ '& + &': { mt: 1 } }}>
              <Typography
                id={`${id}-${group.id}`}
                role="presentation"
                variant="overline"
                component="div"
                color="textSecondary"
                sx={{ px: 1.5, pt: 0.5 }}
              >
                {group.title}
              </Typography>
              {group.items.map((item) => (
                <Option
                  key={item.id}
                  id={optionId(item)}
                  item={item}
                  active={item === active}
                  onPoint={() => setPointed(item.id)}
                  onPick={() => onPick(item)}
                />
              ))}
              {group.loading && group.items.length === 0 && <Skeleton height={36} sx={{ mx: 1.5 }} />}
              {group.error && (
                <Typography role="presentation" variant="body2" color="error" sx={{ px: 1.5, py: 0.75 }}>
                  {group.error}
                </Typography>
              )}
            </Box>
          ))}
        </Box>
        {items.length === 0 && !busy && (
          <Typography variant="body2" color="textSecondary" sx={{ px: 2.5, pb: 2 }}>
            {t('none')}
          </Typography>
        )}
      </Box>
      <Box role="status" sx={visuallyHidden}>
        {busy ? t('common:states.loading') : t('count', { count: items.length })}
      </Box>
    </Dialog>
  )
}

interface OptionProps {
  id: string
  item: PaletteItem
  active: boolean
  onPoint: () => void
  onPick: () => void
}

/**
 * Option of the list. The focus stays in the field, which handles the keys and refers to the active option.
 */
function Option({ id, item: { icon: Icon, label, detail }, active, onPoint, onPick }: OptionProps) {
  return (
    <Box
      id={id}
      role="option"
      aria-selected={active}
      onMouseMove={onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        px: 1.5,
        py: 0.875,
        borderRadius: 1,
        cursor: 'pointer',
        ...(active && { bgcolor: 'action.selected' }),
      }}
    >
      <Box component={Icon} size={18} strokeWidth={1.75} aria-hidden sx={{ color: 'text.secondary', flexShrink: 0 }} />
      <Box
        component="span"
        sx={{
          display: 'flex',
          flexDirection: { xs: 'column', sm: 'row' },
          flex: 1,
          minWidth: 0,
          columnGap: 1.5,
          alignItems: { sm: 'center' },
        }}
      >
        <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
          {label}
        </Box>
        {detail && (
          <Typography
            component="span"
            variant="body2"
            color={active ? 'textPrimary' : 'textSecondary'}
            noWrap
            sx={{ ml: { sm: 'auto' }, minWidth: 0 }}
          >
            {detail}
          </Typography>
        )}
      </Box>
    </Box>
  )
}
