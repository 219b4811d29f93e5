import Box from '@mui/material/Box'
import { styled } from '@mui/material/styles'
import { TriangleAlert } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useRef } from 'react'

interface Tab<T extends string> {
  id: T
  text: string
  /** Error on the tab's panel, if there is one. */
  fault: string | null
}

interface Props<T extends string> {
  label: string
  /** Prefix of the ids of tabs and panels. */
  prefix: string
  tabs: readonly Tab<T>[]
  current: T
  onChange: (tab: T) => void
}

/** Tabs without addresses, for parts of one form: one tab stop, arrow keys within. */
export function TabList<T extends string>({ label, prefix, tabs, current, onChange }: Props<T>) {
  const list = useRef<HTMLDivElement>(null)
  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex(({ id }) => id === current)
    const places: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }
    const place = places[event.key]
    const next = place === undefined ? undefined : tabs[place % tabs.length]
    if (!next) return
    event.preventDefault()
    onChange(next.id)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${prefix}-${next.id}`)}`)?.focus()
  }
  return (
    <Box sx={{ borderBottom: 1, borderColor: 'divider', overflowX: 'auto' }}>
      <Box ref={list} role="tablist" aria-label={label} onKeyDown={onKeyDown} sx={{ display: 'flex', gap: 0.5, width: 'max-content' }}>
        {tabs.map(({ id, text, fault }) => (
          <TabButton
            key={id}
            type="button"
            role="tab"
            id={`${prefix}-${id}`}
            aria-selected={id === current}
            aria-controls={`${prefix}-${id}-panel`}
            tabIndex={id === current ? 0 : -1}
            onClick={() => onChange(id)}
          >
            {text}
            {fault && <Box component={TriangleAlert} size={16} role="img" aria-label={fault} sx={{ color: 'error.main' }} />}
          </TabButton>
        ))}
      </Box>
    </Box>
  )
}

/**
 * Panel that is visible while its tab is selected; it stays mounted, so that errors of its fields are known.
 */
export function TabPanel({ prefix, id, current, children }: { prefix: string; id: string; current: string; children: ReactNode }) {
  return (
    <Box
      role="tabpanel"
      id={`${prefix}-${id}-panel`}
      aria-labelledby={`${prefix}-${id}`}
      hidden={id !== current}
      sx={{ '&:not([hidden])': { display: 'grid', gap: 2.5, gridTemplateColumns: 'minmax(0, 1fr)' } }}
    >
      {children}
    </Box>
  )
}

const TabButton = styled('button')(({ theme }) => ({
  ...theme.typography.button,
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(1),
  padding: theme.spacing(1.25, 1.5),
  border: 0,
  background: 'none',
  cursor: 'pointer',
  color: theme.vars?.palette.text.secondary,
  borderBottom: '2px solid transparent',
  '&:hover': { color: theme.vars?.palette.text.primary },
  '&:focus-visible': { outline: `2px solid ${theme.vars?.palette.primary.main}`, outlineOffset: -2 },
  '&[aria-selected=true]': { color: theme.vars?.palette.primary.main, borderBottomColor: theme.vars?.palette.primary.main },
}))
