import { parseArgs } from 'node:util'
import { OperatorError } from '#server/explain-start-error.ts'

export const usage = `Usage: npm run setup -- [options]

Asks for what is missing, checks it, and installs and starts the server. You can run it again at any time.

  --domain <name>         where readers find you, such as news.example.com
  --from <address>        the sender of all email
  --smtp-url <url>        smtps://user:password@host
  --stripe-key <key>      the secret key of your Stripe account
  --owner <address>       the account that may do everything
                          (or the variables PUBLIC_URL, MAIL_FROM, SMTP_URL, STRIPE_SECRET_KEY and ADMIN_EMAILS)
  --database-url <url>    uses this PostgreSQL instead of installing one
  --address <address>     the server's public address, if it is behind a router
  --port <number>         port of the server behind the proxy, 3000 by default
  --file <path>           the environment file, /etc/front-counter/environment by default
  --check                 checks everything and changes nothing
  --dry-run               checks the answers and prints the commands without running them
  --no-proxy              installs no TLS proxy
  --no-service            installs no service
  --no-install            only writes the environment file; needs --database-url
  --no-start              doesn't start the server
  --compose               only writes deploy/.env, for deploy/compose.yaml`

const flags = {
  domain: { type: 'string' },
  from: { type: 'string' },
  'smtp-url': { type: 'string' },
  'stripe-key': { type: 'string' },
  owner: { type: 'string' },
  'database-url': { type: 'string' },
  address: { type: 'string', multiple: true },
  port: { type: 'string' },
  file: { type: 'string' },
  check: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  'no-proxy': { type: 'boolean' },
  'no-service': { type: 'boolean' },
  'no-install': { type: 'boolean' },
  'no-start': { type: 'boolean' },
  compose: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

export type SetupOptions = {
  /** Given answers by variable name. They replace those in the environment file. */
  given: Record<string, string>
  addresses: string[]
  file: string | null
  mode: 'set up' | 'check' | 'dry run' | 'help'
  isCompose: boolean
  installs: { packages: boolean; proxy: boolean; service: boolean; start: boolean }
}

/** @throws OperatorError for an unknown option */
export function readOptions(args: readonly string[]): SetupOptions {
  const values = parse(args)
  const given = {
    PUBLIC_URL: values.domain,
    MAIL_FROM: values.from,
    SMTP_URL: values['smtp-url'],
    STRIPE_SECRET_KEY: values['stripe-key'],
    ADMIN_EMAILS: values.owner,
    DATABASE_URL: values['database-url'],
    PORT: values.port,
  }
  const isCompose = values.compose ?? false
  const none = isCompose || (values['no-install'] ?? false)
  const service = !none && !values['no-service']
  return {
    given: Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : []))),
    addresses: values.address ?? [],
    file: values.file ?? null,
    mode: values.help ? 'help' : values.check ? 'check' : values['dry-run'] ? 'dry run' : 'set up',
    isCompose,
    installs: { packages: !none, proxy: !none && !values['no-proxy'], service, start: service && !values['no-start'] },
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags }).values
  } catch (error) {
    throw new OperatorError(`${error instanceof Error ? error.message.split('. ')[0] : error}.\n\n${usage}`)
  }
}
