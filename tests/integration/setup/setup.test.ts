import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import pg from 'pg'
import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { dkimOf } from '#server/setup/check-mail.ts'
import { runSetup } from '#server/setup/run-setup.ts'
import { type SetupMachine, startSetupMachine } from '#tests/support/setup-machine.ts'
import { whyNoPostgres } from '../../../scripts/postgres.ts'

let machine: SetupMachine

const setup = (...args: string[]) => runSetup(machine.system, args, {})
const output = () => machine.state.printed.join('\n')
const text = () => readFileSync(machine.file, 'utf8')
/** Stripe shows it only once, so a second file needs it. */
const webhookSecret = () => `STRIPE_WEBHOOK_SECRET=${machine.variables().STRIPE_WEBHOOK_SECRET}\n`
/** The five answers as options, some of them changed. */
function flags(changed: Partial<SetupMachine['answers']> = {}): string[] {
  const { domain, from, smtp, stripe, owner } = { ...machine.answers, ...changed }
  const given = ['--domain', domain, '--from', from, '--smtp-url', smtp, '--stripe-key', stripe, '--owner', owner]
  return [...given, '--port', String(machine.port)]
}
async function query(sql: string, url = machine.variables().DATABASE_URL) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
async function stripeObjects() {
  const client = new Stripe('sk_test_look', { host: '127.0.0.1', port: machine.stripe.port, protocol: 'http' })
  const [prices, endpoints] = await Promise.all([
    client.prices.list({ limit: 100 }),
    client.webhookEndpoints.list({ limit: 100 }),
  ])
  return [prices.data.map(({ id }) => id), endpoints.data.map(({ id }) => id)]
}

