import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readConfig } from '#server/config/config.ts'
import { OperatorError } from '#server/explain-start-error.ts'
import { isLiveKey } from '#server/features/billing/subscriptions/stripe/stripe-overview.ts'
import { collectAnswers, type Verify } from './answers.ts'
import { checkDomain } from './check-domain.ts'
import { checkClock, checkDisk, checkLocation, checkPorts } from './check-machine.ts'
import { checkSenderRecords, checkSmtp, senderRecords } from './check-mail.ts'
import { checkServer, checkSetup } from './check-setup.ts'
import { checkStripeKey, prepareStripe } from './check-stripe.ts'
import { readEnvironmentFile, type Variables, writeEnvironmentFile } from './environment-file.ts'
import { createInstaller, type Installer, installPackages, installProxy, installService } from './install.ts'
import { checkDatabase, isOwnDatabase, prepareOwnDatabase, requireKnownSecret } from './prepare-database.ts'
import { readOptions, type SetupOptions, usage } from './read-options.ts'
import { type Finding, formatFinding, type SetupSystem } from './setup-system.ts'

type SetupResult = { succeeded: boolean; asked?: number }

const startTimeoutMs = 120_000
const backupDirectory = '/var/backups/front-counter'

/**
 * `npm run setup`: asks for what is missing, checks it, writes the environment file, and installs and starts the server.
 * Repeatable: keeps secrets, answers and data.
 * @throws OperatorError with a sentence for each problem
 */
