import { useMutation } from '@tanstack/react-query'
import { notify, type SnackbarLink } from '~/kit/ui/snackbar'
import { useOffer } from '~/kit/ui/use-undo'

/** A message about a save of several records: links to them, and the answer whose undo is offered. */
export interface SavedMessage {
  text: string
  links: readonly SnackbarLink[]
  answer: unknown
}

interface Options<B, R> {
  save: (body: B) => Promise<R>
  /** Said in the snackbar, unless `done` says more. */
  message?: (result: R) => string | SavedMessage
  /** It has only begun: the news of its end take the message's place. */
  begins?: boolean
  /** Whether it can be taken back. */
  undoable?: boolean
  done?: (result: R) => void
}

/** One save: call, word of success, what comes next. Failures belong to the form, never to the snackbar. */
export function useSave<B, R>({ save, message, begins = false, undoable, done }: Options<B, R>) {
  const offer = useOffer()
  const mutation = useMutation({
    mutationFn: save,
    onSuccess(result) {
      const said = message?.(result)
      const { text, links, answer } = typeof said === 'object' ? said : { text: said, links: undefined, answer: result }
      if (text && undoable) offer(text, answer, { links })
      else if (text) notify.success(text, { yields: begins, links })
      done?.(result)
    },
  })
  return {
    submit: mutation.mutate,
    sent: mutation.variables,
    error: mutation.error as unknown,
    pending: mutation.isPending,
    reset: mutation.reset,
  }
}
