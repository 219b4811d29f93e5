import type { AlertColor } from '@mui/material/Alert'
import type { To } from 'react-router'
import { signal, useSignal } from '~/lib/signal'

type Transition = 'Fade' | 'SlideLeft' | 'SlideUp' | 'SlideRight' | 'SlideDown' | 'Grow'

/** Link to a record that a message is about. */
export interface SnackbarLink {
  label: string
  to: To
}

export interface SnackbarState {
  open: boolean
  key: number
  message: string
  variant: 'default' | 'alert'
  alert: { color: AlertColor; variant: 'filled' | 'outlined' | 'standard' }
  transition: Transition
  close: boolean
  actionButton: boolean
  /**
   * True if background news may replace it immediately: it is news itself, or says that something has begun.
   */
  isReplaceable: boolean
  undo?: (() => void | Promise<void>) | undefined
  /** Links after the message. */
  links?: readonly SnackbarLink[] | undefined
}

const CLOSED: SnackbarState = {
  open: false,
  key: 0,
  message: '',
  variant: 'alert',
  alert: { color: 'success', variant: 'filled' },
  transition: 'SlideUp',
  close: true,
  actionButton: false,
  isReplaceable: false,
}

const state = signal(CLOSED)

export type SnackbarOptions = Partial<Pick<SnackbarState, 'transition' | 'close' | 'undo' | 'isReplaceable' | 'links'>>
const alert = (color: AlertColor, message: string, options?: SnackbarOptions): SnackbarState => ({
  ...CLOSED,
  ...options,
  open: true,
  key: state.get().key + 1,
  message,
  alert: { color, variant: 'filled' },
  actionButton: options?.undo !== undefined,
})
const alertOf = (color: AlertColor) => (message: string, options?: SnackbarOptions) => state.set(alert(color, message, options))

/** News to show after the current message. */
let news: { color: AlertColor; message: string } | null = null

/** Shows messages; usable outside of React, wherever a save ends. */
export const notify = {
  success: alertOf('success'),
  info: alertOf('info'),
  warning: alertOf('warning'),
  error: alertOf('error'),
  /** Reports an action that can be undone. */
  undoable(message: string, undo: () => void | Promise<void>, options?: SnackbarOptions) {
    state.set({ ...CLOSED, ...options, open: true, key: state.get().key + 1, message, variant: 'default', actionButton: true, undo })
  },
  /** Reports background news, without replacing an answer or an undo that is on screen. */
  news(color: AlertColor, message: string) {
    const { open, isReplaceable } = state.get()
    if (open && !isReplaceable) news = { color, message }
    else state.set(alert(color, message, { isReplaceable: true }))
  },
  close() {
    const next = news
    news = null
    state.set(next ? alert(next.color, next.message, { isReplaceable: true }) : { ...state.get(), open: false })
  },
}

export const useSnackbar = (): SnackbarState => useSignal(state)

const slots = signal<readonly HTMLElement[]>([])

/** Registers the slot of an open drawer or dialog; returns a function that removes it. */
export function offerSlot(element: HTMLElement): () => void {
  slots.set([...slots.get(), element])
  return () => slots.set(slots.get().filter((slot) => slot !== element))
}

/** Slot of the drawer or dialog that was opened last. */
export const useSnackbarSlot = (): HTMLElement | null => useSignal(slots).at(-1) ?? null
