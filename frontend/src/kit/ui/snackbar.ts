import type { AlertColor } from '@mui/material/Alert'
import type { To } from 'react-router'
import { signal, useSignal } from '~/lib/signal'

type Transition = 'Fade' | 'SlideLeft' | 'SlideUp' | 'SlideRight' | 'SlideDown' | 'Grow'

/** A record that a message is about. */
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
  /** News take its place at once: it is news, or says that something has begun. */
  yields: boolean
  undo?: (() => void | Promise<void>) | undefined
  /** Behind the message. */
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
  yields: false,
}

const state = signal(CLOSED)

export type SnackbarOptions = Partial<Pick<SnackbarState, 'transition' | 'close' | 'undo' | 'yields' | 'links'>>
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

/** The news to be told when what is shown has had its time. */
let news: { color: AlertColor; message: string } | null = null

/** Outside of React too: a finished save reports from wherever it ends. */
export const notify = {
  success: alertOf('success'),
  info: alertOf('info'),
  warning: alertOf('warning'),
  error: alertOf('error'),
  /** Something was done that can be taken back. */
  undoable(message: string, undo: () => void | Promise<void>, options?: SnackbarOptions) {
    state.set({ ...CLOSED, ...options, open: true, key: state.get().key + 1, message, variant: 'default', actionButton: true, undo })
  },
  /** Of what goes on in the background: it takes the place of no answer, and no undo, that somebody waits for. */
  news(color: AlertColor, message: string) {
    const { open, yields } = state.get()
    if (open && !yields) news = { color, message }
    else state.set(alert(color, message, { yields: true }))
  },
  close() {
    const next = news
    news = null
    state.set(next ? alert(next.color, next.message, { yields: true }) : { ...state.get(), open: false })
  },
}

export const useSnackbar = (): SnackbarState => useSignal(state)

const slots = signal<readonly HTMLElement[]>([])

/** A place in an open drawer or dialog, for as long as it is there. */
export function offerSlot(element: HTMLElement): () => void {
  slots.set([...slots.get(), element])
  return () => slots.set(slots.get().filter((one) => one !== element))
}

/** The place in the drawer or dialog that was opened last. */
export const useSnackbarSlot = (): HTMLElement | null => useSignal(slots).at(-1) ?? null
