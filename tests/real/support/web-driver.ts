import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, untilReachable } from './ports.ts'

export type Engine = 'firefox' | 'webkit'

/** Sends one command of the WebDriver protocol and returns its value. Names are those of the specification. */
type Send = (command: Command, parameters?: Record<string, unknown>) => Promise<unknown>

/** Each command's name at Marionette, and its method and path for a driver that is called over HTTP. */
const commands = {
  NewSession: 'POST /session',
  DeleteSession: 'DELETE',
  Navigate: 'POST /url',
  Back: 'POST /back',
  Forward: 'POST /forward',
  Refresh: 'POST /refresh',
  ExecuteScript: 'POST /execute/sync',
  ElementClick: 'POST /element/{id}/click',
  ElementClear: 'POST /element/{id}/clear',
  ElementSendKeys: 'POST /element/{id}/value',
  PerformActions: 'POST /actions',
  ReleaseActions: 'DELETE /actions',
  SetWindowRect: 'POST /window/rect',
  TakeScreenshot: 'GET /screenshot',
} as const
type Command = keyof typeof commands

/** A started browser and how to end everything that was started for it. */
export type Driver = { send: Send; version: string; stop(): Promise<void> }

const processes = new Set<ChildProcess>()
process.once('exit', () => {
  for (const each of processes) each.kill('SIGKILL')
})

function start(program: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] })
  processes.add(child)
  const gone = once(child, 'exit').then(() => processes.delete(child))
  return {
    child,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await gone
      clearTimeout(timer)
    },
  }
}

export const startDriver = (engine: Engine): Promise<Driver> => (engine === 'firefox' ? startFirefox() : startWebKit())

/** Firefox is driven through Marionette, the protocol that geckodriver translates WebDriver to: Debian has no geckodriver. */
async function startFirefox(): Promise<Driver> {
  const profile = mkdtempSync(join(tmpdir(), 'front-counter-firefox-'))
  const port = await freePort()
  const preferences = {
    'marionette.port': port,
    'app.update.enabled': false,
    'browser.shell.checkDefaultBrowser': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'toolkit.telemetry.reportingpolicy.firstRun': false,
  }
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});\n`)
  writeFileSync(join(profile, 'user.js'), lines.join(''))
  const firefox = start('firefox-esr', [
    '--headless',
    '--marionette',
    '--no-remote',
    '--profile',
    profile,
    'about:blank',
  ])
  await untilReachable(port)
  const socket = connect(port, '127.0.0.1')
  const send = marionette(socket)
  const session = await send('NewSession', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } })
  return {
    send,
    version: versionIn(session),
    async stop() {
      socket.destroy()
      await firefox.stop()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Messages are JSON arrays with their length in front: `[0, id, command, parameters]` and `[1, id, error, result]`. */
function marionette(socket: Socket): Send {
  const waiting = new Map<number, (error: { message: string } | null, result: unknown) => void>()
  let received = Buffer.alloc(0)
  let lastId = 0
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const colon = received.indexOf(':')
      const end = colon + 1 + Number(received.subarray(0, Math.max(colon, 0)).toString())
      if (colon < 0 || received.length < end) return
      const message: unknown = JSON.parse(received.subarray(colon + 1, end).toString())
      received = received.subarray(end)
      if (Array.isArray(message)) waiting.get(message[1])?.(message[2], message[3])
    }
  })
  return (command, parameters = {}) =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, (error, result) => {
        waiting.delete(id)
        if (error) reject(new Error(`${command}: ${error.message}`))
        else resolve(isRecord(result) && 'value' in result ? result.value : result)
      })
      const text = JSON.stringify([0, id, `WebDriver:${command}`, parameters])
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    })
}

async function startWebKit(): Promise<Driver> {
  const display = start('Xvfb', ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'])
  const [chunk] = (await once(display.child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  const home = mkdtempSync(join(tmpdir(), 'front-counter-webkit-'))
  const port = await freePort()
  const driver = start('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    DISPLAY: `:${chunk.toString().trim()}`,
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CACHE_HOME: home,
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
  })
  await untilReachable(port)
  let sessionPath = ''
  const send: Send = async (command, parameters = {}) => {
    const [method = '', path = ''] = commands[command].split(' ')
    const { id = '', ...body } = parameters
    const response = await fetch(`http://127.0.0.1:${port}${sessionPath}${path.replace('{id}', String(id))}`, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`${command}: ${isRecord(value) ? value.message || value.error : response.status}`)
    return value
  }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { args: ['--automation'] } } }
  const session = await send('NewSession', { capabilities })
  if (!isRecord(session)) throw new Error('WebKitWebDriver started no session')
  sessionPath = `/session/${session.sessionId}`
  return {
    send,
    version: versionIn(session),
    async stop() {
      await send('DeleteSession').catch(() => {})
      await driver.stop()
      await display.stop()
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const versionIn = (session: unknown) =>
  isRecord(session) && isRecord(session.capabilities)
    ? `${session.capabilities.browserName} ${session.capabilities.browserVersion}`
    : 'unknown version'