export async function runSetup(
  system: SetupSystem,
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<SetupResult> {
  const options = readOptions(args)
  if (options.mode === 'help') {
    system.print(usage)
    return { succeeded: true }
  }
  const file =
    options.file ??
    (options.isCompose ? join(system.sourceDirectory, 'deploy', '.env') : '/etc/front-counter/environment')
  const path = options.isCompose ? file : system.fileRoot + file
  const existing = readEnvironmentFile(path)
  if (options.mode === 'check') {
    return checkSetup(system, { file, values: existing, addresses: options.addresses })
  }
  return setUp(system, { options, file, path, existing, env })
}

type Run = {
  options: SetupOptions
  /** Its path on the server, and where it really is. */
  file: string
  path: string
  existing: Variables
  env: Record<string, string | undefined>
}

async function setUp(system: SetupSystem, { options, file, path, existing, env }: Run): Promise<SetupResult> {
  const { given, installs, isCompose } = options
  const isDryRun = options.mode === 'dry run'
  const databaseUrl = given.DATABASE_URL ?? existing.DATABASE_URL ?? (env.DATABASE_URL || undefined)
  const hasOwnDatabase = installs.packages && isOwnDatabase(databaseUrl)
  if (!(installs.packages || isCompose || databaseUrl)) {
    throw new OperatorError(
      'With --no-install, setup needs a PostgreSQL: --database-url postgres://user:password@host/database.',
    )
  }

  const port = Number(given.PORT ?? existing.PORT ?? 3000)
  requireNone(system, [
    checkDisk(system, '/var/lib'),
    ...(installs.service ? [checkLocation(system)] : []),
    ...(await checkPorts(system, { server: installs.service ? port : null, proxy: installs.proxy })),
    await checkClock(system),
    ...(databaseUrl && !hasOwnDatabase && !isCompose ? [await checkDatabase(databaseUrl)] : []),
  ])
  const answers = await collectAnswers(system, { given, file: existing, env }, verifyWith(system, options.addresses))

  const installer = createInstaller(system, { file, isDryRun })
  const packages = [...(hasOwnDatabase ? ['postgresql'] : []), ...(installs.proxy ? ['caddy'] : [])]
  if (packages.length > 0) await installPackages(system, installer, packages)
  const known = { ...defaults(options, port), ...existing, ...given, ...answers.values }
  const fresh = newSecrets(known, { isCompose })
  const hasSecretKey = existing.SECRET_KEY !== undefined
  if (isDryRun)
    return finishDryRun(system, installer, { options, file, known, hasOwnDatabase, port, asked: answers.asked })

  if (hasOwnDatabase) fresh.DATABASE_URL = await prepareOwnDatabase(system, { url: databaseUrl, hasSecretKey })
  else if (databaseUrl) {
    fresh.DATABASE_URL = databaseUrl
    if (!isCompose) await requireKnownSecret(databaseUrl, hasSecretKey)
  }
  const values = { ...known, ...fresh }
  // The secret of a test endpoint doesn't verify live events.
  if (!isSameStripeMode(existing.STRIPE_SECRET_KEY, values.STRIPE_SECRET_KEY)) values.STRIPE_WEBHOOK_SECRET = ''
  let isChanged = writeEnvironmentFile(path, values)
  const stripe = await prepareStripe(system, values)
  isChanged = writeEnvironmentFile(path, { ...values, ...stripe.variables }) || isChanged
  Object.assign(values, stripe.variables)
  if (isChanged) system.print(`> ${file}`)
  requireNone(system, stripe.findings)

  const isReady = await installAndStart(system, installer, { options, values, port, isChanged })
  await printRest(system, values, { file, isCompose, answers: answers.findings })
  return { succeeded: isReady, asked: answers.asked }
}

const isSameStripeMode = (former: string | undefined, now = '') =>
  former === undefined || isLiveKey(former) === isLiveKey(now)

/** Checks answers live while they are given. */
const verifyWith =
  (system: SetupSystem, addresses: readonly string[]): Verify =>
  async (name, value) => {
    if (name === 'PUBLIC_URL') return [await checkDomain(system, new URL(value).hostname, addresses)]
    if (name === 'SMTP_URL') return [await checkSmtp(value)]
    if (name === 'STRIPE_SECRET_KEY') return checkStripeKey(system, value)
    return []
  }

/** Prints the findings. @throws OperatorError if one of them is an error */
function requireNone({ print }: SetupSystem, findings: readonly Finding[]) {
  const errors = findings.filter(({ status }) => status === 'error')
  for (const finding of findings) if (finding.status !== 'error') print(formatFinding(finding))
  if (errors.length > 0) throw new OperatorError(errors.map(({ message }) => message).join('\n'))
}

function defaults({ isCompose, installs }: SetupOptions, port: number): Variables {
  return {
    NODE_ENV: 'production',
    HOST: isCompose ? '0.0.0.0' : '127.0.0.1',
    PORT: String(port),
    TRUSTED_PROXIES: '1',
    ...(isCompose && { DATA_DIR: '/data', BACKUP_DESTINATION: '/backups' }),
    ...(installs.service && { DATA_DIR: '/var/lib/front-counter', BACKUP_DESTINATION: backupDirectory }),
  }
}

/** Secrets that don't exist yet. */
function newSecrets(known: Variables, { isCompose }: { isCompose: boolean }): Variables {
  const random = () => randomBytes(32).toString('base64url')
  const secrets: Variables = {}
  if (!known.SECRET_KEY) secrets.SECRET_KEY = random()
  if (!known.BACKUP_KEY) secrets.BACKUP_KEY = random()
  if (!known.VAPID_PRIVATE_KEY) {
    secrets.VAPID_PRIVATE_KEY =
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }).d ?? ''
  }
  if (!known.DKIM_PRIVATE_KEY) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    secrets.DKIM_PRIVATE_KEY = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64')
    secrets.DKIM_SELECTOR = 'frontcounter'
  }
  if (isCompose && !known.DATABASE_URL) {
    secrets.POSTGRES_PASSWORD = random()
    secrets.DATABASE_URL = `postgres://front_counter:${secrets.POSTGRES_PASSWORD}@postgres:5432/front_counter`
  }
  return secrets
}

type Start = { options: SetupOptions; values: Variables; port: number; isChanged: boolean }

