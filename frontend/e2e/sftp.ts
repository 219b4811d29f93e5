import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'

const NOT_INSTALLED = 3

/** OpenSSH server with one user, who has a key. */
export interface SftpServer {
  port: number
  user: string
  /** Private key of the user. */
  key: string
  /** Folder with the user's files. */
  folder: string
  stop: () => Promise<void>
}

/** Starts a server, or returns null if OpenSSH is not installed. */
export async function startSftp(): Promise<SftpServer | null> {
  const home = mkdtempSync(join(tmpdir(), 'stalhof-sftp-'))
  const script = join(import.meta.dirname, '../../scripts/sftp_server.py')
  const server = spawn('python3', [script, home], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(server, 'exit')
  const stop = async () => {
    server.stdin.end()
    await ended
    rmSync(home, { recursive: true, force: true })
  }
  for await (const line of createInterface(server.stdout)) return { ...JSON.parse(line), stop }
  await stop()
  if (server.exitCode !== NOT_INSTALLED) throw new Error(`the SFTP server ended with ${server.exitCode}`)
  return null
}
