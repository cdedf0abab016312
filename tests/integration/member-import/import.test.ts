import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { queryRows } from '#server/db/database.ts'
import {
  emailPreferences,
  memberImportChunks,
  memberImportRows,
  memberImports,
  suppressions,
} from '#server/db/schema/index.ts'
import { deleteOldImportData } from '#server/features/operations/member-import/member-imports.ts'
import { maxImportBytes } from '#shared/contracts/operations/member-import.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { check, errorsOf, run, runImport, storedMembers, upload } from './support.ts'

// Tests move the clock by weeks, so sessions must not expire.
const { auth } = readConfig({ NODE_ENV: 'test' })
const server = openForTests(() => createTestApp({ config: { auth: { ...auth, accessTokenSeconds: 10 ** 8 } } }))
let admin: TestUser
beforeAll(async () => {
  admin = await buildUser(server, { admin: true, email: 'owner@example.test' })
})

const ended = async (id: string) => {
  const { db } = server.database
  const chunks = await db.select().from(memberImportChunks).where(eq(memberImportChunks.importId, id))
  const rows = await db
    .select({ problem: memberImportRows.problem })
    .from(memberImportRows)
    .where(eq(memberImportRows.importId, id))
  return { chunks: chunks.length, rows: rows.filter(({ problem }) => problem === null).length }
}

describe('existing members', () => {
  test('stay as they are unless the publisher asks for changes', async () => {
    const kim = await buildUser(server, { email: 'kim@present.test', data: { full_name: 'Kim' } })
    const lee = await buildUser(server, { email: 'lee@present.test' })
    const max = await buildUser(server, { email: 'max@present.test' })
    const { db } = server.database
    await db
      .insert(emailPreferences)
      .values({ userId: kim.id, drops: 'off', news: false, followUps: false, updatedAt: new Date() })
    const file = `email,name,status,tags\nkim@present.test,Kimberly,active,x\nlee@present.test,Lee,unsubscribed,\nmax@present.test,,bounced,\n`

    const before = await storedMembers(server, '@present.test')
    const left = await run(server, admin, await check(server, admin, file))
    expect(left.counts).toMatchObject({ new: 0, changed: 0, unchanged: 3, differing: 3 })
    expect(await storedMembers(server, '@present.test')).toEqual(before)

    const filled = await run(server, admin, await check(server, admin, file, { fillExisting: true }))
    expect(filled.counts).toMatchObject({ changed: 2, unchanged: 1 })
    expect(await storedMembers(server, '@present.test')).toMatchObject([
      { email: kim.email, name: 'Kim', getsEmail: false, tags: ['x'] },
      { email: lee.email, name: 'Lee', getsEmail: true },
      { email: max.email, suppressed: [] },
    ])

    const withdrawn = await run(server, admin, await check(server, admin, file, { unsubscribeExisting: true }))
    expect(withdrawn.counts).toMatchObject({ changed: 2, unchanged: 1 })
    expect(await storedMembers(server, '@present.test')).toMatchObject([
      { email: kim.email, getsEmail: false },
      { email: lee.email, getsEmail: false },
      { email: max.email, suppressed: ['all hard_bounce'] },
    ])
  })

  test('a suppression that was lifted here isn’t renewed', async () => {
    const { email } = await buildUser(server, { email: 'noa@present.test' })
    const { db } = server.database
    const lifted = { email, stream: 'all', reason: 'hard_bounce', createdAt: new Date(), liftedAt: new Date() }
    await db.insert(suppressions).values(lifted)
    const file = `email,status\n${email},bounced\n`
    const finished = await run(server, admin, await check(server, admin, file, { unsubscribeExisting: true }))
    expect(finished.counts).toMatchObject({ changed: 0, unchanged: 1 })
  })
})

test('someone who signs up between check and import keeps the account', async () => {
  const checked = await check(server, admin, 'email,name\nquick@race.test,Import\nslow@race.test,Import\n')
  expect(checked.counts).toMatchObject({ new: 2 })
  await buildUser(server, { email: 'quick@race.test', data: { full_name: 'Own name' } })
  const finished = await run(server, admin, checked)
  expect(finished.counts).toMatchObject({ new: 1, unchanged: 1 })
  expect(await storedMembers(server, '@race.test')).toMatchObject([{ name: 'Own name' }, { name: 'Import' }])
})