/** @returns whether the server is ready, or wasn't to be started */
async function installAndStart(
  system: SetupSystem,
  installer: Installer,
  { options: { installs, isCompose }, values, port, isChanged }: Start,
): Promise<boolean> {
  const { PUBLIC_URL: publicUrl = '' } = values
  if (!isCompose) await installer.run(system.nodePath, join(system.sourceDirectory, 'scripts/build-pages.mjs'))
  const service = installs.service
    ? await installService(system, installer, ['/var/lib/front-counter', backupDirectory])
    : { isChanged: false }
  if (installs.service) await requireReadable(system)
  if (installs.proxy) await installProxy(system, installer, { publicUrl, port })
  // The sentence names what is missing, such as a live key.
  readConfig(values)
  if (!installs.start) return true
  const isActive = (await system.run('systemctl', ['is-active', '--quiet', 'front-counter'])).code === 0
  if (!isActive) await installer.run('systemctl', 'enable', '--now', 'front-counter')
  else if (isChanged || service.isChanged) await installer.run('systemctl', 'restart', 'front-counter')
  return waitUntilReady(system, port)
}

async function requireReadable({ run, sourceDirectory }: SetupSystem) {
  const main = join(sourceDirectory, 'src/server/main.ts')
  if ((await run('runuser', ['-u', 'front-counter', '--', 'test', '-r', main])).code === 0) return
  throw new OperatorError(`The user front-counter can’t read ${sourceDirectory}. Run chmod -R a+rX ${sourceDirectory}.`)
}

async function waitUntilReady(system: SetupSystem, port: number): Promise<boolean> {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline) {
    if ((await system.statusOf(`http://127.0.0.1:${port}/readyz`)) === 200) return true
    if ((await system.run('systemctl', ['is-failed', '--quiet', 'front-counter'])).code === 0) break
    await setTimeout(250)
  }
  const { stdout } = await system.run('journalctl', ['-u', 'front-counter', '-n', '20', '--no-pager', '-o', 'cat'])
  system.print(stdout.trim())
  throw new OperatorError('The server didn’t start. Its log is above.')
}

/** Steps left for the operator. */
async function printRest(
  system: SetupSystem,
  values: Variables,
  { file, isCompose, answers }: { file: string; isCompose: boolean; answers: readonly Finding[] },
) {
  const sender = await checkSenderRecords(system, values)
  const server = isCompose ? [] : await checkServer(system, values)
  const open = [...answers, ...sender, ...server].filter(({ status }) => status !== 'ok')
  for (const finding of [...sender, ...server]) system.print(formatFinding(finding))
  if (sender.some(({ status }) => status !== 'ok')) {
    system.print('\nAdd these records to the DNS of the sender, or correct them:')
    for (const record of senderRecords(values)) system.print(`  ${record}`)
  }
  system.print('\nNext:')
  system.print(`- Keep a copy of SECRET_KEY and BACKUP_KEY from ${file} outside this machine.`)
  system.print(
    `- Sign up at ${values.PUBLIC_URL}/auth with ${values.ADMIN_EMAILS} and confirm the address. It becomes the owner.`,
  )
  if (open.length > 0) system.print('- Do what is listed as “to do”, then run npm run setup -- --check.')
}

type DryRun = {
  options: SetupOptions
  file: string
  known: Variables
  hasOwnDatabase: boolean
  port: number
  asked: number
}

async function finishDryRun(system: SetupSystem, installer: Installer, run: DryRun): Promise<SetupResult> {
  const { options, file, known, hasOwnDatabase, port, asked } = run
  if (hasOwnDatabase) system.print('$ runuser -u postgres -- psql (creates the role and database front_counter)')
  system.print(`> ${file}`)
  if (options.installs.service) await installService(system, installer, ['/var/lib/front-counter', backupDirectory])
  if (options.installs.proxy) await installProxy(system, installer, { publicUrl: known.PUBLIC_URL ?? '', port })
  if (options.installs.start) await installer.run('systemctl', 'enable', '--now', 'front-counter')
  system.print('Nothing was changed.')
  return { succeeded: true, asked }
}
