import { useMutation } from '@tanstack/react-query'
import { notify, type SnackbarLink } from '~/kit/ui/snackbar'
import { useOfferUndo } from '~/kit/ui/use-undo'

/** Message about a save of several records: links to them, and the answer whose undo is offered. */
export interface SavedMessage {
  text: string
  links: readonly SnackbarLink[]
  answer: unknown
}

interface Options<B, R> {
  save: (body: B) => Promise<R>
  /** Text for the snackbar, unless `done` shows more. */
  message?: (result: R) => string | SavedMessage
  /** True if the work has only begun: the message of its end replaces this one. */
  startsJob?: boolean
  /** True if the save can be undone. */
  undoable?: boolean
  done?: (result: R) => void
}

/**
 * Saves once: calls the server, shows the success, then calls `done`. Errors are shown in the form, never in
 * the snackbar.
 */
export function useSave<B, R>({ save, message, startsJob = false, undoable, done }: Options<B, R>) {
  const offerUndo = useOfferUndo()
  const mutation = useMutation({
    mutationFn: save,
    onSuccess(result) {
      const savedMessage = message?.(result)
      const { text, links, answer } =
        typeof savedMessage === 'object' ? savedMessage : { text: savedMessage, links: undefined, answer: result }
      if (text && undoable) offerUndo(text, answer, { links })
      else if (text) notify.success(text, { isReplaceable: startsJob, links })
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
