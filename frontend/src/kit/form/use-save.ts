import { useMutation } from '@tanstack/react-query'
import { notify } from '../feedback/snackbar'

interface Options<B, R> {
  save: (body: B) => Promise<R>
  /** Said in the snackbar, unless `done` says more. */
  message?: (result: R) => string
  done?: (result: R) => void
}

/** One save: call, word of success, what comes next. Failures belong to the form, never to the snackbar. */
export function useSave<B, R>({ save, message, done }: Options<B, R>) {
  const mutation = useMutation({
    mutationFn: save,
    onSuccess(result) {
      if (message) notify.success(message(result))
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
