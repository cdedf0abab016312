import { statSync } from 'node:fs'
import { readConfig } from '#server/config/config.ts'
import { OperatorError } from '#server/explain-start-error.ts'
import { checkDomain } from './check-domain.ts'
import { checkClock, checkDisk } from './check-machine.ts'
import { checkSenderRecords, checkSmtp } from './check-mail.ts'
import { checkStripeKey, checkStripePlans } from './check-stripe.ts'
import type { Variables } from './environment-file.ts'
import { checkDatabase } from './prepare-database.ts'
import { type Finding, failed, formatFinding, ok, type SetupSystem, todo } from './setup-system.ts'

type Installed = { file: string; values: Variables; addresses: readonly string[] }

/** `--check`: checks a finished setup and changes nothing. */
export async function checkSetup(system: SetupSystem, installed: Installed): Promise<{ succeeded: boolean }> {
  const { file, values, addresses } = installed
  if (Object.keys(values).length === 0)
    throw new OperatorError(`There is no ${file} yet. Run setup without --check first.`)
  const { PUBLIC_URL, SMTP_URL, STRIPE_SECRET_KEY, DATABASE_URL, MAIL_FROM } = values
  const findings = await Promise.all([
    [checkFile(system, file), checkConfig(values)],
    checkDisk(system, values.DATA_DIR ?? '/'),
    checkClock(system),
    PUBLIC_URL ? checkDomain(system, new URL(PUBLIC_URL).hostname, addresses) : [],
    SMTP_URL ? checkSmtp(SMTP_URL) : [],
    MAIL_FROM && SMTP_URL ? checkSenderRecords(system, values) : [],
    STRIPE_SECRET_KEY ? checkStripe(system, values) : [],
    DATABASE_URL ? checkDatabase(DATABASE_URL) : [],
    checkServer(system, values),
  ])
  const all = findings.flat()
  for (const finding of all) system.print(formatFinding(finding))
  return { succeeded: all.every(({ status }) => status === 'ok') }
}

function checkFile({ fileRoot }: SetupSystem, file: string): Finding {
  const mode = statSync(fileRoot + file).mode & 0o777
  return (mode & 0o077) === 0
    ? ok('File', `Only its owner can read ${file}.`)
    : failed('File', `Others can read ${file}. Run chmod 600 ${file}.`)
}

function checkConfig(values: Variables): Finding {
  try {
    readConfig(values)
    return ok('Configuration', 'Complete.')
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    const problems = error.message.split('\n').slice(1)
    return failed('Configuration', problems.map((line) => line.replace(/^\s*- /, '')).join('; '))
  }
}

async function checkStripe(system: SetupSystem, values: Variables): Promise<Finding[]> {
  const key = await checkStripeKey(system, values.STRIPE_SECRET_KEY ?? '')
  return key.some(({ status }) => status === 'error') ? key : [...key, ...(await checkStripePlans(system, values))]
}

/** The server on this machine, and as readers reach it. */
export async function checkServer({ statusOf }: SetupSystem, values: Variables): Promise<Finding[]> {
  const { PORT: port = '3000', PUBLIC_URL: url } = values
  if ((await statusOf(`http://127.0.0.1:${port}/readyz`)) !== 200) {
    return [failed('Server', `It doesn’t answer on port ${port}. Its log is in journalctl -u front-counter.`)]
  }
  const isPublic = (await statusOf(`${url}/readyz`)) === 200
  return [
    ok('Server', `Ready on port ${port}.`),
    isPublic
      ? ok('Server', `${url} leads to it.`)
      : todo('Server', `${url} doesn’t answer yet. The certificate follows within minutes of the domain’s DNS record.`),
  ]
}
