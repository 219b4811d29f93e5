import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { identity } from './client'

/**
 * Yields the server-sent events of each received chunk; an empty array is a sign of life. Ends with the
 * response, or immediately if there is none.
 */
export async function* events(path: string, headers: Record<string, string>, signal: AbortSignal): AsyncGenerator<EventSourceMessage[]> {
  const { ok, body } = await globalThis.fetch(`${location.origin}${path}`, {
    headers: { ...identity(), ...headers, Accept: 'text/event-stream' },
    signal,
    cache: 'no-store',
  })
  if (!ok || !body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  signal.addEventListener('abort', () => void reader.cancel().catch(() => {}))
  let messages: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => messages.push(message) })
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    messages = []
    parser.feed(value)
    yield messages
  }
}
