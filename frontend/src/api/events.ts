import { identity } from './client'

/** Something of a stream, as it comes: which events, or nothing but that the server is there. */
interface Part {
  name: string | undefined
  data: string | undefined
}

/** Server-sent events, those of each piece that arrives together (HTML Standard, 9.2.6). Ends with the answer; where there is none, at once. */
export async function* events(path: string, headers: Record<string, string>, signal: AbortSignal): AsyncGenerator<Part[]> {
  const { ok, body } = await globalThis.fetch(`${location.origin}${path}`, {
    headers: { ...identity(), ...headers, Accept: 'text/event-stream' },
    signal,
    cache: 'no-store',
  })
  if (!ok || !body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  signal.addEventListener('abort', () => void reader.cancel().catch(() => {}))
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    yield blocks.map(partOf)
  }
}

function partOf(block: string): Part {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  return { name: field('event'), data: field('data') }
}
