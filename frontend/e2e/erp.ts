import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import { makeCertificates } from './certificates'

/** ERP system on this machine that is asked for its stock over HTTPS. */
export interface Erp {
  /** Base address of its interface. */
  url: string
  /** Certificate of its authority. */
  authority: string
  /** Token that it requires. */
  token: string
  /** Quantity that it has of each article. */
  free: number
  /** Its articles with numbers and names. */
  articles: { no: string; text: string }[]
  unplug: () => Promise<void>
  plug: () => Promise<void>
}

/** Starts an ERP system, or returns null if OpenSSL is not installed. */
export async function startErp(): Promise<Erp | null> {
  const certificates = makeCertificates()
  if (!certificates) return null
  const { authority, cert, key } = certificates
  let server: Server
  let port = 0
  const erp: Erp = { url: '', authority, token: 'erp-token', free: 12.5, articles: [], unplug: stop, plug: start }

  function answerTo(path: string): object | null {
    if (path.startsWith('/api/stock/')) {
      const [, number, site] = /^\/api\/stock\/([^/]+)\/([^/]+)$/.exec(path) ?? []
      return { article: { no: number && decodeURIComponent(number) }, sites: [{ site, free: erp.free }] }
    }
    return path === '/api/articles' ? { articles: erp.articles } : null
  }

  async function start() {
    server = createServer({ cert, key }, (request, response) => {
      const isKnown = request.headers.authorization === `Bearer ${erp.token}`
      const answer = isKnown ? answerTo(request.url ?? '') : {}
      response.writeHead(isKnown ? (answer ? 200 : 404) : 401, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as { port: number }).port
    erp.url = `https://127.0.0.1:${port}/api`
  }

  async function stop() {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }

  await start()
  return erp
}
