import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { startStripeSandbox } from '@front-counter/stripe-sandbox'
import Stripe from 'stripe'
import { runCommand, statusOf } from '#server/setup/open-setup-system.ts'
import type { CommandResult, SetupSystem } from '#server/setup/setup-system.ts'
import { freePort, startPostgres } from '../../scripts/postgres.ts'
import { renamed } from './renamed-http-client.ts'
import { startSmtpServer } from './smtp-server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const done: CommandResult = { code: 0, stdout: '', stderr: '' }
const publicUrl = 'https://news.example.com'
const failure = (code: number, stderr = ''): CommandResult => ({ code, stdout: '', stderr })

export type SetupMachine = Awaited<ReturnType<typeof startSetupMachine>>

/**
 * A bare server with a mail server, a Stripe account and DNS. PostgreSQL, SMTP, HTTP and Front Counter are real. apt,
 * systemd and Caddy are stand-ins: the service starts with the command and environment file that its unit names.
 */
export async function startSetupMachine({
  sourceDirectory = root,
  nodePath = process.execPath,
  buildsPages = false,
} = {}) {
  const fileRoot = mkdtempSync(join(tmpdir(), 'front-counter-setup-'))
  const postgres = await startPostgres()
  const smtp = await startSmtpServer({ credentials: { user: 'news', password: 'right' } })
  const stripe = await startStripeSandbox({
    dataFile: ':memory:',
    port: 0,
    seed: {
      products: [],
      prices: [],
      webhook: { url: 'http://127.0.0.1:9/another-app', secret: 'whsec_another_app' },
      portal: { products: [], returnUrl: 'http://localhost:9/' },
    },
  })
  const state = {
    records: new Map<string, string[]>([
      ['A news.example.com', ['203.0.113.5']],
      ['TXT example.com', ['v=spf1 a:mail.example.com -all']],
      ['TXT _dmarc.example.com', ['v=DMARC1; p=none']],
    ]),
    freeBytes: 20e9,
    clockErrorMs: 0,
    canRead: true,
    /** Answers to questions, in order. Null: no one can answer. */
    answers: null as string[] | null,
    printed: [] as string[],
    commands: [] as string[],
    asked: 0,
  }
  const time = createServer((_request, response) => void response.end()).listen(0, '127.0.0.1')
  await once(time, 'listening')

  const installed = new Set<string>()
  const service: { child: ChildProcess | null; log: string } = { child: null, log: '' }
  const isRunning = () => service.child !== null && service.child.exitCode === null && service.child.signalCode === null

  /** As systemd does: as the unit says. DATA_DIR and the backups are below this machine's root. */
  function start() {
    const unit = readFileSync(`${fileRoot}/etc/systemd/system/front-counter.service`, 'utf8')
    const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
    const [program = '', ...args] = setting('ExecStart').split(' ')
    const env = parseEnv(readFileSync(fileRoot + setting('EnvironmentFile'), 'utf8'))
    const child = spawn(program, args, {
      cwd: setting('WorkingDirectory'),
      env: { ...env, DATA_DIR: fileRoot + env.DATA_DIR, BACKUP_DESTINATION: fileRoot + env.BACKUP_DESTINATION },
    })
    service.child = child
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        service.log += chunk
      })
    }
  }
  async function stop() {
    if (!isRunning()) return
    const exited = once(service.child as ChildProcess, 'exit')
    service.child?.kill('SIGTERM')
    await exited
  }

  const programs: Record<string, (args: string[], input?: string) => CommandResult | Promise<CommandResult>> = {
    dpkg: ([, name = '']) => (installed.has(name) ? { ...done, stdout: 'Status: install ok installed' } : failure(1)),
    'apt-get': () => done,
    'apt-cache': () => done,
    env(args) {
      for (const name of args.slice(args.indexOf('install') + 1)) installed.add(name)
      return done
    },
    id: () => (installed.has('user') ? done : failure(1)),
    useradd() {
      installed.add('user')
      return done
    },
    install(args) {
      mkdirSync(fileRoot + args.at(-1), { recursive: true })
      return done
    },
    caddy: () => done,
    runuser([, , , program = '', ...args], input) {
      if (program !== 'psql') return state.canRead ? done : failure(1)
      if (!installed.has('postgresql')) return failure(127)
      const { port } = new URL(postgres.url)
      return runCommand('psql', ['-h', '127.0.0.1', '-p', port, '-U', 'postgres', ...args], { input })
    },
    journalctl: () => ({ ...done, stdout: service.log }),
    async systemctl(args) {
      if (args.includes('caddy')) return args[0] === 'is-active' ? failure(installed.has('caddy') ? 0 : 3) : done
      if (args[0] === 'is-active') return isRunning() ? done : failure(3)
      if (args[0] === 'is-failed') return service.child?.exitCode ? done : failure(1)
      if (args[0] === 'restart') await stop()
      if (args[0] === 'restart' || args[0] === 'enable') start()
      return done
    },
    [nodePath]: (args) => (buildsPages ? runCommand(nodePath, args) : done),
  }

  const lookUp = async (type: string, name: string) => {
    const found = state.records.get(`${type} ${name}`)
    if (!found) throw Object.assign(new Error('none'), { code: 'ENODATA' })
    return found
  }

  const port = await freePort()
  const system: SetupSystem = {
    sourceDirectory,
    fileRoot,
    nodePath,
    run(command, args, options) {
      state.commands.push([command, ...args].join(' '))
      return Promise.resolve(programs[command]?.([...args], options?.input) ?? failure(127, `${command}: not found`))
    },
    dns: {
      resolve4: (name) => lookUp('A', name),
      resolve6: (name) => lookUp('AAAA', name),
      resolveTxt: async (name) => (await lookUp('TXT', name)).map((text) => [text]),
    },
    addresses: () => ['127.0.0.1', '203.0.113.5'],
    // The sandbox takes test keys only.
    openStripe: (key) =>
      new Stripe(key.includes('revoked') ? 'revoked' : key.replace('live', 'test'), {
        host: '127.0.0.1',
        port: stripe.port,
        protocol: 'http',
        maxNetworkRetries: 0,
        httpClient: renamed(publicUrl, `http://127.0.0.1:${port}`),
      }),
    clock: () => new Date(Date.now() + state.clockErrorMs),
    timeUrl: `http://127.0.0.1:${(time.address() as AddressInfo).port}/`,
    freeBytes: () => state.freeBytes,
    isPortFree: async (wanted) => wanted !== port || !isRunning(),
    statusOf: (url) => statusOf(url.replace(publicUrl, `http://127.0.0.1:${port}`)),
    get ask() {
      const { answers } = state
      if (!answers) return null
      return async () => {
        state.asked += 1
        const answer = answers.shift()
        if (answer === undefined) throw new Error('more questions than answers')
        return answer
      }
    },
    print: (line) => void state.printed.push(line),
  }
  const file = `${fileRoot}/etc/front-counter/environment`
  return {
    system,
    state,
    file,
    port,
    postgres,
    stripe,
    answers: {
      domain: 'news.example.com',
      from: 'letters@example.com',
      smtp: smtp.url.replace('//', '//news:right@'),
      stripe: 'sk_live_setup',
      owner: 'owner@example.com',
    },
    variables: () => (existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}),
    pid: () => (isRunning() ? service.child?.pid : null),
    log: () => service.log,
    stopService: stop,
    async close() {
      await stop()
      await Promise.all([smtp.close(), stripe.close(), postgres.stop()])
      time.close()
      rmSync(fileRoot, { recursive: true, force: true })
    },
  }
}
