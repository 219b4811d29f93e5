import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Keys of an HTTPS server on this machine, and the certificate of the authority that signed them. */
export interface Certificates {
  authority: string
  cert: string
  key: string
}

const DAYS = '2'
const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] })
const newKey = (file: string) => ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file]

/**
 * Creates an authority, and a certificate signed by it for this machine. Returns null if OpenSSL is not
 * installed.
 */
export function makeCertificates(): Certificates | null {
  const home = mkdtempSync(join(tmpdir(), 'stalhof-certificates-'))
  const file = (name: string) => join(home, name)
  try {
    openssl('req', '-x509', ...newKey(file('ca.key')), '-out', file('ca.pem'), '-days', DAYS, '-subj', '/CN=Stalhof e2e')
    openssl('req', ...newKey(file('key')), '-out', file('csr'), '-subj', '/CN=127.0.0.1')
    writeFileSync(file('extensions'), 'subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n')
    const authority = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial']
    openssl('x509', '-req', '-in', file('csr'), ...authority, '-extfile', file('extensions'), '-out', file('pem'), '-days', DAYS)
    const read = (name: string) => readFileSync(file(name), 'utf8')
    return { authority: read('ca.pem'), cert: read('pem'), key: read('key') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
