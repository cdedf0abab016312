import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { emailPreferences, guides, identities, subscriptionState, users } from '#server/db/schema/index.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { addMailing, statusOf, until } from '#tests/integration/mailings/sending/support.ts'
import { check, run } from '#tests/integration/member-import/support.ts'
import { drop, openAdmin, section } from '#tests/integration/publishing/support.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const admin = openForTests(async () => {
  const opened = await openAdmin()
  return { ...opened, close: () => opened.server.close() }
})
const dayMs = 24 * 60 * 60 * 1000

async function post(path: string, fields: Record<string, string>) {
  const answer = await admin.server.request(path, {
    method: 'POST',
    headers: { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
  return { status: answer.status, text: await answer.text() }
}
const ask = (email: string) => post('/free', { email })
const confirm = (token: string) => post('/free/confirm', { token })
const tokensFor = (email: string) =>
  admin.server.outbox
    .list(email)
    .flatMap(({ text }) => [...text.matchAll(/\/free\/confirm\?token=([\w-]+)/g)].map(([, token = '']) => token))

async function tokenFor(email: string) {
  expect(await ask(email)).toMatchObject({ status: 200 })
  const [token] = tokensFor(email)
  if (!token) throw new Error(`no link for ${email}`)
  return token
}

async function readPreferences(email: string) {
  const [row] = await admin.server.database.db
    .select({ freeSince: emailPreferences.freeSince, drops: emailPreferences.drops, userId: users.id })
    .from(users)
    .leftJoin(emailPreferences, eq(emailPreferences.userId, users.id))
    .where(eq(users.email, email))
  return row ?? null
}

async function becomeFree(email: string) {
  await confirm(await tokenFor(email))
  const row = await readPreferences(email)
  if (!row) throw new Error(`${email} has no account`)
  return row.userId
}

describe('A guide as a gift', () => {
  const id = 'ai-use-policy'
  const give = (gift: boolean) => admin.server.database.db.update(guides).set({ gift }).where(eq(guides.id, id))
  const read = async (path: string) => {
    const answer = await admin.server.request(path, { headers: { Accept: 'text/html' } })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  async function download(token: string) {
    const answer = await admin.server.request(`/free/guides/${id}/download`, {
      method: 'POST',
      headers: { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token }).toString(),
    })
    return { status: answer.status, location: answer.headers.get('Location') ?? '' }
  }

  test('is downloaded by whoever confirms an address, who gets the free edition too', async () => {
    await give(true)
    expect((await read('/free')).text).toContain(`/free/guides/${id}`)
    expect((await read(`/free/guides/${id}`)).text).toContain('Get the guide')
    const email = 'gift@example.test'
    await post('/free', { email, guide: id })
    const [token = ''] = tokensFor(email)
    expect(await download(token)).toMatchObject({ status: 404 })
    expect((await read(`/free/confirm?token=${token}`)).text).toContain('Next you download')
    expect((await confirm(token)).text).toContain(`action="/free/guides/${id}/download"`)
    expect((await readPreferences(email))?.freeSince).not.toBeNull()
    const { status, location } = await download(token)
    expect(status).toBe(303)
    const file = await admin.server.request(new URL(location).pathname)
    expect(file.status).toBe(200)
    expect(file.headers.get('Content-Disposition')).toContain('ai-use-policy')

    // The publisher takes it back: links that were sent end, also those to the file.
    await give(false)
    expect(await download(token)).toMatchObject({ status: 404 })
    expect((await admin.server.request(new URL(location).pathname)).status).toBe(403)
    expect((await read(`/free/guides/${id}`)).status).toBe(404)
  })

  test('is only for links that ask for it, and no other guide comes with it', async () => {
    await give(true)
    const plain = await tokenFor('plain@example.test')
    expect((await confirm(plain)).text).not.toContain('/download')
    expect(await download(plain)).toMatchObject({ status: 404 })
    for (const other of ['opening-week-playbook', 'x'.repeat(300), '../ai-use-policy', '%00']) {
      expect((await read(`/free/guides/${encodeURIComponent(other)}`)).status).toBe(404)
      await post('/free', { email: `${other.length}@example.test`, guide: other })
      const [token = ''] = tokensFor(`${other.length}@example.test`)
      expect((await confirm(token)).text).not.toContain('/download')
    }
    await give(false)
  })
})

describe('A mailing of a drop', () => {
  const sections = [
    section({
      id: 'm-open',
      heading: 'Open to all',
      body: 'openmark [glossary](/portal/glossary)',
      openToEveryone: true,
    }),
    section({
      id: 'm-closed',
      heading: 'For members only',
      summary: 'closedsummary',
      body: 'closedmark',
      focusAreas: ['Marketing'],
    }),
    section({
      id: 'm-open-2',
      heading: 'Also open',
      body: 'secondmark',
      focusAreas: ['Operations'],
      openToEveryone: true,
    }),
  ]
  async function publish(slug: string) {
    const made = await admin.get<{ kind: 'issue'; id: string; version: number }>('admin-create-document', {
      kind: 'issue',
      title: slug,
    })
    const own = sections.map((each) => ({ ...each, id: `${slug}-${each.id}` }))
    const document = drop({ slug: made.id, title: slug, worth: 'worthmark', closing: 'closingmark', sections: own })
    const { body } = await admin.save(made, document)
    const published = await admin.publish(body as unknown as typeof made)
    expect(published, JSON.stringify(published.body)).toMatchObject({ status: 200 })
    return made.id
  }

  async function mail(issueId: string, audience?: object) {
    const { deps, database } = admin.server
    const id = await addMailing(database, {
      issueId,
      subject: issueId,
      ...(audience && { audience: audience as never }),
    })
    await prepareMailing(deps, id)
    const sender = await startSender(deps, { idleMs: 20 })
    await until(async () => (await statusOf(database, id)) === 'sent')
    await sender.stop(1_000)
    return id
  }
  const emailsTo = (email: string, subject: string) =>
    admin.server.outbox.list(email).filter((each) => each.subject === subject)

  test('is previewed as a free reader and as a member, made up or real, and tested as either', async () => {
    const userId = await becomeFree('previewed@example.test')
    const member = await buildUser(admin.server, { subscription: 'active' })
    const id = await publish('previewed')
    const reader = { focusAreas: [], aiLevel: null, goals: [], franchiseType: null }
    const textFor = async (as: object) =>
      (await admin.get<{ text: string }>('admin-preview-issue-email', { id, as })).text
    for (const as of [{ reader, free: true }, { userId }]) {
      expect(await textFor(as)).toContain('openmark')
      expect(await textFor(as)).not.toContain('closedmark')
    }
    for (const as of [{ reader }, { userId: member.id }]) expect(await textFor(as)).toContain('closedmark')
    await admin.get('admin-test-issue-email', { id, to: 'test-of-free@example.test', as: { reader, free: true } })
    const [test] = admin.server.outbox.list('test-of-free@example.test')
    expect(test?.text).toContain('openmark')
    expect(test?.text).not.toContain('closedmark')
  })

  test('goes to free readers with what is open, and to members whole', async () => {
    await becomeFree('free@example.test')
    const member = await buildUser(admin.server, { subscription: 'active' })
    const stranger = await buildUser(admin.server)
    const issueId = await publish('first-mailing')
    await mail(issueId)
    const [free] = emailsTo('free@example.test', issueId)
    const [whole] = emailsTo(member.email, issueId)
    for (const text of [free?.text ?? '', free?.html ?? '']) {
      expect(text).toContain('openmark')
      expect(text).toContain('secondmark')
      for (const closed of ['closedmark', 'closedsummary', 'worthmark', 'closingmark'])
        expect(text).not.toContain(closed)
      expect(text.replaceAll(/\s+/g, ' ')).toContain('Members also got this section of this drop: For members only.')
      expect(text).toContain(`/drops/${issueId}`)
      expect(text).not.toContain('/portal')
      expect(text).toContain('free edition')
    }
    expect(whole?.text).toContain('closedmark')
    expect(whole?.text).not.toContain('free edition')
    expect(emailsTo(stranger.email, issueId)).toEqual([])
  })

  test('says why a free reader gets it: they asked, or were imported or added and never did', async () => {
    await becomeFree('asked@example.test')
    const { server, ann } = admin
    await run(
      server,
      ann,
      await check(server, ann, 'email,status\nmoved@example.test,active\n', {
        vouchConfirmed: true,
        freeEdition: true,
      }),
    )
    await admin.get('admin-add-member', {
      id: crypto.randomUUID(),
      email: 'added@example.test',
      name: null,
      emails: 'vouched',
      complimentaryUntil: null,
    })
    const issueId = await publish('reasons')
    await mail(issueId)
    const reasons = {
      'asked@example.test': 'you asked for the free edition of Front Counter.',
      'moved@example.test': 'Front Counter moved your address from an earlier mailing list to its free edition.',
      'added@example.test': 'someone at Front Counter added you to its free edition.',
    }
    for (const [email, reason] of Object.entries(reasons)) {
      const [sent] = emailsTo(email, issueId)
      for (const text of [sent?.text, sent?.html]) {
        expect(text?.replaceAll(/\s+/g, ' ')).toContain(`You’re receiving this email because ${reason}`)
      }
      const userId = (await readPreferences(email))?.userId
      const { text } = await admin.get<{ text: string }>('admin-preview-issue-email', { id: issueId, as: { userId } })
      expect(text).toContain(reason)
    }
    expect(emailsTo('moved@example.test', issueId)[0]?.html).not.toContain('asked')
  })

  test('is in the free reader’s own order, if they answered the three questions', async () => {
    const userId = await becomeFree('ordered@example.test')
    await admin.server.database.db.execute(
      `insert into user_preferences (user_id, focus_areas, ai_level, goals) values ('${userId}', '{Operations}', 'beginner', '{}')`,
    )
    const issueId = await publish('ordered-mailing')
    await mail(issueId)
    const [email] = emailsTo('ordered@example.test', issueId)
    const text = email?.text ?? ''
    expect(text.indexOf('secondmark')).toBeLessThan(text.indexOf('openmark'))
  })

  test('counts free readers apart, and can go to them alone or to members alone', async () => {
    await becomeFree('counted@example.test')
    const issueId = await publish('counted-mailing')
    const id = await addMailing(admin.server.database, { issueId, status: 'draft' })
    const everyone = { plans: [], focusAreas: [], franchiseTypes: [], active: null, segmentIds: [] }
    const count = (plans: string[]) =>
      admin.get<{ receiving: number; free: number }>('admin-count-audience', {
        of: { id },
        audience: { ...everyone, plans },
      })
    const all = await count([])
    const onlyFree = await count(['free'])
    const members = await count(['pro_monthly', 'pro_yearly', 'team_monthly', 'complimentary'])
    expect(onlyFree.free).toBe(onlyFree.receiving)
    expect(onlyFree.free).toBeGreaterThan(0)
    expect(members.free).toBe(0)
    expect(all).toMatchObject({ receiving: onlyFree.receiving + members.receiving, free: onlyFree.free })
  })

  test('follows a reader from free to member to ended and free again', async () => {
    const userId = await becomeFree('journey@example.test')
    const first = await publish('journey-one')
    await mail(first)
    expect(emailsTo('journey@example.test', first)[0]?.text).not.toContain('closedmark')

    const { db } = admin.server.database
    const now = admin.server.clock.now
    const plan = {
      userId,
      status: 'active',
      productId: 'prod_pro_monthly',
      currentPeriodStart: now,
      currentPeriodEnd: new Date(now.getTime() + 30 * dayMs),
      syncSeq: 1,
      syncedAt: now,
    }
    await db.insert(subscriptionState).values(plan)
    const second = await publish('journey-two')
    await mail(second)
    expect(emailsTo('journey@example.test', second)[0]?.text).toContain('closedmark')

    await db.update(subscriptionState).set({ status: 'canceled' }).where(eq(subscriptionState.userId, userId))
    const third = await publish('journey-three')
    await mail(third)
    const [last] = emailsTo('journey@example.test', third)
    expect(last?.text).toContain('openmark')
    expect(last?.text).not.toContain('closedmark')
  })
})

test('the members list has free readers under a status of their own', async () => {
  await becomeFree('listed@example.test')
  const list = (statuses: string[]) =>
    admin.get<{ items: { email: string; status: string }[] }>('admin-members', {
      filter: { search: 'listed@example.test', statuses },
    })
  expect((await list(['free'])).items).toMatchObject([{ email: 'listed@example.test', status: 'free' }])
  expect((await list(['none', 'ended', 'active'])).items).toEqual([])
})

// The clock moves on by days, which ends the admin's session.
describe('Signing up', () => {
  test('takes an address and one link, and makes an account without a password', async () => {
    const token = await tokenFor('Ana@Example.test')
    const page = await admin.server.request(`/free/confirm?token=${token}`)
    expect(page.status).toBe(200)
    expect(await readPreferences('ana@example.test'), 'opening the link changes nothing').toBeNull()

    const answer = await confirm(token)
    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('You’re in') })
    const { db } = admin.server.database
    const [user] = await db.select().from(users).where(eq(users.email, 'ana@example.test'))
    expect(user).toMatchObject({ encryptedPassword: null, emailConfirmedAt: admin.server.clock.now })
    expect(await readPreferences('ana@example.test')).toMatchObject({
      freeSince: admin.server.clock.now,
      drops: 'weekly',
    })
  })

  test('a second click changes nothing', async () => {
    const token = await tokenFor('twice@example.test')
    const answers = await Promise.all([confirm(token), confirm(token), confirm(token)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const first = await readPreferences('twice@example.test')
    admin.server.clock.advance(60_000)
    await confirm(token)
    expect(await readPreferences('twice@example.test')).toEqual(first)
  })

  test('someone who chose one email a month keeps it', async () => {
    const userId = await becomeFree('monthly@example.test')
    const monthly = { drops: 'monthly' }
    await admin.server.database.db.update(emailPreferences).set(monthly).where(eq(emailPreferences.userId, userId))
    expect(await confirm(tokensFor('monthly@example.test')[0] ?? '')).toMatchObject({ status: 200 })
    expect(await readPreferences('monthly@example.test')).toMatchObject(monthly)
  })

  test('offers the mailbox of a known provider', async () => {
    const { text } = await ask('someone@gmail.com')
    const [link = ''] = /<a [^>]*>Open Gmail<\/a>/.exec(text) ?? []
    expect(link).toContain('#search/from%3Anewsletter%40frontcounter.test+in%3Aanywhere" target="_blank"')
    expect(link).not.toContain('someone')
    expect(text).toContain('href="/contact.vcf"')
    expect((await ask('someone@example.test')).text).not.toContain('class="button"')
  })

  test('refuses what is no address and keeps what was typed, as text', async () => {
    const answer = await ask('"><b>not an address')
    expect(answer).toMatchObject({ status: 422, text: expect.stringContaining('Enter an email address') })
    expect(answer.text).toContain('value="&quot;&gt;&lt;b&gt;not an address"')
    expect((await post('/free', {})).status).toBe(422)
  })

  test('no mailbox gets more than one link a day, whoever asks, and the answer doesn’t tell', async () => {
    const answers = [await ask('other@example.test'), await ask('OTHER@example.test'), await ask('other@example.test')]
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(tokensFor('other@example.test')).toHaveLength(1)
    await ask('other+tag@example.test')
    expect(tokensFor('other+tag@example.test')).toHaveLength(0)
    admin.server.clock.advance(dayMs + 1_000)
    await ask('other@example.test')
    expect(tokensFor('other@example.test')).toHaveLength(2)
  })

  test('a known address gets the same answer as an unknown one', async () => {
    const known = await ask(admin.reader.email)
    const unknown = await ask('unknown@example.test')
    expect(known.text.replaceAll(admin.reader.email, '')).toBe(unknown.text.replaceAll('unknown@example.test', ''))
  })

  test.each([
    ['forged', 'abcdefgh'],
    ['empty', ''],
    ['long', 'x'.repeat(10_000)],
  ])('a %s link changes nothing and says what to do', async (_, token) => {
    expect(await confirm(token)).toMatchObject({ status: 404, text: expect.stringContaining('/free') })
  })

  test('a link works for seven days', async () => {
    const token = await tokenFor('late@example.test')
    admin.server.clock.advance(7 * dayMs + 1)
    expect(await confirm(token)).toMatchObject({ status: 404 })
    expect(await readPreferences('late@example.test')).toBeNull()
  })

  test('a link from before the reader unsubscribed doesn’t subscribe them again; a new one does', async () => {
    const token = await tokenFor('gone@example.test')
    await confirm(token)
    admin.server.clock.advance(1_000)
    const { userId } = (await readPreferences('gone@example.test')) ?? { userId: '' }
    await admin.server.database.db
      .update(emailPreferences)
      .set({ drops: 'off', unsubscribedAt: admin.server.clock.now })
      .where(eq(emailPreferences.userId, userId))
    await confirm(token)
    expect(await readPreferences('gone@example.test')).toMatchObject({ drops: 'off' })
    admin.server.clock.advance(dayMs + 1_000)
    await ask('gone@example.test')
    await confirm(tokensFor('gone@example.test')[0] ?? '')
    expect(await readPreferences('gone@example.test')).toMatchObject({ drops: 'weekly' })
  })

  test('an account that someone else may have made with the address loses its password', async () => {
    const early = await buildUser(admin.server, { email: 'victim@example.test', confirmed: false })
    await becomeFree('victim@example.test')
    const { db } = admin.server.database
    const [user] = await db.select().from(users).where(eq(users.id, early.id))
    expect(user).toMatchObject({ encryptedPassword: null, emailConfirmedAt: expect.any(Date) })
    const [identity] = await db.select().from(identities).where(eq(identities.userId, early.id))
    expect(identity?.identityData).toMatchObject({ email_verified: true })
    const answer = await admin.server.request('/functions/v1/email-preferences', {
      method: 'POST',
      headers: early.headers,
      body: '{}',
    })
    expect(answer.status).toBe(401)
  })

  test('a member is told that they get everything already', async () => {
    expect(await confirm(await tokenFor(admin.ben.email))).toMatchObject({ text: expect.stringContaining('You’re in') })
    const member = await buildUser(admin.server, { subscription: 'active' })
    expect(await confirm(await tokenFor(member.email))).toMatchObject({
      text: expect.stringContaining('You’re a member'),
    })
  })

  test('the form for other sites may be framed; the page around it may not', async () => {
    const [form, page] = await Promise.all(['/free/embed', '/free'].map((path) => admin.server.request(path)))
    expect(form?.headers.get('content-security-policy')).toContain('frame-ancestors *')
    expect(form?.headers.get('x-frame-options')).toBeNull()
    expect(page?.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page?.headers.get('x-frame-options')).toBe('DENY')
  })
})

// Last, because the limit is that of all tests here.
test('sign-ups by the thousand from one network are stopped', async () => {
  const { points } = admin.server.deps.config.auth.limits.signUp
  const statuses: number[] = []
  for (let index = 0; index <= points; index += 1) {
    statuses.push((await post('/free', { email: `many-${index}@example.test` })).status)
  }
  expect(statuses.at(-1)).toBe(429)
})
