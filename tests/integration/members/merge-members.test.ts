import { randomUUID } from 'node:crypto'
import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { moves } from '#server/db/merge-rows.ts'
import * as schema from '#server/db/schema/index.ts'
import { tableRegistry } from '#server/db/table-registry.ts'
import { fillTables } from '#tests/integration/account/fill-tables.ts'
import { addFactor, addPasskey, ageAuthentication, auditEntries } from '#tests/integration/account/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
/** The outbox is shared between tests, so each has its own domain. */
let rounds = 0
let owner: TestUser
let support: TestUser
let kept: TestUser
let other: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-03-08T12:00:00Z')
  rounds += 1
  const at = (name: string) => `${name}@merge${rounds}.test`
  owner = await buildUser(server, { admin: true, email: at('owner') })
  support = await buildUser(server, { role: 'support', email: at('support') })
  kept = await buildUser(server, { email: at('kept') })
  other = await buildUser(server, { email: at('other') })
})

const db = () => server.database.db
const check = (email = other.email, who = owner) =>
  call(server, 'admin-check-merge', { userId: kept.id, email }, who.token)
const merge = (given: object = {}, who = owner) =>
  call(server, 'admin-merge-members', { userId: kept.id, otherId: other.id, ...given }, who.token)
const rows = <Row = Record<string, unknown>>(statement: string) => queryRows<Row>(db(), sql.raw(statement))
const run = (statement: string) => db().execute(sql.raw(statement))
const exists = async (id: string) => (await rows(`select 1 from auth.users where id = '${id}'`)).length > 0

/** Tables that merge-members.ts merges by rules of their own. */
const ruled: readonly PgTable[] = [
  schema.businessProfile,
  schema.customFieldValues,
  schema.emailPreferences,
  schema.newsletterSubscription,
  schema.complimentaryAccess,
  schema.importedStripeCustomer,
]

/** What ends with the other account, by the foreign keys: how it signs in, what it may do, its billing, and what is about its address. */
const deleted: readonly PgTable[] = [
  ...[schema.identities, schema.sessions, schema.refreshTokens, schema.mfaFactors, schema.backupCodes],
  ...[schema.webauthnCredentials, schema.webauthnChallenges, schema.oneTimeTokens, schema.flowState],
  ...[schema.oauthAuthorizations, schema.oauthConsents, schema.knownAddresses, schema.trustedDevices],
  ...[schema.userRoles, schema.suspendedStaff, schema.staffEmailChoice, schema.staffInvitations],
  ...[schema.billingCustomer, schema.subscriptionState, schema.billingNotice, schema.duplicateSubscription],
  ...[schema.priceMoveMember, schema.pendingCheckout, schema.retentionOffer, schema.renewalOffer],
  ...[
    schema.teamSeat,
    schema.teamSeatLocation,
    schema.teamAssignment,
    schema.taskLink,
    schema.teamInvitation,
    schema.teamDomain,
    schema.seatRequest,
    schema.teamCollectionItem,
  ],
  ...[schema.assignmentNotice, schema.assignmentReminder, schema.assignmentSummary],
  ...[
    schema.readerVisits,
    schema.firstWeek,
    schema.shareLinks,
    schema.viewAsSessions,
    schema.memberFeeds,
    schema.feedFetch,
  ],
  schema.pushSubscription,
  ...[schema.deliveries, schema.emailedChanges, schema.bulkActionMembers, schema.memberFacts],
  ...[schema.seriesEntry, schema.seriesEvent],
]

const moved = [...new Set(moves.flatMap(({ table, children }) => [table, ...(children ? [children.table] : [])]))]

/** Everything in the database, one line a row, without what every call changes. */
async function everything(): Promise<string[]> {
  const lines: string[] = []
  for (const { table } of tableRegistry) {
    const { name, schema: owner = 'public' } = getTableConfig(table)
    if (['rate_limits', 'known_addresses', 'sessions'].includes(name)) continue
    for (const { line } of await rows<{ line: string }>(`select t::text as line from "${owner}"."${name}" t`))
      lines.push(`${name} ${line}`)
  }
  return lines.sort()
}

test('every table with rows of an account has a decision, in one place', () => {
  const decided = [...moved, ...ruled, ...deleted]
  const withAccount = tableRegistry.flatMap(({ table }) =>
    'userId' in getTableColumns(table) ||
    getTableConfig(table).foreignKeys.some((key) => key.reference().foreignTable === schema.users)
      ? [getTableName(table)]
      : [],
  )
  expect(decided.map(getTableName).sort()).toEqual(withAccount.sort())
})

