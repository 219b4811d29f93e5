import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import { makeCertificates } from './certificates'

/** Request as received. */
export interface Received {
  id: string
  type: string
  /** True if the signature matches the secret, as specified by Standard Webhooks. */
  isSigned: boolean
}

/** HTTPS server on this machine that receives webhooks. */
export interface Receiver {
  url: string
  /** Certificate of its authority. */
  authority: string
  received: Received[]
  /** Status of its responses. */
  status: number
  secret: string
  stop: () => Promise<void>
}

/** Checks the signature of a request against the secret, `whsec_` and base64. */
function isSigned(secret: string, id: string, timestamp: string, body: string, signatures: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return signatures.split(' ').some((signature) => {
    const actual = Buffer.from(signature.replace('v1,', ''), 'base64')
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  })
}

/** Starts a receiver, or returns null if OpenSSL is not installed. */
export async function startReceiver(): Promise<Receiver | null> {
  const certificates = makeCertificates()
  if (!certificates) return null
  const { authority, cert, key } = certificates
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
}
