import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { OperatorError } from '#server/explain-start-error.ts'
import { type Finding, failed, lastLine, ok, type SetupSystem } from './setup-system.ts'

const name = 'front_counter'
const migrationsTable = `to_regclass('drizzle.__drizzle_migrations')`

/** Returns true if setup manages the database: there is none yet, or it is the one that setup created on this machine. */
export function isOwnDatabase(url: string | undefined): boolean {
  if (!url) return true
  if (!URL.canParse(url)) return false
  const { hostname, username, pathname } = new URL(url)
  return ['127.0.0.1', 'localhost'].includes(hostname) && username === name && pathname === `/${name}`
}

/**
 * Creates role and database in this machine's PostgreSQL, or finds them. Existing data stays. Without a known password, the
 * role gets a new one.
 * @returns DATABASE_URL
 * @throws OperatorError
 */
export async function prepareOwnDatabase(
  system: Pick<SetupSystem, 'run'>,
  known: { url: string | undefined; hasSecretKey: boolean },
): Promise<string> {
  const psql = (sql: string, database = 'postgres') => runPsql(system, sql, database)
  const exists = (await psql(`select 1 from pg_database where datname = '${name}';`)) === '1'
  if (exists && !known.hasSecretKey && (await psql(`select ${migrationsTable} is not null;`, name)) === 't') {
    throw new OperatorError(lostSecretKey)
  }
  const password =
    (known.url && decodeURIComponent(new URL(known.url).password)) || randomBytes(24).toString('base64url')
  const hasRole = (await psql(`select 1 from pg_roles where rolname = '${name}';`)) === '1'
  // The weekly drill restores the newest backup into a temporary database.
  const options = `login createdb password '${password.replaceAll("'", "''")}'`
  await psql(`${hasRole ? 'alter' : 'create'} role ${name} ${options};`)
  // The same locale on every machine, so that order and case of texts don't depend on it.
  const locale = `encoding 'UTF8' lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8' template template0`
  if (!exists) await psql(`create database ${name} owner ${name} ${locale};`)
  const port = await psql('show port;')
  return `postgres://${name}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`
}

const lostSecretKey =
  'The database has data that was encrypted with a SECRET_KEY that isn’t in the environment file. Put it back, or restore the file from a copy. Nothing was changed.'

/** SQL goes through standard input, so that no password shows up in the list of processes. */
async function runPsql({ run }: Pick<SetupSystem, 'run'>, sql: string, database: string): Promise<string> {
  const args = ['-u', 'postgres', '--', 'psql', '--no-psqlrc', '-v', 'ON_ERROR_STOP=1', '-qtA', '-d', database]
  const result = await run('runuser', args, { input: sql })
  if (result.code !== 0) throw new OperatorError(`PostgreSQL can’t be set up: ${lastLine(result)}`)
  return result.stdout.trim()
}

/** Returns true if the database can be reached, with a user that may create tables. */
export async function checkDatabase(url: string): Promise<Finding> {
  const address = URL.canParse(url) ? new URL(url).host : 'DATABASE_URL'
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ allowed: boolean; locale: string; folds: boolean }>(
      `select has_database_privilege(current_database(), 'CREATE') as allowed, datcollate as locale,
        lower('I') = 'i' as folds from pg_database where datname = current_database()`,
    )
    if (!rows[0]?.allowed) return failed('Database', `The user of DATABASE_URL can’t create tables at ${address}.`)
    const { locale, folds } = rows[0]
    const advice = folds ? '' : ' Its locale lowers I to ı: C.UTF-8 suits every language better.'
    return ok('Database', `Connected to ${address}, locale ${locale}.${advice}`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === '28P01' || code === '28000') {
      return failed('Database', `${address} doesn’t accept the user name and password of DATABASE_URL.`)
    }
    if (code === '3D000') return failed('Database', `The database of DATABASE_URL doesn’t exist at ${address}.`)
    return failed('Database', `${address} can’t be reached (${code ?? 'no answer'}). Check DATABASE_URL.`)
  } finally {
    await client.end().catch(() => {})
  }
}

/** @throws OperatorError if a given database has data, but its SECRET_KEY is unknown */
export async function requireKnownSecret(url: string, hasSecretKey: boolean): Promise<void> {
  if (hasSecretKey) return
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    const { rows } = await client.query<{ used: boolean }>(`select ${migrationsTable} is not null as used`)
    if (rows[0]?.used) throw new OperatorError(lostSecretKey)
  } finally {
    await client.end()
  }
}
