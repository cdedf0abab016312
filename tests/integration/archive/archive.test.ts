import { createHash } from 'node:crypto'
import { createWriteStream, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { ne, sql } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import yazl from 'yazl'
import * as schema from '#server/db/schema/index.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import { archiveSteps, deleteExpiredArchives } from '#server/features/operations/archive/archives.ts'
import { restoreArchive } from '#server/features/operations/archive/restore-archive.ts'
import { archivedColumns, archivedTables } from '#server/features/operations/archive/table-rows.ts'
import { writeArchive } from '#server/features/operations/archive/write-archive.ts'
import { runCommand } from '#server/features/operations/operator/commands.ts'
import { saveGuideFile } from '#server/features/publishing/documents/guide-files.ts'
import { saveImage } from '#server/features/publishing/documents/images.ts'
import { saveTextFile } from '#server/features/publishing/documents/text-files.ts'
import { createDocument, saveDocument } from '#server/features/publishing/documents/write-document.ts'
import { uploadPiece } from '#server/features/publishing/recordings/recordings.ts'
import { continueRun } from '#server/jobs/runs.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { Archive } from '#shared/contracts/operations/archives.ts'
import { recordingPieceBytes } from '#shared/contracts/publishing/recordings.ts'
import { addFactor, addPasskey, ageAuthentication, openOtherSession } from '#tests/integration/account/support.ts'
import { drop, section } from '#tests/integration/publishing/support.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { wav } from '#tests/support/test-audio.ts'
import { exportTo, fillArchivedTables, inTemporaryDirectory, rowsOf, unzip } from './support.ts'

const server = openForTests(() => createTestApp())
const target = openForTests(() => createTestApp())
const directory = openForTests(inTemporaryDirectory)

/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const secret = 'SECRET-that-no-archive-contains'

beforeAll(async () => {
  const { db } = server.database
  target.clock.now = server.clock.now
  await seedContent(server.deps)
  const ann = await buildUser(server, {
    email: 'ann@example.test',
    admin: true,
    data: { full_name: 'Ann "the owner", née O’Hara' },
    subscription: 'active',
    preferences: { focusAreas: ['Finance', 'Operations'] },
  })
  const ben = await buildUser(server, {
    email: 'ben@example.test',
    confirmed: false,
    data: { full_name: 'Ben;=1+1' },
  })
  await db
    .insert(schema.memberTags)
    .values({ userId: ben.id, tag: 'Denver, CO', joinedMicros: 1, addedAt: server.clock.now })
  await db.insert(schema.emailPreferences).values({ userId: ben.id, drops: 'off', updatedAt: server.clock.now })
  for (const user of [ann, ben]) {
    await addFactor(server, user)
    await addPasskey(server, user)
    await openOtherSession(server, user)
  }
  await db.update(schema.users).set({
    confirmationToken: secret,
    recoveryToken: secret,
    emailChangeTokenNew: secret,
    emailChange: secret,
    reauthenticationToken: secret,
  })
  await db.update(schema.mfaFactors).set({ secret })
  const editor = { userId: ann.id, email: ann.email, name: 'Ann' }
  const image = await saveImage(server.deps, editor, { name: 'till.png', file: png })
  await saveGuideFile(server.deps, editor, {
    id: 'opening-week-playbook',
    name: 'playbook.pdf',
    file: await readFile('content/guides/opening-week-playbook.pdf'),
  })
  await saveTextFile(server.deps, editor, {
    name: 'checklist.docx',
    kind: 'file',
    file: await readFile('content/guides/ai-use-policy.docx'),
  })
  const created = await createDocument(server.deps, editor, { kind: 'issue', title: 'Till counts' })
  await saveDocument(server.deps, editor, {
    kind: 'issue',
    id: created.id,
    version: 1,
    document: drop({
      sections: [section({ body: `Look: ![The till](${image.path}#1x1) and [guides](/portal/guides)` })],
    }),
  })
  const upload = { id: talkId, issueId: created.id, name: 'talk.wav', bytes: sound.length }
  for (const piece of [0, 1]) {
    const bytes = sound.subarray(piece * recordingPieceBytes, (piece + 1) * recordingPieceBytes)
    await uploadPiece(server.deps, editor, { ...upload, piece }, bytes)
  }
  await fillArchivedTables(db)
  await db.transaction((tx) => syncContentItems(tx, server.clock.now, { kind: 'page' }))
})

/** Two pieces. */
const sound = wav(200)
const talkId = crypto.randomUUID()
let original: Buffer
const file = () => directory.path('archive.zip')
beforeAll(async () => {
  original = await exportTo(server, file())
})

test('a crash leaves nothing readable in the temporary directory', async () => {
  await mkdir(directory.path('temporary'))
  vi.stubEnv('TMPDIR', directory.path('temporary'))
  let left = Buffer.of()
  const output = new Writable({
    write(_chunk, _encoding, done) {
      if (left.byteLength === 0) left = readAll(directory.path('temporary'))
      done()
    },
  })
  await writeArchive(server.deps, output).finally(() => vi.unstubAllEnvs())
  expect(left.byteLength).toBeGreaterThan(10_000)
  expect(['ann@example.test', 'Till counts', 'focus'].filter((text) => left.includes(text))).toEqual([])
  expect(readAll(directory.path('temporary')).byteLength).toBe(0)
})

const readAll = (folder: string) =>
  Buffer.concat(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  )

describe('the list of tables', () => {
  const nameOf = (table: PgTable) => getTableConfig(table).name

  test('every column is archived, left out, or a secret', () => {
    for (const archived of archivedTables) {
      const columns = getTableConfig(archived.table).columns.filter(({ generated }) => !generated)
      expect(archivedColumns(archived)).toHaveLength(columns.length - (archived.without?.length ?? 0))
    }
  })

  test('tables come after those that they reference', () => {
    for (const [index, { table }] of archivedTables.entries()) {
      for (const { reference } of getTableConfig(table).foreignKeys) {
        const before = archivedTables.slice(0, index).map((archived) => archived.table)
        expect(before, nameOf(table)).toContain(reference().foreignTable)
      }
    }
  })
})

describe('the archive', () => {
  test('contains every row, the files, and a manifest that counts them', async () => {
    const found = await unzip(file())
    for (const { file: name, table } of archivedTables) {
      expect(rowsOf(found, name), name).toHaveLength(await server.database.db.$count(table))
    }
    const manifest = JSON.parse(String(found.get('manifest.json')))
    expect(manifest).toMatchObject({ format: 'front-counter-archive', version: 1, missing: [] })
    expect(manifest.files.map(({ path }: { path: string }) => path)).toEqual(
      [...found.keys()].filter((path) => path !== 'manifest.json'),
    )
    expect([...found.keys()]).toEqual(
      expect.arrayContaining([
        'README.md',
        expect.stringMatching(/^guides\/opening-week-playbook\/1-.*\.pdf$/),
        'guides/ai-use-policy.docx',
        expect.stringMatching(/^files\/[0-9a-f]{64}\.docx$/),
        expect.stringMatching(/^images\/[0-9a-f]{64}\.png$/),
        `recordings/${talkId}-0`,
        `recordings/${talkId}-1`,
      ]),
    )
  })

  test('has the columns of Ghost’s member import', async () => {
    const [header, ...lines] = String((await unzip(file())).get('members.csv')).split('\r\n')
    expect(header).toMatch(
      /^\ufeffemail,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,labels,/,
    )
    const ann = lines.find((line) => line.startsWith('ann@'))
    expect(ann).toMatch(/^ann@example\.test,"Ann ""the owner"", née O’Hara",.*,true,(true|false),/s)
    // Not confirmed, and turned off.
    expect(lines.find((line) => line.startsWith('ben@'))).toMatch(/^ben@example\.test,.*,false,/s)
    // Ghost separates labels at commas, and spreadsheets run formulas.
    const csv = String((await unzip(file())).get('members.csv'))
    expect(csv).toMatch(/^ben@example\.test,Ben;'=1\+1,[\s\S]*,Denver CO,/m)
  })

  test('has the posts as Markdown with front matter, and their images', async () => {
    const found = await unzip(file())
    const draft = String(found.get('drafts/till-counts.md'))
    expect(draft).toMatch(/^---\nid: till-counts\ntitle: Till counts\n/)
    expect(draft).toContain('status: draft')
    const [, image = ''] = /!\[The till\]\(\.\.\/(images\/[0-9a-f]{64}\.png)\)/.exec(draft) ?? []
    expect(found.has(image)).toBe(true)
    expect(draft).toContain('[guides](http://localhost')
    expect([...found.keys()].filter((path) => path.startsWith('posts/')).length).toBeGreaterThan(2)
  })

  test('has the posts in Ghost’s import format, with images where Ghost looks for them', async () => {
    const zip = directory.path('posts.zip')
    await writeFile(zip, (await unzip(file())).get('ghost/posts.zip') as Buffer)
    const found = await unzip(zip)
    const { db } = JSON.parse(String(found.get('posts.json')))
    const { posts, tags, posts_tags } = db[0].data
    const ids = new Set(posts.map(({ id }: { id: string }) => id))
    for (const link of posts_tags) {
      expect(ids).toContain(link.post_id)
      expect(tags).toContainEqual(expect.objectContaining({ id: link.tag_id }))
    }
    const till = posts.find(({ slug }: { slug: string }) => slug === 'till-counts')
    expect(till).toMatchObject({ title: 'Till counts', status: 'draft', type: 'post' })
    const [, image = ''] = /src="\/(content\/images\/[0-9a-f]{64}\.png)"/.exec(till.html) ?? []
    expect(found.has(image)).toBe(true)
    expect(posts.filter(({ status }: { status: string }) => status === 'published').length).toBeGreaterThan(2)
  })

  test('contains no secrets, and password hashes only on request', async () => {
    const { db } = server.database
    const secrets = [
      secret,
      ...(await db.select({ text: schema.users.encryptedPassword }).from(schema.users)),
      ...(await db.select({ text: schema.refreshTokens.token }).from(schema.refreshTokens)),
      ...(await db.select({ text: sql<string>`id::text` }).from(schema.sessions)),
      ...(await db.select({ text: schema.signingKeys.privateJwkEncrypted }).from(schema.signingKeys)),
    ].map((found) => (typeof found === 'string' ? found : (found.text ?? '')))
    const all = Buffer.concat([...(await unzip(file())).values()]).toString('latin1')
    for (const text of secrets.filter(Boolean)) expect(all).not.toContain(text)

    const withHashes = directory.path('with-hashes.zip')
    await exportTo(server, withHashes, { withPasswordHashes: true })
    expect(rowsOf(await unzip(withHashes), 'password-hashes')[0]).toEqual({
      id: expect.any(String),
      passwordHash: expect.stringContaining('$argon2id$'),
    })
  })

  test('of equal data is equal, byte for byte', async () => {
    expect((await exportTo(server, directory.path('again.zip'))).equals(original)).toBe(true)
  })
})

describe('importing it into an empty instance', () => {
  test('gives an equal archive, and a program that works', async () => {
    const hashes = directory.path('hashes.zip')
    await exportTo(server, hashes, { withPasswordHashes: true })
    // The program's own content is replaced.
    await seedContent(target.deps)
    const lines = await runCommand(target.deps, ['import', hashes])
    expect(lines[0]).toContain('No email was sent')
    expect((await exportTo(target, directory.path('restored.zip'))).equals(original)).toBe(true)
    expect(target.outbox.list('ann@example.test')).toEqual([])

    const signIn = await target.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ann@example.test', password: 'correct horse' }),
    })
    const { access_token: token } = (await signIn.json()) as { access_token: string }
    expect(await call(target, 'search', { query: 'review' }, token)).toMatchObject({ status: 200 })
    // New rows continue the numbering, and counters are as before.
    const { db } = target.database
    await db.insert(schema.suppressions).values({
      email: 'new@example.test',
      stream: 'all',
      reason: 'manual',
      createdAt: target.clock.now,
    })
    const counted = (app: TestApp) =>
      app.database.db.select().from(schema.counters).orderBy(schema.counters.name, schema.counters.bucket)
    expect(await counted(target)).toEqual(await counted(server))
  })

  const refused = async (path: string) => {
    const error: unknown = await restoreArchive(target.deps, path).catch((caught: unknown) => caught)
    return error instanceof Error ? error.message : 'imported'
  }

  test('is refused for an instance with members', async () => {
    const { db } = target.database
    if ((await db.$count(schema.users)) === 0) await buildUser(target)
    expect(await refused(file())).toMatch(/isn’t empty: it has \d+ members/)
  })

  test('is refused if a byte was flipped, the file was cut, or a newer version wrote it', async () => {
    await target.database.truncate()
    const flipped = Buffer.from(original)
    const middle = Math.floor(flipped.length / 3)
    flipped[middle] = (flipped[middle] ?? 0) ^ 1
    await writeFile(directory.path('flipped.zip'), flipped)
    expect(await refused(directory.path('flipped.zip'))).toMatch(/damaged/)

    await copyFile(file(), directory.path('cut.zip'))
    await truncate(directory.path('cut.zip'), original.length - 100)
    expect(await refused(directory.path('cut.zip'))).toMatch(/can read/)

    await rewrite('newer.zip', (path, bytes) =>
      path === 'manifest.json' ? Buffer.from(String(bytes).replace('"version": 1', '"version": 2')) : bytes,
    )
    expect(await refused(directory.path('newer.zip'))).toMatch(/newer version/)

    await rewrite('changed.zip', (path, bytes) =>
      path === 'data/members.ndjson' ? Buffer.from(String(bytes).replace('ann@', 'eve@')) : bytes,
    )
    expect(await refused(directory.path('changed.zip'))).toBe(
      'The archive is damaged: data/members.ndjson was changed. Nothing was changed.',
    )

    await writeFile(directory.path('text.zip'), 'not a zip file')
    expect(await refused(directory.path('text.zip'))).toMatch(/can read/)
    expect(await target.database.db.$count(schema.users)).toBe(0)
  })

  test('leaves mailings that were open for the publisher to start', async () => {
    const { db } = server.database
    const [mailing] = await db.select().from(schema.mailings)
    const open = (status: string) => ({
      ...(mailing as typeof schema.mailings.$inferInsert),
      id: crypto.randomUUID(),
      status,
    })
    await db.insert(schema.mailings).values([open('scheduled'), open('sending')])
    await exportTo(server, directory.path('open.zip'))
    await target.database.truncate()
    const summary = await restoreArchive(target.deps, directory.path('open.zip'))
    expect(summary.pausedMailings).toBe(2)
    const statuses = await target.database.db.select({ status: schema.mailings.status }).from(schema.mailings)
    expect(statuses.map(({ status }) => status)).not.toContain('sending')
    expect(statuses.map(({ status }) => status)).not.toContain('scheduled')
  })

  test('takes roles and passwords only from an archive of this installation, or one that the operator trusts', async () => {
    const { db, truncate: empty } = target.database
    await exportTo(server, directory.path('passwords.zip'), { withPasswordHashes: true })
    const forged = await unzip(directory.path('passwords.zip'))
    const ben = rowsOf(forged, 'members').find(({ email }) => email === 'ben@example.test')?.id
    const staff = String(forged.get('data/staff.ndjson'))
      .replaceAll(/"userId":"[^"]+"/g, `"userId":"${ben}"`)
      .split('\n')[0]
    const manifest = JSON.parse(String(forged.get('manifest.json')))
    const entry = manifest.files.find(({ path }: { path: string }) => path === 'data/staff.ndjson')
    entry.sha256 = createHash('sha256').update(`${staff}\n`).digest('hex')
    await rewrite(
      'forged.zip',
      (path, bytes) => {
        if (path === 'manifest.json') return Buffer.from(JSON.stringify(manifest))
        return path === 'data/staff.ndjson' ? Buffer.from(`${staff}\n`) : bytes
      },
      forged,
    )
    const access = async () => ({
      staff: await db.$count(schema.userRoles),
      passwords: await db.$count(schema.users, ne(schema.users.encryptedPassword, '')),
    })

    await empty()
    const lines = await runCommand(target.deps, ['import', directory.path('forged.zip')])
    expect(lines.join('\n')).toContain('Staff roles and passwords were left out')
    expect(await access()).toEqual({ staff: 0, passwords: 0 })

    for (const args of [['forged.zip', '--trusted'], ['passwords.zip']]) {
      await empty()
      const [name = '', ...flags] = args
      await runCommand(target.deps, ['import', directory.path(name), ...flags])
      expect(await access()).toMatchObject({ staff: expect.toSatisfy((count) => count > 0), passwords: 2 })
    }
  })

  /** The archive with changed contents. */
  async function rewrite(
    name: string,
    change: (path: string, bytes: Buffer) => Buffer,
    contents?: Map<string, Buffer>,
  ) {
    const zip = new yazl.ZipFile()
    for (const [path, bytes] of contents ?? (await unzip(file()))) zip.addBuffer(change(path, bytes), path)
    zip.end()
    const output = zip.outputStream.pipe(createWriteStream(directory.path(name)))
    await new Promise<void>((resolve) => output.on('close', () => resolve()))
  }
})

