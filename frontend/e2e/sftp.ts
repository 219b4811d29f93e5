import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from './server'

/** OpenSSH's server with one user, who has a key. */
export interface SftpServer {
  port: number
  user: string
  /** The private key of the user. */
  key: string
  /** The folder that the user sees. */
  folder: string
  stop: () => void
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

function program(): string | null {
  try {
    return execFileSync(join(import.meta.dirname, '../../scripts/provide'), ['sshd'], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

/** The user that the server runs as: not root, where the tests do. */
function account() {
  const own = userInfo()
  if (own.uid !== 0) return { name: own.username, uid: own.uid, gid: own.gid }
  const line =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith('nobody:')) ?? ''
  const [name = '', , uid, gid] = line.split(':')
  return { name, uid: Number(uid), gid: Number(gid) }
}

/** Starts a server, or returns null where OpenSSH is not installed. */
export async function startSftp(): Promise<SftpServer | null> {
  const sshd = program()
  if (!sshd) return null
  const { name, uid, gid } = account()
  const home = mkdtempSync(join(tmpdir(), 'stalhof-sftp-'))
  const folder = join(home, 'served')
  mkdirSync(folder)
  for (const key of ['host_key', 'user_key']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(home, key)])
  const port = await freePort()
  const lines = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${home}/host_key`,
    `AuthorizedKeysFile ${home}/user_key.pub`,
    `Subsystem sftp internal-sftp -d ${folder}`,
    // without PAM it would refuse a user whose password is locked
    'PidFile none\nUsePAM yes\nStrictModes no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPrintMotd no\n',
  ]
  writeFileSync(join(home, 'config'), lines.join('\n'))
  const key = readFileSync(join(home, 'user_key'), 'utf8')
  for (const path of ['', 'served', 'host_key', 'user_key.pub', 'config']) {
    if (statSync(join(home, path)).uid !== uid) chownSync(join(home, path), uid, gid)
  }
  chmodSync(home, 0o755)
  const isOther = userInfo().uid !== uid
  const server = spawn(sshd, ['-D', '-e', '-f', join(home, 'config')], { stdio: 'ignore', cwd: '/', ...(isOther && { uid, gid }) })
  const stop = () => {
    server.kill()
    rmSync(home, { recursive: true, force: true })
  }
  for (let attempt = 0; !(await listens(port)); attempt++) {
    if (server.exitCode !== null || attempt > 200) {
      stop()
      throw new Error('the SFTP server does not listen')
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { port, user: name, key, folder, stop }
}
