#!/usr/bin/env node
/** Runs the sandbox standalone: `node main.ts --port 4242`. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startStripeSandbox } from './index.ts'
import { readSeedFile } from './seed-file.ts'

const help = `A stand-in for Stripe on this machine.

  --port <number>        4242 by default
  --data <file>          data file: .stripe-sandbox/state.sqlite by default
  --memory               don't store anything
  --seed <file>          initial products, prices and portal; see seed.example.json
  --webhook <url>        the application's webhook route, on this machine
  --webhook-secret <s>   signing secret; generated and stored by default
  --public-url <url>     base of checkout, portal and invoice URLs; http://localhost:<port> by default
  --host <address>       localhost (both 127.0.0.1 and ::1) by default; loopback addresses only
`

const options = {
  data: { default: '.stripe-sandbox/state.sqlite', type: 'string' },
  help: { default: false, short: 'h', type: 'boolean' },
  host: { type: 'string' },
  memory: { default: false, type: 'boolean' },
  port: { default: '4242', type: 'string' },
  'public-url': { type: 'string' },
  seed: { type: 'string' },
  webhook: { type: 'string' },
  'webhook-secret': { type: 'string' },
} as const

function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new Error(`--port takes a number up to 65535, not ${text}.`)
  return port
}

async function run(): Promise<void> {
  const { values } = parseArgs({ options })
  if (values.help) {
    process.stdout.write(help)
    return
  }
  const seed = values.seed === undefined ? {} : readSeedFile(readFileSync(values.seed, 'utf8'))
  const { webhook: url, 'webhook-secret': secret } = values
  const sandbox = await startStripeSandbox({
    dataFile: values.memory ? ':memory:' : values.data,
    host: values.host,
    log: (message, fields) => console.error(message, JSON.stringify(fields ?? {})),
    port: readPort(values.port),
    publicUrl: values['public-url'],
    seed: url === undefined ? seed : { ...seed, webhook: { secret, url } },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close())
  console.log(`Stripe sandbox: ${sandbox.url}/v1, control pages ${sandbox.url}/sandbox`)
  if (url !== undefined) console.log(`Webhooks go to ${url}, signed with ${sandbox.webhookSecret}`)
}

try {
  await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
