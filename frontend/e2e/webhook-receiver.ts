import { execFileSync } from 'node:child_process'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A request as it arrived. */
export interface Received {
  id: string
  type: string
  /** True if the signature is that of the secret, as Standard Webhooks has it. */
  isSigned: boolean
}

/** An HTTPS server on this machine that webhooks are sent to. */
export interface Receiver {
  url: string
  /** The certificate of the authority that vouches for it. */
  authority: string
  received: Received[]
  /** The status that it answers with. */
  status: number
  secret: string
  stop: () => Promise<void>
}

const DAYS = '2'
const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] })
const newKey = (file: string) => ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file]

/** Makes an authority, and a certificate by it for this machine. */
function certificates(home: string) {
  const file = (name: string) => join(home, name)
  openssl('req', '-x509', ...newKey(file('ca.key')), '-out', file('ca.pem'), '-days', DAYS, '-subj', '/CN=Stalhof e2e')
  openssl('req', ...newKey(file('key')), '-out', file('csr'), '-subj', '/CN=127.0.0.1')
  writeFileSync(file('extensions'), 'subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n')
  const authority = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial']
  openssl('x509', '-req', '-in', file('csr'), ...authority, '-extfile', file('extensions'), '-out', file('pem'), '-days', DAYS)
  const read = (name: string) => readFileSync(file(name), 'utf8')
  return { authority: read('ca.pem'), cert: read('pem'), key: read('key') }
}

/** The signature of a request by the text of the secret, `whsec_` and base64. */
function isSigned(secret: string, id: string, timestamp: string, body: string, signatures: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** Starts a receiver, or returns null where OpenSSL is not installed. */
export async function startReceiver(): Promise<Receiver | null> {
  const home = mkdtempSync(join(tmpdir(), 'stalhof-webhooks-'))
  try {
    const { authority, cert, key } = certificates(home)
    const receiver: Receiver = { url: '', authority, received: [], status: 204, secret: '', stop: async () => {} }
    const server = createServer({ cert, key }, (request, response) => {
      const header = (name: string) => String(request.headers[name] ?? '')
      let body = ''
      request.setEncoding('utf8').on('data', (part: string) => {
        body += part
      })
      request.on('end', () => {
        const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
        const { type } = JSON.parse(body) as { type: string }
        receiver.received.push({ id, type, isSigned: isSigned(receiver.secret, id, timestamp, body, header('webhook-signature')) })
        response.writeHead(receiver.status).end()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    receiver.url = `https://127.0.0.1:${port}/stalhof`
    receiver.stop = async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
    return receiver
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
