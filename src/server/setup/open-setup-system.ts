import { spawn } from 'node:child_process'
import { Resolver } from 'node:dns/promises'
import { existsSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '#server/explain-start-error.ts'
import { createStripe } from '#server/features/billing/subscriptions/stripe/stripe-overview.ts'
import type { CommandResult, SetupSystem } from './setup-system.ts'

const none = { productId: '', priceId: '' }

/** The machine that this program runs on. */
export function openSetupSystem(): { system: SetupSystem; close(): void } {
  const dns = new Resolver({ timeout: 5_000, tries: 2 })
  const terminal = process.stdin.isTTY ? openTerminal() : null
  return {
    system: {
      sourceDirectory: fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, ''),
      fileRoot: '',
      nodePath: process.execPath,
      run: runCommand,
      dns: {
        resolve4: (name) => dns.resolve4(name),
        resolve6: (name) => dns.resolve6(name),
        resolveTxt: (name) => dns.resolveTxt(name),
      },
      addresses: () => Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? []),
      openStripe: (secretKey) =>
        createStripe({
          kind: 'live',
          secretKey,
          webhookSecrets: [],
          ids: { pro_monthly: none, pro_yearly: none, team_monthly: none },
        }),
      clock: () => new Date(),
      timeUrl: 'https://api.stripe.com/',
      freeBytes,
      isPortFree,
      statusOf,
      ask: terminal?.ask ?? null,
      print: (line) => console.log(line),
    },
    close: () => terminal?.close(),
  }
}

export function runCommand(
  command: string,
  args: readonly string[],
  { input = '' }: { input?: string } = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'pipe' })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk
    })
    child.on('error', ({ message }) => resolve({ code: 127, stdout, stderr: message }))
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr }))
    // The program may end without reading its input.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

/** Bytes left on the file system that the path will be in. */
export function freeBytes(path: string): number {
  if (!existsSync(path)) return freeBytes(dirname(path))
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, () => probe.close(() => resolve(true)))
  })
}

export const statusOf = (url: string): Promise<number | null> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status,
    () => null,
  )

/** Doesn't show what is typed as an answer to a secret question. */
function openTerminal() {
  let isHidden = false
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isHidden) process.stdout.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  const ended = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new OperatorError('\nCanceled. Nothing was changed.')))
  })
  ended.catch(() => {})
  return {
    async ask(question: string, { isSecret }: { isSecret: boolean }): Promise<string> {
      const prompt = `${question}: `
      if (isSecret) process.stdout.write(prompt)
      isHidden = isSecret
      try {
        return await Promise.race([lines.question(isSecret ? '' : prompt), ended])
      } finally {
        isHidden = false
        if (isSecret) process.stdout.write('\n')
      }
    },
    close: () => lines.close(),
  }
}
