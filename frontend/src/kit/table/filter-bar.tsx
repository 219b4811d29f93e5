import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import Popover from '@mui/material/Popover'
import Stack from '@mui/material/Stack'
import { ListFilter, Search } from 'lucide-react'
import { type KeyboardEvent, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigation } from 'react-router'
import { useLabels } from '~/i18n/labels'
import { ClearButton } from '~/kit/form/clear-button'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { useShortcut } from '~/kit/ui/shortcuts'
import { FilterText } from './filter-text'
import { cleanSearchText, type Filter } from './list-state'
import { groupRanges } from './ranges'
import type { List } from './use-list-state'

const FilterEditor = lazyWithTexts(() => import('./filter-editor'), 'listTools')

function SearchBox({ list, field }: { list: List; field: string }) {
  const { t } = useTranslation()
  const labels = useLabels(list.ns)
  const current = list.state.filters.find((filter) => filter.field === field && filter.op === 'is')?.values[0] ?? ''
  const [text, setText] = useState(current)
  const input = useRef<HTMLInputElement>(null)
  const lastWritten = useRef(current)
  useShortcut('/', t('shortcuts.search'), () => input.current?.focus())

  // the address was changed otherwise: by a link, the back button, "clear all"
  useEffect(() => {
    if (current !== lastWritten.current) setText(current)
    lastWritten.current = current
  }, [current])

  const search = useCallback(
    (value: string) => {
      lastWritten.current = value
      const others = list.state.filters.filter((filter) => !(filter.field === field && filter.op === 'is'))
      list.setFilters(value ? [{ field, op: 'is', values: [value] }, ...others] : others)
    },
    [list, field],
  )

  // during a navigation the address already belongs to the next page: changing it would cancel the navigation
  const isResting = useNavigation().state === 'idle'
  useEffect(() => {
    const value = cleanSearchText(text)
    if (!isResting || value === lastWritten.current) return
    const timer = setTimeout(search, 500, value)
    return () => clearTimeout(timer)
  }, [isResting, text, search])

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const value = cleanSearchText(text)
    if (event.key === 'Enter' && value !== lastWritten.current) search(value)
    else if (event.key === 'Enter' || event.key === 'ArrowDown') document.querySelector<HTMLElement>('main [data-row-link]')?.focus()
    // keeps the search; browsers would empty the field
    else if (event.key === 'Escape') input.current?.blur()
    else return
    event.preventDefault()
  }

  return (
    <OutlinedInput
      inputRef={input}
      type="search"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      placeholder={t('list.searchBy', { field: labels.field(field) })}
      inputProps={{ 'aria-label': t('list.searchBy', { field: labels.field(field) }), maxLength: 255, 'aria-keyshortcuts': '/' }}
      startAdornment={
        <InputAdornment position="start">
          <Search size={16} aria-hidden />
        </InputAdornment>
      }
      endAdornment={<ClearButton text={text} onClear={() => setText('')} />}
      sx={{ width: { xs: '100%', md: 300 }, '& input': { py: '7px', pl: 0, textOverflow: 'ellipsis' } }}
    />
  )
}

/** Search box, a chip for each filter, and the filter editor. */
export function FilterBar({ list }: { list: List }) {
  const { t } = useTranslation()
  const [editing, setEditing] = useState<{ anchor: HTMLElement; filters: Filter[] | null } | null>(null)
  const { search, filters: specs } = list.spec
  const chips = groupRanges(list.state.filters.filter((filter) => !(filter.field === search && filter.op === 'is')))
  const removeFilters = (removed: readonly Filter[]) =>
    list.state.filters.filter((current) => !removed.some((filter) => filter.field === current.field && filter.op === current.op))

  function replace(before: Filter[] | null, after: Filter[]) {
    list.setFilters([...removeFilters([...(before ?? []), ...after]), ...after])
    setEditing(null)
  }

  return (
    <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', gap: 1, alignItems: 'center', flex: 1, minWidth: 0 }}>
      {search && <SearchBox list={list} field={search} />}
      {Object.keys(specs).length > 0 && (
        <Button
          color="inherit"
          startIcon={<ListFilter size={16} />}
          aria-haspopup="dialog"
          onClick={(event) => setEditing({ anchor: event.currentTarget, filters: null })}
          sx={{ color: 'text.secondary' }}
        >
          {t('list.filter')}
        </Button>
      )}
      {chips.map((filters) => (
        <Chip
          key={filters.map(({ field, op }) => `${field} ${op}`).join()}
          label={<FilterText list={list} filters={filters} />}
          onClick={(event) => setEditing({ anchor: event.currentTarget, filters })}
          onDelete={() => list.setFilters(removeFilters(filters))}
          variant="outlined"
          color="primary"
          // the value is what matters, so it wraps instead of being cut off
          sx={{ maxWidth: '100%', height: 'auto', minHeight: 32, '& .MuiChip-label': { whiteSpace: 'normal', py: 0.5 } }}
        />
      ))}
      {list.filtered && (
        <Button size="small" color="inherit" onClick={() => list.setFilters([])} sx={{ color: 'text.secondary' }}>
          {t('list.clearFilters')}
        </Button>
      )}
      <Popover
        open={editing !== null}
        anchorEl={editing?.anchor}
        onClose={() => setEditing(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: { sx: { mt: 0.5, width: 340, maxWidth: 'calc(100vw - 32px)' }, role: 'dialog', 'aria-label': t('list.filter') },
        }}
      >
        {editing && (
          <Suspense fallback={null}>
            <FilterEditor
              list={list}
              initial={editing.filters}
              onApply={(filters) => replace(editing.filters, filters)}
              onCancel={() => setEditing(null)}
            />
          </Suspense>
        )}
      </Popover>
    </Stack>
  )
}