test('an imported member gets in by an emailed link, and nobody else by signing up', async () => {
  await run(server, admin, await check(server, admin, 'email\nnew@signin.test\n'))
  const post = (path: string, body: object) =>
    server.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const taken = await post('/auth/v1/signup', { email: 'new@signin.test', password: 'someone else entirely' })
  expect(taken.status).toBe(422)
  expect((await post('/auth/v1/otp', { email: 'new@signin.test' })).status).toBe(200)
  const [email] = server.outbox.list('new@signin.test')
  const code = /\b\d{6}\b/.exec(email?.text ?? '')?.[0]
  const signedIn = await post('/auth/v1/verify', { type: 'email', email: 'new@signin.test', token: code })
  expect(signedIn.status).toBe(200)
  expect((await storedMembers(server, 'new@signin.test'))[0]).toMatchObject({ confirmed: true })
})

test('the publisher can vouch for confirmed addresses, but not for those without a subscription', async () => {
  const file = 'email,status\nyes@vouch.test,active\nno@vouch.test,unsubscribed\n'
  await run(server, admin, await check(server, admin, file, { vouchConfirmed: true }))
  expect(await storedMembers(server, '@vouch.test')).toMatchObject([{ confirmed: false }, { confirmed: true }])
})

test('an imported free list gets the free edition if the publisher says so, and the check says who', async () => {
  const file = 'email,status\nyes@free.test,active\nno@free.test,unsubscribed\n'
  const plain = await check(server, admin, file, { vouchConfirmed: true })
  expect(plain.examples.map(({ detail }) => detail)).toEqual([
    'Gets product news · No drops',
    'Gets no email (unsubscribed)',
  ])
  const checked = await check(server, admin, file, { vouchConfirmed: true, freeEdition: true })
  expect(checked.counts).toMatchObject({ subscribed: 1, freeReaders: 1 })
  expect(checked.examples[0]?.detail).toBe('Gets the free edition and product news')
  expect(await run(server, admin, checked)).toMatchObject({ status: 'finished', examples: [] })
  const list = await call(
    server,
    'admin-members',
    { filter: { search: '@free.test', statuses: ['free'] } },
    admin.token,
  )
  expect(list.body).toMatchObject({ items: [{ email: 'yes@free.test', status: 'free' }] })
})

test('a canceled import keeps what it did and deletes the file', async () => {
  const lines = Array.from({ length: 6 }, (_, n) => `c${n}@cancel.test`)
  const checked = await check(server, admin, `email\n${lines.join('\n')}\nnobody\n`)
  await call(server, 'admin-import-members', { id: checked.id }, admin.token)
  const { db } = server.database
  await runImport(server.deps, checked.id, 2).catch(() => {})
  const second = await check(server, admin, `email\n${lines.map((line) => `x${line}`).join('\n')}\n`)
  await call(server, 'admin-import-members', { id: second.id }, admin.token)
  const canceled = await call(server, 'admin-cancel-members-import', { id: second.id }, admin.token)
  expect(canceled).toMatchObject({ status: 200, body: { status: 'canceled', counts: { new: 0 } } })
  await runImport(server.deps, second.id)
  expect(await storedMembers(server, '@cancel.test')).toHaveLength(6)
  expect(await ended(second.id)).toEqual({ chunks: 0, rows: 0 })
  expect(await ended(checked.id)).toEqual({ chunks: 0, rows: 0 })
  expect(await errorsOf(server, admin, checked)).toHaveLength(1)
  const again = await call(server, 'admin-check-members', { ...second, options: checked.options }, admin.token)
  expect(again).toMatchObject({ status: 409, body: { code: 'import_ended' } })
  expect(await db.select().from(memberImports).where(eq(memberImports.id, second.id))).toMatchObject([{ samples: [] }])
})

test('a check can be repeated with other columns', async () => {
  const first = await check(server, admin, 'email,second\na@map.test,b@map.test\n')
  const { id, source, options } = first
  const mapping = { email: 1 }
  const answer = await call(server, 'admin-check-members', { id, source, mapping, options }, admin.token)
  expect(answer.status).toBe(200)
  await runImport(server.deps, id)
  await run(server, admin, first)
  expect(await storedMembers(server, '@map.test')).toMatchObject([{ email: 'b@map.test' }])
})