describe('merging', () => {
  test('moves what the other account has, leaves no row of it, and changes nothing of other members', async () => {
    const third = await buildUser(server, { email: `third@merge${rounds}.test` })
    const stranger = await buildUser(server)
    const columns = await fillTables(db(), other, await buildUser(server))
    // Of tables with one row, the first account has it.
    await fillTables(db(), third, stranger).catch(() => {})
    // fillTables leaves out what the rows refer to.
    await run(
      `update collection_items i set collection_id = (select id from collections c where c.user_id = i.user_id)`,
    )
    await run(`insert into content_items (kind, id, title, path, published_at, changed_at)
      select distinct kind, item_id, item_id, '/portal/guides', now(), now() from collection_items on conflict do nothing`)
    await run(`update try_days d set kind = t.kind, item_id = t.item_id from tries t where t.user_id = d.user_id`)
    // What refuses a merge, and rows about staff.
    const refusing = [
      'user_roles',
      'suspended_staff',
      'team_seat',
      'team_seat_location',
      'subscription_state',
      'pending_checkout',
    ]
    const before = (await everything()).filter((line) => line.includes(third.id))
    expect(before.length).toBeGreaterThan(60)
    for (const name of refusing) {
      const column = columns.find((each) => each.name === name)?.column
      await run(`delete from ${name} where ${column} = '${other.id}'`)
      if (name === 'team_seat') await run(`delete from team_seat where '${other.id}' in (owner_id, user_id)`)
    }
    const answer = await merge()
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: {} })
    expect(await exists(other.id)).toBe(false)
    // The staff log keeps the id of a deleted account, without its address.
    const left = (await everything()).filter((line) => line.includes(other.id) || line.includes(other.email))
    expect([...new Set(left.map((line) => line.slice(0, line.indexOf(' '))))].sort()).toEqual(['audit_log_entries'])
    expect((await everything()).filter((line) => line.includes(third.id))).toEqual(before)
    for (const table of moved) {
      const { name, foreignKeys } = getTableConfig(table)
      const column = foreignKeys.find((key) => key.reference().foreignTable === schema.users)?.reference().columns[0]
      const found = await rows(`select 1 from ${name} where ${column?.name} = '${kept.id}'`)
      // The rows of fillTables have one key for all, and a referral needs another person.
      expect([name, found.length > 0]).toEqual([name, true])
    }
  })

  test('keeps the sign-in of the kept account, and ends the other’s', async () => {
    await addFactor(server, kept)
    await addPasskey(server, kept)
    await addPasskey(server, other)
    await addFactor(server, other)
    const signIn = () =>
      rows(`select u.encrypted_password, u.email, u.email_confirmed_at,
        array(select f.id from auth.mfa_factors f where f.user_id = u.id) as factors,
        array(select w.id from auth.webauthn_credentials w where w.user_id = u.id) as passkeys,
        array(select i.provider_id from auth.identities i where i.user_id = u.id) as identities,
        array(select s.id from auth.sessions s where s.user_id = u.id) as sessions
        from auth.users u where u.id = '${kept.id}'`)
    const before = await signIn()
    expect((await merge()).status).toBe(200)
    expect(await signIn()).toEqual(before)
    const { count } = (await rows<{ count: string }>(`select count(*) from auth.webauthn_credentials`))[0] ?? {}
    expect(Number(count)).toBe(1)
    expect((await server.request('/auth/v1/user', { headers: other.headers })).status).toBe(403)
  })

  test('where both have something, the kept account’s stays, and the later free access counts', async () => {
    await run(`insert into content_items (kind, id, title, path, published_at, changed_at)
      select 'prompt', id, id, '/portal/prompt-packs#' || id, now(), now() from unnest(array['closing-note', 'opening-note']) id`)
    for (const [user, note] of [
      [kept, 'mine'],
      [other, 'theirs'],
    ] as const) {
      await run(
        `insert into tries (user_id, kind, item_id, started_at, note) values ('${user.id}', 'prompt', 'closing-note', now(), '${note}')`,
      )
      await run(
        `insert into try_days (user_id, kind, item_id, day, at, outcome) values ('${user.id}', 'prompt', 'closing-note', '2026-03-0${user === kept ? 1 : 2}', now(), 'worked')`,
      )
      await run(
        `insert into business_profile (user_id, values, updated_at) values ('${user.id}', '{"city": "${note}"}', now())`,
      )
      await run(`insert into complimentary_access (user_id, until, note, granted_by, granted_at)
        values ('${user.id}', '2026-0${user === kept ? 4 : 9}-01', '${note}', 'x', now())`)
      await run(
        `insert into member_tags (user_id, tag, joined_micros, added_at) values ('${user.id}', 'both', 1, now()), ('${user.id}', '${note}', 1, now())`,
      )
    }
    await run(
      `insert into tries (user_id, kind, item_id, started_at, note) values ('${other.id}', 'prompt', 'opening-note', now(), 'theirs')`,
    )
    await run(
      `insert into try_days (user_id, kind, item_id, day, at, outcome) values ('${other.id}', 'prompt', 'opening-note', '2026-03-03', now(), 'worked')`,
    )
    const collection = randomUUID()
    await run(
      `insert into collections (user_id, id, name, deleted, at) values ('${other.id}', '${collection}', 'Mondays', false, now())`,
    )
    await run(
      `insert into collection_items (user_id, collection_id, kind, item_id, member, at) select '${other.id}', '${collection}', 'prompt', 'closing-note', true, now()`,
    )
    await run(
      `insert into member_notes (id, user_id, text, created_at, updated_at, created_by, updated_by) values (gen_random_uuid(), '${other.id}', 'Called on Monday', now(), now(), 'x', 'x')`,
    )
    const { body } = await check()
    expect(body).toMatchObject({ refusal: null, other: { id: other.id, email: other.email } })
    expect(await exists(other.id), 'the check changes nothing').toBe(true)
    expect((await merge()).status).toBe(200)
    expect(await rows(`select item_id, note from tries where user_id = '${kept.id}' order by 1`)).toEqual([
      { item_id: 'closing-note', note: 'mine' },
      { item_id: 'opening-note', note: 'theirs' },
    ])
    expect(await rows(`select day::text from try_days where user_id = '${kept.id}' order by 1`)).toEqual([
      { day: '2026-03-01' },
      { day: '2026-03-03' },
    ])
    expect(await rows(`select values ->> 'city' as city from business_profile where user_id = '${kept.id}'`)).toEqual([
      { city: 'mine' },
    ])
    expect(await rows(`select note, until::date::text from complimentary_access where user_id = '${kept.id}'`)).toEqual(
      [{ note: 'theirs', until: '2026-09-01' }],
    )
    expect(
      await rows(`select tag, joined_micros > 1 as own from member_tags where user_id = '${kept.id}' order by 1`),
    ).toEqual([
      { tag: 'both', own: false },
      { tag: 'mine', own: false },
      { tag: 'theirs', own: true },
    ])
    expect(
      await rows(
        `select kind, item_id from collection_items where user_id = '${kept.id}' and collection_id = '${collection}'`,
      ),
    ).toHaveLength(1)
    expect(await rows(`select text from member_notes where user_id = '${kept.id}'`)).toEqual([
      { text: 'Called on Monday' },
    ])
  })

  test('what either account unsubscribed from stays off, also with complaints, and nothing is turned on', async () => {
    await run(`insert into newsletter (id, name, description, position, members_only, subscribes_new_members, created_at, updated_at)
      select n, 'N' || n, '', n, false, false, now(), now() from generate_series(1, 3) n`)
    await run(`delete from newsletter_subscription`)
    const subscribe = (user: TestUser, id: number, on: boolean) =>
      run(
        `insert into newsletter_subscription (newsletter_id, user_id, subscribed, changed_at) values (${id}, '${user.id}', ${on}, now())`,
      )
    await run(
      `insert into email_preferences (user_id, drops, news, follow_ups, updated_at, free_since) values ('${kept.id}', 'weekly', false, true, now(), null)`,
    )
    await run(
      `insert into email_preferences (user_id, drops, news, follow_ups, replies, updated_at, free_since, unsubscribed_at) values ('${other.id}', 'off', true, true, 'off', now(), now(), now())`,
    )
    await subscribe(kept, 1, true)
    await subscribe(other, 1, false)
    await subscribe(kept, 2, false)
    await subscribe(other, 2, true)
    await subscribe(other, 3, true)
    for (const [stream, reason] of [
      ['news', 'complaint'],
      ['all', 'hard_bounce'],
    ])
      await run(
        `insert into suppressions (email, stream, reason, created_at) values ('${other.email}', '${stream}', '${reason}', now())`,
      )
    expect((await merge()).status).toBe(200)
    expect(
      await rows(
        `select drops, news, follow_ups, replies, free_since from email_preferences where user_id = '${kept.id}'`,
      ),
    ).toEqual([{ drops: 'off', news: false, follow_ups: true, replies: 'off', free_since: null }])
    expect(
      await rows(
        `select newsletter_id::int as id, subscribed from newsletter_subscription where user_id = '${kept.id}' order by 1`,
      ),
    ).toEqual([
      { id: 1, subscribed: false },
      { id: 2, subscribed: false },
    ])
    expect(await rows(`select stream, reason from suppressions where email = '${kept.email}'`)).toEqual([
      { stream: 'news', reason: 'complaint' },
    ])
  })

  test('tells both addresses, and the staff log names no address of the removed account', async () => {
    await run(
      `insert into member_notes (id, user_id, text, created_at, updated_at, created_by, updated_by) values (gen_random_uuid(), '${other.id}', 'x', now(), now(), 'x', 'x')`,
    )
    expect((await merge({}, support)).status).toBe(200)
    const subjects = (email: string) => server.outbox.list(email).map(({ subject }) => subject)
    expect(subjects(kept.email)).toEqual(['We merged your Front Counter accounts'])
    expect(subjects(other.email)).toEqual(['Your Front Counter account is deleted'])
    const [entry] = await auditEntries(server, 'accounts_merged', kept.id)
    expect(entry).toMatchObject({ by: support.email, note: '1 notes of staff' })
    expect(JSON.stringify(await auditEntries(server, 'account_deleted'))).not.toContain(other.email)
  })

  test('twice, from two tabs or by two staff in opposite directions, one account is left with everything once', async () => {
    await run(
      `insert into member_notes (id, user_id, text, created_at, updated_at, created_by, updated_by) values (gen_random_uuid(), '${other.id}', 'x', now(), now(), 'x', 'x')`,
    )
    const both = await Promise.all([merge(), merge(), merge({}, support)])
    expect(both.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await merge()).status).toBe(200)
    expect(await rows(`select 1 from member_notes where user_id = '${kept.id}'`)).toHaveLength(1)
    expect(await auditEntries(server, 'accounts_merged', kept.id)).toHaveLength(1)

    const again = await buildUser(server)
    const opposite = await Promise.all([
      merge({ otherId: again.id }),
      merge({ userId: again.id, otherId: kept.id }, support),
    ])
    expect(opposite.map(({ status }) => status).sort()).toEqual([200, 404])
    expect([await exists(kept.id), await exists(again.id)].filter(Boolean)).toHaveLength(1)
    expect(await rows(`select 1 from member_notes`)).toHaveLength(1)
  })
})