describe('the button', () => {
  const build = (id: string, deps = server.deps) => continueRun(deps, archiveSteps(deps), id)

  test('builds the archive in the background, once, and its link works for minutes and for an owner only', async () => {
    const owner = await buildUser(server, { admin: true })
    const ask = (name: string, body: object = {}) => call(server, name, body, owner.token)
    const created = (await ask('admin-create-archive')).body
    expect(created).toMatchObject({ status: 'queued' })
    expect((await ask('admin-create-archive')).body).toMatchObject({ id: created.id })
    const jobs = server.jobs.filter(({ name }) => name === 'run-archive')
    expect(jobs).toEqual([{ name: 'run-archive', payload: { id: created.id } }])
    const id = String(created.id)
    await build(id)
    // A job that comes again finds it ready.
    await build(id)
    const { items } = (await ask('admin-archives')).body as { items: Archive[] }
    expect(items[0]).toMatchObject({ id, status: 'ready', missing: [], createdBy: owner.email })
    expect(items[0]?.done).toBe(items[0]?.total)

    const { url } = (await ask('admin-archive-link', { id })).body as { url: string }
    const { pathname } = new URL(url)
    const answer = await server.request(pathname)
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="archive-\d{4}-\d\d-\d\d\.zip"$/)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.byteLength).toBe(items[0]?.bytes)
    await writeFile(directory.path('downloaded.zip'), bytes)
    expect((await unzip(directory.path('downloaded.zip'))).has('manifest.json')).toBe(true)

    await server.database.db.delete(schema.userRoles).where(sql`${schema.userRoles.userId} = ${owner.id}`)
    expect((await server.request(pathname)).status).toBe(410)
    await server.database.db.insert(schema.userRoles).values({ userId: owner.id, role: 'admin' })
    expect((await server.request(pathname.replace(/.{9}$/, 'forgeries'))).status).toBe(404)
    server.clock.advance(6 * 60_000)
    expect((await server.request(pathname)).status).toBe(410)

    server.clock.advance(24 * 60 * 60_000)
    await deleteExpiredArchives(server.deps)
    expect(await server.deps.store.get(`parts/${id}-0`)).toBeNull()
    const later = await buildUser(server, { admin: true })
    expect(await call(server, 'admin-archive-link', { id }, later.token)).toMatchObject({ status: 404 })
  })

  test('needs a recent confirmation of identity, and nobody else gets a link', async () => {
    const owner = await buildUser(server, { admin: true })
    const member = await buildUser(server)
    const id = crypto.randomUUID()
    expect(await call(server, 'admin-archive-link', { id })).toMatchObject({ status: 401 })
    expect(await call(server, 'admin-archive-link', { id }, member.token)).toMatchObject({ status: 403 })
    await ageAuthentication(server, owner)
    expect(await call(server, 'admin-archive-link', { id }, owner.token)).toMatchObject({
      body: { code: 'step_up_required' },
    })
  })

  test('starts again after the node that built it stopped, and a failure leaves no file', async () => {
    const owner = await buildUser(server, { admin: true })
    const created = (await call(server, 'admin-create-archive', {}, owner.token)).body
    const id = String(created.id)
    const { db } = server.database
    await db.update(schema.archives).set({ status: 'building' }).where(sql`id = ${id}`)
    const failing = { ...server.deps.store, put: () => Promise.reject(new Error('The disk is full')) }
    await build(id, { ...server.deps, store: failing })
    expect(
      (await call(server, 'admin-archives', {}, (await buildUser(server, { admin: true })).token)).body.items,
    ).toContainEqual(expect.objectContaining({ id, status: 'failed' }))
  })
})

test('the command refuses to overwrite a file, and the file is for its owner only', async () => {
  await expect(runCommand(server.deps, ['export', file()])).rejects.toThrow('exists already')
  const lines = await runCommand(server.deps, ['export', directory.path('command.zip')])
  expect((await stat(directory.path('command.zip'))).mode & 0o777).toBe(0o600)
  expect(lines[0]).toMatch(/^Wrote .*command\.zip: \d+ members, \d+ posts, \d+ files/)
  await expect(runCommand(server.deps, ['export', '/nowhere/at/all.zip'])).rejects.toThrow('directory doesn’t exist')
})