describe.skipIf(whyNoPostgres())('npm run setup', () => {
  beforeAll(async () => {
    machine = await startSetupMachine()
  })
  beforeEach(() => {
    Object.assign(machine.state, { printed: [], commands: [], asked: 0, answers: null })
  })
  afterAll(() => machine.close())

  test('unattended and without answers, names all that are missing and changes nothing', async () => {
    await expect(setup()).rejects.toThrow(
      'PUBLIC_URL is missing.\nMAIL_FROM is missing.\nSMTP_URL is missing.\nSTRIPE_SECRET_KEY is missing.\nADMIN_EMAILS is missing.\nNothing was changed.',
    )
    expect(machine.variables()).toEqual({})
  })

  const refused: [string, () => string[], () => void, RegExp][] = [
    [
      'a wrong SMTP password',
      () => flags({ smtp: machine.answers.smtp.replace('right', 'wrong') }),
      () => {},
      /doesn’t accept this user name and password/,
    ],
    [
      'a mail server that can’t be reached',
      () => flags({ smtp: 'smtp://a:b@127.0.0.1:9' }),
      () => {},
      /127\.0\.0\.1:9 can’t be reached/,
    ],
    [
      'a key that Stripe refuses',
      () => flags({ stripe: 'sk_live_revoked' }),
      () => {},
      /Stripe doesn’t accept this key/,
    ],
    ['a key that isn’t secret', () => flags({ stripe: 'pk_live_1' }), () => {}, /must start with sk_live_/],
    [
      'a domain with a path',
      () => flags({ domain: 'example.com/news' }),
      () => {},
      /must be a domain without port and path/,
    ],
    ['a sender that isn’t an address', () => flags({ from: 'letters' }), () => {}, /MAIL_FROM isn’t an email address/],
    ['50 MB of disk left', () => flags(), () => (machine.state.freeBytes = 50e6), /^Only 50 MB are free/],
    [
      'a clock that is ten minutes ahead',
      () => flags(),
      () => (machine.state.clockErrorMs = 600_000),
      /^The clock is 600 seconds ahead/,
    ],
    [
      'a database that can’t be reached',
      () => [...flags(), '--database-url', 'postgres://a:b@127.0.0.1:9/c'],
      () => {},
      /127\.0\.0\.1:9 can’t be reached/,
    ],
    ['an unknown option', () => ['--domian', 'x'], () => {}, /^Unknown option '--domian'/],
    ['--no-install without a database', () => ['--no-install', ...flags()], () => {}, /needs a PostgreSQL/],
    [
      'a folder in a home directory',
      () => flags(),
      () => (machine.system.sourceDirectory = '/root/front-counter'),
      /Move the folder to \/opt\/front-counter/,
    ],
  ]
  test.each(refused)('%s is one clear sentence, and nothing is changed', async (_case, args, prepare, message) => {
    const { sourceDirectory } = machine.system
    prepare()
    try {
      const error = await setup(...args()).catch((reason: Error) => reason)
      expect((error as Error).message).toMatch(message)
      expect((error as Error).message).not.toMatch(/wrong@|sk_live_revoked/)
    } finally {
      Object.assign(machine.state, { freeBytes: 20e9, clockErrorMs: 0 })
      machine.system.sourceDirectory = sourceDirectory
    }
    expect(machine.variables()).toEqual({})
    expect(machine.state.commands.filter((command) => /apt-get|useradd|psql|enable/.test(command))).toEqual([])
  })

  test('a port in use is named, and nothing is changed', async () => {
    const { isPortFree } = machine.system
    machine.system.isPortFree = async (port) => port !== 443 && port !== machine.port
    const error: Error = await setup(...flags()).then(Object, (reason) => reason)
    machine.system.isPortFree = isPortFree
    expect(error.message).toContain(`Port ${machine.port} is in use.`)
    expect(error.message).toContain('Port 443 is in use.')
    expect(machine.variables()).toEqual({})
  })

  test('a dry run prints the commands and changes nothing', async () => {
    await setup(...flags(), '--dry-run')
    expect(output()).toContain('apt-get install -y -q --no-install-recommends postgresql caddy')
    expect(output()).toContain('$ systemctl enable --now front-counter')
    expect(machine.variables()).toEqual({})
    expect(machine.state.commands.filter((command) => /apt-get|useradd|psql|enable/.test(command))).toEqual([])
  })

  test('with a test key, writes everything, says so, and doesn’t start the server', async () => {
    await expect(setup(...flags({ stripe: 'sk_test_setup' }))).rejects.toThrow('STRIPE_SECRET_KEY: must be a live key')
    expect(output()).toContain('This is a test key, and production starts only with a live one.')
    expect(machine.variables().STRIPE_SECRET_KEY).toBe('sk_test_setup')
    expect(machine.pid()).toBeNull()
    await forgetStripe()
  })

  /** Deletes the endpoint, as if the live account had none. */
  async function forgetStripe() {
    const client = new Stripe('sk_test_look', { host: '127.0.0.1', port: machine.stripe.port, protocol: 'http' })
    const { data } = await client.webhookEndpoints.list({ limit: 100 })
    for (const { id, url } of data) if (url.endsWith('/webhooks/stripe')) await client.webhookEndpoints.del(id)
  }

  test('asks five questions, repeats a wrong answer, and ends with a running production server', async () => {
    const secrets = machine.variables()
    writeFileSync(machine.file, '')
    const { domain, from, smtp, owner } = machine.answers
    machine.state.answers = ['not a domain', domain, from, smtp.replace('right', 'wrong'), smtp, 'sk_live_setup', owner]
    const { succeeded, asked } = await setup('--port', String(machine.port))
    expect(output()).toContain('doesn’t accept this user name and password')
    expect({ succeeded, asked }).toEqual({ succeeded: true, asked: 5 })
    expect((await fetch(`http://127.0.0.1:${machine.port}/readyz`)).status).toBe(200)
    const config = await (await fetch(`http://127.0.0.1:${machine.port}/config.json`)).json()
    expect(config).toMatchObject({ url: 'https://news.example.com', sandbox: false })
    expect(statSync(machine.file).mode & 0o777).toBe(0o600)
    expect(readConfig(machine.variables())).toMatchObject({ mode: 'production', adminEmails: [owner] })
    expect(machine.variables().SECRET_KEY).not.toBe(secrets.SECRET_KEY)
    expect(output()).toMatch(/frontcounter\._domainkey\.example\.com\. TXT "v=DKIM1; k=rsa; p=/)
    // The password of the database is in no command.
    const password = new URL(machine.variables().DATABASE_URL ?? '').password
    expect([...machine.state.commands, output()].join('\n')).not.toContain(password)
  })

  test('run again, asks nothing and keeps file, data, Stripe’s objects and the running server', async () => {
    await query('create table kept as select 1 as one')
    const before = [text(), machine.pid(), await stripeObjects()]
    machine.state.answers = []
    expect(await setup()).toEqual({ succeeded: true, asked: 0 })
    expect([text(), machine.pid(), await stripeObjects()]).toEqual(before)
    expect(await query('select one from kept')).toEqual([{ one: 1 }])
    expect(machine.state.commands.filter((command) => /apt-get|useradd|restart|enable/.test(command))).toEqual([])
  })

  test('a changed answer is written, own lines stay, and the server restarts', async () => {
    const pid = machine.pid()
    writeFileSync(machine.file, `${text()}# ours\nTRIAL_DAYS=7\n`)
    await setup('--owner', 'other@example.com')
    expect(machine.variables()).toMatchObject({ ADMIN_EMAILS: 'other@example.com', TRIAL_DAYS: '7' })
    expect(text()).toContain('# ours')
    expect(machine.pid()).not.toBe(pid)
  })

  test('a variable of the shell doesn’t replace an answer in the file', async () => {
    await runSetup(machine.system, [], { MAIL_FROM: 'shell@example.com', DATABASE_URL: 'postgres://a@b/c' })
    expect(machine.variables().MAIL_FROM).toBe('letters@example.com')
  })

  test('--check fails until the DNS records exist, changes nothing, and succeeds then', async () => {
    const before = [text(), machine.pid(), await stripeObjects()]
    expect(await setup('--check')).toMatchObject({ succeeded: false })
    expect(output()).toContain('There is no DKIM key at frontcounter._domainkey.example.com')
    const dkim = `v=DKIM1; k=rsa; p=${dkimOf(machine.variables() as Record<string, string>)?.publicKey}`
    machine.state.records.set('TXT frontcounter._domainkey.example.com', [dkim])
    expect(await setup('--check')).toMatchObject({ succeeded: true })
    machine.state.records.set('A news.example.com', ['198.51.100.7'])
    expect(await setup('--check')).toMatchObject({ succeeded: false })
    expect(output()).toContain('news.example.com leads to 198.51.100.7. Change the record to 203.0.113.5.')
    machine.state.records.set('A news.example.com', ['203.0.113.5'])
    chmodSync(machine.file, 0o644)
    expect(await setup('--check')).toMatchObject({ succeeded: false })
    expect(output()).toContain('Others can read')
    chmodSync(machine.file, 0o600)
    expect([text(), machine.pid(), await stripeObjects()]).toEqual(before)
    expect(machine.state.commands).toEqual([])
  })

  test('a file that was cut off is named with its line, and stays as it is', async () => {
    const whole = text()
    const cut = whole.slice(0, whole.indexOf('HOST=') + 3)
    writeFileSync(machine.file, cut)
    await expect(setup()).rejects.toThrow(/^Line \d+ of .*environment isn’t NAME=value\./)
    expect(text()).toBe(cut)
    writeFileSync(machine.file, whole)
  })

  test('a file without some variables is completed', async () => {
    const whole = machine.variables()
    writeFileSync(machine.file, text().replace(/^(STRIPE_PRICE_PRO_MONTHLY|BACKUP_KEY|DATABASE_URL)=.*\n/gm, ''))
    await setup()
    const { DATABASE_URL, BACKUP_KEY, ...rest } = machine.variables()
    expect(rest).toEqual(Object.fromEntries(Object.entries(whole).filter(([name]) => name in rest)))
    expect(rest.STRIPE_PRICE_PRO_MONTHLY).toBe(whole.STRIPE_PRICE_PRO_MONTHLY)
    expect(BACKUP_KEY).toHaveLength(43)
    expect(await query('select one from kept', DATABASE_URL)).toEqual([{ one: 1 }])
  })

  test('without the SECRET_KEY of existing data, stops before it changes anything', async () => {
    const whole = text()
    const without = whole.replace(/^SECRET_KEY=.*\n/m, '')
    writeFileSync(machine.file, without)
    await expect(setup()).rejects.toThrow(/^The database has data that was encrypted with a SECRET_KEY/)
    expect(text()).toBe(without)
    writeFileSync(machine.file, whole)
    await setup()
    expect((await fetch(`http://127.0.0.1:${machine.port}/readyz`)).status).toBe(200)
  })

  test('a folder that the service’s user can’t read is one clear sentence', async () => {
    machine.state.canRead = false
    await expect(setup()).rejects.toThrow(/^The user front-counter can’t read .* chmod -R a\+rX/)
    machine.state.canRead = true
  })

  test('--no-install only writes the file, and keeps a given database', async () => {
    const file = '/elsewhere/environment'
    const url = machine.variables().DATABASE_URL ?? ''
    const empty = url.replace(/front_counter$/, 'empty')
    await query('create database empty', url)
    mkdirSync(`${machine.system.fileRoot}/elsewhere`)
    writeFileSync(machine.system.fileRoot + file, webhookSecret())
    await setup(...flags(), '--no-install', '--database-url', empty, '--file', file)
    const written = readFileSync(machine.system.fileRoot + file, 'utf8')
    expect(written).toContain(`DATABASE_URL=${empty}`)
    expect(machine.state.commands.filter((command) => !command.includes('build-pages'))).toEqual([])
  })

  test('--compose only writes a file for Compose, with a new password for its database', async () => {
    const file = join(machine.system.fileRoot, 'compose.env')
    writeFileSync(file, webhookSecret())
    await setup(...flags(), '--compose', '--file', file)
    const { DATABASE_URL, POSTGRES_PASSWORD, ...rest } = parseEnv(readFileSync(file, 'utf8'))
    expect(DATABASE_URL).toBe(`postgres://front_counter:${POSTGRES_PASSWORD}@postgres:5432/front_counter`)
    expect(rest).toMatchObject({ HOST: '0.0.0.0', DATA_DIR: '/data', BACKUP_DESTINATION: '/backups' })
    expect(machine.state.commands).toEqual([])
  })
})