describe('is refused', () => {
  const refusing: [string, () => Promise<unknown>, RegExp][] = [
    [
      'while the other one pays',
      () =>
        run(
          `insert into subscription_state (user_id, status, sync_seq, synced_at) values ('${other.id}', 'past_due', 1, now())`,
        ),
      /has a plan/,
    ],
    [
      'while the other one is at checkout',
      () => run(`insert into pending_checkout (user_id, price_id, nonce) values ('${other.id}', 'price_1', 'n')`),
      /at checkout/,
    ],
    [
      'into an address that no one confirmed',
      () => run(`update auth.users set email_confirmed_at = null where id = '${kept.id}'`),
      /Only the other address is confirmed/,
    ],
    ['for staff', () => run(`insert into user_roles (user_id, role) values ('${other.id}', 'viewer')`), /staff/],
    [
      'for a seat in a team',
      () =>
        run(
          `insert into team_seat (owner_id, seat, user_id, joined_at) values ('${owner.id}', 2, '${other.id}', now())`,
        ),
      /team/,
    ],
    [
      'for the owner of a team',
      () =>
        run(
          `insert into team_seat (owner_id, seat, user_id, joined_at) values ('${other.id}', 2, '${support.id}', now())`,
        ),
      /team/,
    ],
    [
      'while members are being deleted',
      () =>
        run(
          `insert into bulk_actions (id, action, selection, status, total, created_at) values (gen_random_uuid(), '{"kind": "delete"}', 'x', 'running', 1, now())`,
        ),
      /being deleted/,
    ],
  ]
  test.each(refusing)('%s', async (_, make, reason) => {
    await make()
    expect((await check()).body).toMatchObject({ refusal: expect.stringMatching(reason), moved: [] })
    expect(await merge()).toMatchObject({ status: 400, body: { error: expect.stringMatching(reason) } })
    expect(await exists(other.id)).toBe(true)
  })

  test('with itself, with an address that no one has, for editors, and without a recent sign-in', async () => {
    expect(await merge({ otherId: kept.id })).toMatchObject({ status: 400 })
    expect(await check('nobody@nowhere.test')).toMatchObject({ status: 400 })
    const editor = await buildUser(server, { role: 'editor' })
    expect((await check(other.email, editor)).status).toBe(403)
    expect((await merge({}, editor)).status).toBe(403)
    await ageAuthentication(server, owner)
    expect((await merge()).status).toBe(403)
    expect(await exists(other.id)).toBe(true)
  })
})