test('the server answers others between the batches of an import', async () => {
  const lines = Array.from({ length: 40 }, (_, n) => `n${n}@between.test`)
  const { id } = await check(server, admin, `email\n${lines.join('\n')}\n`)
  await server.database.db.update(memberImports).set({ status: 'running', cursor: 0 }).where(eq(memberImports.id, id))
  let turns = 0
  let timer = setImmediate(function count() {
    turns += 1
    timer = setImmediate(count)
  })
  await runImport(server.deps, id, 4)
  clearImmediate(timer)
  expect(turns).toBeGreaterThanOrEqual(10)
  expect(await storedMembers(server, '@between.test')).toHaveLength(40)
})

test('old data of imports is deleted', async () => {
  const { db } = server.database
  const checked = await check(server, admin, 'email\na@stale.test\nnobody\n')
  await run(server, admin, checked)
  const waiting = await check(server, admin, 'email\nb@stale.test\nnobody\n')
  server.clock.advance(8 * 24 * 60 * 60_000)
  await deleteOldImportData(server.deps)
  expect(await ended(waiting.id)).toEqual({ chunks: 0, rows: 0 })
  expect(await errorsOf(server, admin, checked)).toHaveLength(1)
  server.clock.advance(31 * 24 * 60 * 60_000)
  await deleteOldImportData(server.deps)
  expect(await db.select().from(memberImportRows).where(eq(memberImportRows.importId, checked.id))).toEqual([])
  server.clock.now = new Date()
})

test('a member who deletes the account is removed from the lines of waiting imports', async () => {
  const user = await buildUser(server, { email: 'gone@leave.test' })
  const checked = await check(server, admin, 'email\ngone@leave.test\n')
  expect((await call(server, 'delete-account', { email: user.email }, user.token)).status).toBe(200)
  const left = await server.database.db
    .select()
    .from(memberImportRows)
    .where(and(eq(memberImportRows.importId, checked.id), sql`email like 'gone%'`))
  expect(left).toEqual([])
})

