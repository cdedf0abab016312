import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { findPackageJSON } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSeedFile } from '../seed-file.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))

type Package = {
  name: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const readPackage = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Package & { version: string }
const own = readPackage(join(folder, 'package.json'))
const declared = { ...own.dependencies, ...own.devDependencies }

const sources = globSync('**/*.ts', { cwd: folder, exclude: ['dist/**', 'node_modules/**'] })
/** Files used at run time, not only for building or testing. */
const isRuntime = (file: string): boolean => !/^(tests\/|build\.ts|vitest\.config\.ts)/.test(file)

const importing = /^(?:(?:import|export)\b[^'\n]*|\} )from '([^']+)'|\bawait import\('([^']+)'\)/gm
const imports = (file: string): string[] =>
  [...readFileSync(join(folder, file), 'utf8').matchAll(importing)].map(([, still, moving]) => still ?? moving ?? '')

const packageOf = (name: string): string => name.split('/', name.startsWith('@') ? 2 : 1).join('/')
const isBare = (name: string): boolean => !name.startsWith('.') && !name.startsWith('node:')

test('every import stays in the package or names a declared dependency', () => {
  expect(sources.length).toBeGreaterThan(100)
  for (const file of sources) {
    for (const name of imports(file)) {
      if (name.startsWith('.')) {
        const target = resolve(folder, dirname(file), name)
        expect([file, name, target.startsWith(folder) && existsSync(target)]).toEqual([file, name, true])
      }
      if (!isBare(name)) continue
      const known = Object.keys(isRuntime(file) ? own.dependencies : declared)
      expect([file, known.includes(packageOf(name)) || name]).toEqual([file, true])
    }
  }
})

test('every declared dependency is used, in the version that these tests use', () => {
  const used = new Set(sources.flatMap(imports).filter(isBare).map(packageOf))
  // Used only by the compiler's command and configuration.
  for (const name of ['typescript', '@types/node']) used.add(name)
  expect([...used].sort()).toEqual(Object.keys(declared).sort())
  for (const [name, version] of Object.entries(declared)) {
    const installed = findPackageJSON(name, import.meta.url)
    expect([name, readPackage(installed ?? '').version]).toEqual([name, version])
  }
})

const installedAt = (name: string): string => dirname(findPackageJSON(name, import.meta.url) ?? '')

function link(into: string, names: string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(into, 'node_modules', name)), { recursive: true })
    symlinkSync(installedAt(name), join(into, 'node_modules', name))
  }
}

/** Leaves out the variables that a test run sets for its child processes, which would confuse another run. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|NODE_PATH|npm_)/.test(name)),
)

const run = (cwd: string, program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', env: environment, stdio: ['ignore', 'pipe', 'pipe'] })

test('the example seed is valid, and an invalid seed gets an error that names the field', () => {
  const example = readSeedFile(readFileSync(join(folder, 'seed.example.json'), 'utf8'))
  expect(example.prices?.map((each) => each.id)).toEqual(['price_basic', 'price_plus'])
  const wrong: [unknown, string][] = [
    [[], 'The seed must be an object.'],
    [{ products: {} }, 'products must be a list.'],
    [{ products: [{ id: 'p' }] }, 'products[0].name must be a string.'],
    [
      { prices: [{ ...example.prices?.[0], unitAmount: 9.5 }] },
      'prices[0].unitAmount must be a whole number of cents.',
    ],
    [{ prices: [{ ...example.prices?.[0], cents: 1 }] }, 'prices[0] has an unknown field cents'],
    [{ portal: { products: [] } }, 'portal.returnUrl must be a string.'],
  ]
  for (const [seed, sentence] of wrong) expect(() => readSeedFile(JSON.stringify(seed))).toThrow(sentence)
})

describe('the package alone, with only its declared dependencies', () => {
  let home: string
  let copy: string
  let consumer: string
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'stripe-sandbox-'))
    copy = join(home, 'copy')
    consumer = join(home, 'consumer')
    cpSync(folder, copy, { filter: (path) => !/\/(dist|node_modules)$/.test(path), recursive: true })
    link(copy, Object.keys(declared))
    run(copy, process.execPath, 'build.ts')
    const packed = run(join(copy, 'dist'), 'npm', 'pack', '--silent', '--pack-destination', home).trim()
    const target = join(consumer, 'node_modules', own.name)
    mkdirSync(target, { recursive: true })
    run(home, 'tar', '-xzf', join(home, packed), '--strip-components=1', '-C', target)
    link(consumer, ['stripe'])
    writeFileSync(join(consumer, 'package.json'), '{"type":"module"}')
  })
  afterAll(() => rmSync(home, { force: true, recursive: true }))

  test('its types check and its own tests pass', () => {
    run(copy, process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json')
    const said = run(copy, process.execPath, 'node_modules/vitest/vitest.mjs', 'run', 'tests/front.test.ts')
    expect(stripVTControlCharacters(said)).toMatch(/Test Files +1 passed/)
  })

  test('the published package contains code but no tests, and works with the official library', () => {
    const target = join(consumer, 'node_modules', own.name)
    const files = globSync('**/*', { cwd: target })
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'index.js', 'index.d.ts', 'main.js']))
    expect(files.filter((file) => /\.test\.|^tests|(?<!\.d)\.ts$/.test(file))).toEqual([])
    writeFileSync(
      join(consumer, 'smoke.js'),
      `import Stripe from 'stripe'
      import { startStripeSandbox } from '${own.name}'
      const sandbox = await startStripeSandbox({ dataFile: ':memory:', port: 0 })
      const stripe = new Stripe('sk_test_smoke', { host: 'localhost', port: sandbox.port, protocol: 'http' })
      const customer = await stripe.customers.create({
        invoice_settings: { default_payment_method: 'pm_card_visa' }, payment_method: 'pm_card_visa' })
      const recurring = { interval: 'month' }
      const price = await stripe.prices.create({ currency: 'usd', product_data: { name: 'Plan' }, recurring, unit_amount: 700 })
      const { status } = await stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id }] })
      console.log(status)
      await sandbox.close()`,
    )
    expect(run(consumer, process.execPath, 'smoke.js').trim()).toBe('active')
  })

  test('its command runs on its own, keeps its state and webhook secret, and stops when asked', async () => {
    const main = join(consumer, 'node_modules', own.name, 'main.js')
    const seed = join(consumer, 'node_modules', own.name, 'seed.example.json')
    const start = async () => {
      const webhook = 'http://localhost:9/webhooks'
      const child = spawn(process.execPath, [main, '--port', '0', '--seed', seed, '--webhook', webhook], {
        cwd: consumer,
        env: environment,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      let said = ''
      for await (const chunk of child.stdout) {
        said += chunk
        if (said.includes('whsec_')) break
      }
      const port = Number(/localhost:(\d+)/.exec(said)?.[1])
      const stripe = new Stripe('sk_test_smoke', { host: 'localhost', port, protocol: 'http' })
      const end = async () => {
        const ended = new Promise((done) => child.once('exit', done))
        child.kill('SIGTERM')
        return ended
      }
      return { end, secret: /whsec_\w+/.exec(said)?.[0], stripe }
    }
    const first = await start()
    const customer = await first.stripe.customers.create({ email: 'ida@example.test' })
    expect((await first.stripe.prices.list()).data.map((each) => each.id)).toEqual(['price_plus', 'price_basic'])
    expect(await first.end()).toBe(0)
    const second = await start()
    expect(await second.stripe.customers.retrieve(customer.id)).toMatchObject({ email: 'ida@example.test' })
    expect(second.secret).toBe(first.secret)
    expect(await second.end()).toBe(0)
  })

  test.each([
    [['--port', 'many'], '--port takes a number'],
    [['--host', '0.0.0.0'], 'loopback'],
    [['--prot', '1'], "Unknown option '--prot'"],
    [['--seed', 'package.json'], 'The seed has an unknown field type'],
  ])('%j is refused with an error message', (args, sentence) => {
    const main = join(consumer, 'node_modules', own.name, 'main.js')
    expect(() => run(consumer, process.execPath, main, '--memory', ...args)).toThrow(sentence)
  })
})
