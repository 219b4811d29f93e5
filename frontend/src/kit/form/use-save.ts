import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { notify } from '../feedback/snackbar'

interface Options<B, R> {
  save: (body: B) => Promise<R>
  /** Query key prefixes that are stale afterwards. */
  keys: readonly QueryKey[]
  /** Said in the snackbar. */
  message: (result: R) => string
  done?: (result: R) => void
}

/** One save: call, stale lists, word of success, what comes next. Failures belong to the form, never to the snackbar. */
export function useSave<B, R>({ save, keys, message, done }: Options<B, R>) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: save,
    onSuccess(result) {
      for (const queryKey of keys) void client.invalidateQueries({ queryKey })
      notify.success(message(result))
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