describe('hostile and broken files', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ['an Excel workbook', Buffer.from('PK\u0003\u0004rest of it'), /archive or an Excel workbook/],
    ['an empty file', '', /empty/],
    ['nothing but lines', '\n\n\n', /empty/],
    ['a header line only', 'email,name\n', /header line and no members/],
    ['a file without a header line', 'ann@x.test,Ann\nbob@x.test,Bob\n', /first line has an email address/],
    [
      'a mark that isn’t closed',
      `email,name\na@x.test,"open\n${'b@x.test,B\n'.repeat(20_000)}`,
      /^Line 2 is far too long/,
    ],
    ['an endless header line', `email,${'x'.repeat(200_000)}\na@x.test,A\n`, /^Line 1 is far too long/],
  ])('%s is refused in one sentence', async (_name, file, message) => {
    const before = await server.database.db.select({ id: memberImports.id }).from(memberImports)
    const { status, body } = await upload(server, admin, file)
    expect([status, body.error]).toEqual([400, expect.stringMatching(message)])
    expect(await server.database.db.select({ id: memberImports.id }).from(memberImports)).toHaveLength(before.length)
  })

  test('1 GB is refused before it is read, and at the limit if the length isn’t known', async () => {
    const headers = { Authorization: `Bearer ${admin.token}` }
    const declared = await server.request('/functions/v1/admin-upload-members?name=big.csv', {
      method: 'POST',
      headers: { ...headers, 'Content-Length': String(1024 ** 3) },
      body: 'email\n',
    })
    expect(declared.status).toBe(413)
    let produced = 0
    const megabyte = new Uint8Array(1024 * 1024).fill(0x61)
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        produced += megabyte.byteLength
        controller.enqueue(megabyte)
      },
    })
    // Storing 100 MB is slow in the embedded database, so the stream starts as an archive, which is refused at once.
    megabyte.set([0x50, 0x4b, 0x03, 0x04])
    const chunked = await server.request('/functions/v1/admin-upload-members?name=big.csv', {
      method: 'POST',
      headers: { ...headers, 'Transfer-Encoding': 'chunked' },
      body: endless,
      duplex: 'half',
    } as RequestInit)
    expect(chunked.status).toBe(400)
    expect(produced).toBeLessThan(maxImportBytes / 10)
  })

  test.each<[string, string | Uint8Array]>([
    ['semicolons', 'email;name\nzoe@SEP.test;Zoë Brontë\n'],
    ['tabs', 'email\tname\nzoe@SEP.test\tZoë Brontë\n'],
    ['UTF-16', Buffer.from('\ufeffemail,name\r\nzoe@SEP.test,Zoë Brontë\r\n', 'utf16le')],
    ['Windows-1252', Buffer.from('email,name\r\nzoe@SEP.test,Zoë Brontë\r\n', 'latin1')],
  ])('%s', async (name, file) => {
    const domain = `${name.toLowerCase()}.test`
    const encoded = typeof file === 'string' ? file.replace('SEP.test', domain) : file
    const checked = await check(server, admin, encoded)
    expect(checked.counts).toMatchObject({ lines: 1, refused: 0 })
    expect(checked.samples[0]?.[1]).toBe('Zoë Brontë')
  })

  test('formulas, NUL, quotation marks and wrong addresses end in the list of errors, protected', async () => {
    const file = `email,name\n=cmd|' /C calc'!A1,x\na\u0000b@c.test,x\nok@attack.test,"=HYPERLINK(""http://x.test"")"\n<script>@x,y\n@@,z\n"open@attack.test,x\n`
    const finished = await run(server, admin, await check(server, admin, file))
    expect(finished.counts).toMatchObject({ new: 1, refused: 5 })
    expect(await storedMembers(server, '@attack.test')).toMatchObject([{ name: '=HYPERLINK("http://x.test")' }])
    const errors = await errorsOf(server, admin, finished)
    expect(errors).toEqual([
      `"2","'=cmd|' /c calc'!a1","This is not an email address."`,
      `"3","a b@c.test","This is not an email address."`,
      `"5","<script>@x","This is not an email address."`,
      `"6","'@@","This is not an email address."`,
      expect.stringMatching(/^"7","","A quotation mark opens here/),
    ])
  })

  test('another role is refused, also by an upload', async () => {
    const viewer = await buildUser(server, { email: 'viewer@example.test' })
    const refused = await upload(server, viewer, 'email\na@b.test\n')
    expect(refused.status).toBe(403)
  })
})

test('totals of the dashboard count imported members', async () => {
  const [row] = await queryRows<{ counted: number; present: number }>(
    server.database.db,
    sql`select (select value::int from counters where name = 'users_total') as counted, (select count(*)::int from auth.users) as present`,
  )
  expect(row?.counted).toBe(row?.present)
})

test('the members list knows all that an import wrote about new members', async () => {
  const file = `email,name,tags,note,status
tag@facts.test,Tag,"vip,new york",Came by phone,active
bounced@facts.test,Bo,,,bounced
plain@facts.test,,,,unsubscribed
`
  await run(server, admin, await check(server, admin, file, { complimentaryUntil: '2099-01-31', tag: 'moved' }))
  const rows = await queryRows(
    server.database.db,
    sql`select u.email, f.tags, f.noted, f.suppressed, f.complimentary_until is not null as given,
        (f.tags, f.search, f.suppressed, f.answers, f.complimentary_until, f.email_confirmed)
          is not distinct from (c.tags, c.search, c.suppressed, c.answers, c.complimentary_until, c.email_confirmed) as "isCurrent"
      from auth.users u left join member_facts f on f.user_id = u.id
      left join current_member_facts(array(select id from auth.users)) c on c.user_id = u.id
      where u.email like '%@facts.test' order by u.email`,
  )
  expect(rows).toMatchObject([
    { email: 'bounced@facts.test', tags: ['moved'], noted: false, suppressed: true, isCurrent: true },
    { email: 'plain@facts.test', tags: ['moved'], noted: false, suppressed: false, isCurrent: true },
    { email: 'tag@facts.test', tags: ['moved', 'new york', 'vip'], noted: true, suppressed: false, isCurrent: true },
  ])
})
