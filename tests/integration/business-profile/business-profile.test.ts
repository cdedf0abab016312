import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { queryRows } from '#server/db/database.ts'
import { promptAnswer, users } from '#server/db/schema/index.ts'
import { createLogger } from '#server/http/logger.ts'
import { maxLocations, maxRememberedAnswers, maxValueLength } from '#shared/domain/business-profile.ts'
import { as, buildOwner, createTeamApp, seat } from '#tests/integration/teams/support.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTeamApp())
let reader: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-11-22T16:00:00Z')
  reader = await buildUser(server, { subscription: 'active' })
})

type Body = Record<string, unknown>
const ask = async (name: string, body: unknown = {}, who = reader) => (await as(server, who)(name, body)).body
const refuse = async (name: string, body: unknown, who = reader) => {
  const { status, body: answer } = await as(server, who)(name, body)
  return [status, answer.code]
}
const read = async (who = reader) =>
  (await ask('business-profile', {}, who)) as { values: Body; locations: Body[]; answers: Record<string, Body> }
const save = (changes: Body, who = reader) => as(server, who)('save-business-profile', { changes })
const addLocation = async (name: string, changes: Body = {}, who = reader) => {
  const id = crypto.randomUUID()
  const answer = await as(server, who)('save-location', { id, name: { from: '', to: name }, changes })
  return { id, ...answer }
}

describe('the profile', () => {
  test('is empty at first, and keeps what is saved, markup and brackets included', async () => {
    expect(await read()).toEqual({ values: {}, locations: [], answers: {} })
    const written = '<b>Ember</b> [city] & "co"\nline two'
    await save({ brand: { from: '', to: written }, city: { from: '', to: '  Dayton ' } })
    expect((await read()).values).toEqual({ brand: written, city: 'Dayton' })
    await save({ city: { from: 'Dayton', to: '' } })
    expect((await read()).values).toEqual({ brand: written })
  })

  test('takes changes of two tabs to different fields, and reports two to one field without saving either', async () => {
    await save({ city: { from: '', to: 'Dayton' } })
    await Promise.all([save({ brand: { from: '', to: 'Ember' } }), save({ area: { from: '', to: 'East side' } })])
    const late = await save({ city: { from: '', to: 'Akron' }, website: { from: '', to: 'ember.test' } })
    expect(late).toMatchObject({
      status: 409,
      body: {
        code: 'edit_conflict',
        conflicts: ['city'],
        values: { city: 'Dayton', brand: 'Ember', area: 'East side' },
      },
    })
    expect((await read()).values).toEqual({ city: 'Dayton', brand: 'Ember', area: 'East side' })
    expect((await save({ city: { from: '', to: 'Dayton' } })).status).toBe(200)
  })

  test('refuses unknown variables, long texts, control characters and text that can’t be stored', async () => {
    for (const changes of [
      { notes: { from: '', to: 'x' } },
      { city: { from: '', to: 'x'.repeat(maxValueLength + 1) } },
      { city: { from: '', to: 'bell\u0007' } },
      { city: { from: '', to: 'nul\u0000' } },
      { city: { from: '', to: 'half \ud83d' } },
      { city: { to: 'x' } },
      { city: 'x' },
      [],
      null,
    ]) {
      expect(await refuse('save-business-profile', { changes }), JSON.stringify(changes)).toEqual([
        400,
        'validation_failed',
      ])
    }
    expect((await read()).values).toEqual({})
  })

  test('ignores variables that no longer belong to it', async () => {
    await save({ city: { from: '', to: 'Dayton' } })
    await server.database.db.execute(sql`update business_profile set "values" = "values" || '{"fax":"555"}'`)
    expect((await read()).values).toEqual({ city: 'Dayton' })
  })
})

describe('locations', () => {
  test('are added once, in order, changed field by field, and deleted once', async () => {
    const { id, status } = await addLocation('Harbor Street', { city: { from: '', to: 'Dayton' } })
    expect(status).toBe(200)
    await ask('save-location', { id, name: { from: '', to: 'Harbor Street' }, changes: {} })
    server.clock.advance(1000)
    await addLocation('Oak Avenue')
    await Promise.all([
      ask('save-location', { id, name: { from: 'Harbor Street', to: 'Harbor' } }),
      ask('save-location', { id, changes: { team_size: { from: '', to: '14' } } }),
    ])
    expect((await read()).locations).toMatchObject([
      { id, name: 'Harbor', values: { city: 'Dayton', team_size: '14' }, shared: false, mine: true },
      { name: 'Oak Avenue', values: {} },
    ])
    expect(await ask('delete-location', { id })).toEqual({ deleted: true })
    expect(await ask('delete-location', { id })).toEqual({ deleted: false })
    expect(await refuse('save-location', { id, changes: { city: { from: 'Dayton', to: 'Akron' } } })).toEqual([
      404,
      'location_not_found',
    ])
  })

  test('can’t have equal or empty names, and a field changed elsewhere is a conflict', async () => {
    const { id } = await addLocation('Harbor Street')
    expect(await addLocation('HARBOR street')).toMatchObject({ status: 409, body: { code: 'name_taken' } })
    expect(await addLocation('  ')).toMatchObject({ status: 400 })
    await ask('save-location', { id, changes: { city: { from: '', to: 'Dayton' } } })
    const late = await as(server, reader)('save-location', { id, changes: { city: { from: '', to: 'Akron' } } })
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'edit_conflict', conflicts: ['city'], location: { values: { city: 'Dayton' } } },
    })
  })

  test('are at most a hundred, also when the last ones are added at the same time', async () => {
    await server.database.db.execute(sql`
      insert into business_location (id, user_id, name, created_at, updated_at)
      select gen_random_uuid(), ${reader.id}::uuid, 'Store ' || n, now(), now() from generate_series(1, ${maxLocations - 1}) n`)
    const added = await Promise.all([addLocation('One more'), addLocation('Two more')])
    expect(added.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await read()).locations).toHaveLength(maxLocations)
  })

  test('of another reader can be neither read, changed nor deleted', async () => {
    const { id } = await addLocation('Harbor Street')
    const stranger = await buildUser(server, { subscription: 'active' })
    expect((await read(stranger)).locations).toEqual([])
    const take = { id, name: { from: '', to: 'Mine now' } }
    expect(await refuse('save-location', take, stranger)).toEqual([404, 'location_not_found'])
    expect(await ask('delete-location', { id }, stranger)).toEqual({ deleted: false })
    expect((await read()).locations).toMatchObject([{ name: 'Harbor Street' }])
  })

  test('that an owner shares are readable by members while the team’s plan is active', async () => {
    const owner = await buildOwner(server)
    const member = await buildUser(server, { subscription: 'active' })
    await seat(server, owner, member)
    const { id } = await addLocation('Harbor Street', {}, owner)
    await addLocation('Private', {}, owner)
    expect((await read(member)).locations).toEqual([])
    await ask('save-location', { id, shared: true }, owner)
    await addLocation('My own', {}, member)
    expect((await read(member)).locations).toMatchObject([
      { name: 'My own', mine: true },
      { id, name: 'Harbor Street', mine: false },
    ])
    expect(await refuse('save-location', { id, name: { from: 'Harbor Street', to: 'x' } }, member)).toEqual([
      404,
      'location_not_found',
    ])
    expect(await ask('delete-location', { id }, member)).toEqual({ deleted: false })
    await server.database.db.execute(sql`update subscription_state set status = 'canceled' where user_id = ${owner.id}`)
    expect((await read(member)).locations).toMatchObject([{ name: 'My own' }])
  })
})

describe('remembered answers', () => {
  const remember = (answers: Body, at: string, promptId = 'closing-note') =>
    as(server, reader)('remember-answers', { promptId, at, answers })

  test('belong to one prompt; the newest of two devices wins, whatever the order of arrival', async () => {
    await remember({ role: 'cook', 'notes: tonight': 'quiet' }, '2026-11-22T15:00:00Z')
    await remember({ role: 'cashier' }, '2026-11-22T14:00:00Z')
    await remember({ 'notes: tonight': '' }, '2026-11-22T15:30:00Z')
    await remember({ 'notes: tonight': 'late and old' }, '2026-11-22T15:20:00Z')
    await remember({ role: 'coach' }, '2026-11-22T15:00:00Z', 'other')
    expect((await read()).answers).toEqual({ 'closing-note': { role: 'cook' }, other: { role: 'coach' } })
  })

  test('of a device whose clock is ahead don’t win forever', async () => {
    await remember({ role: 'cook' }, '2031-01-01T00:00:00Z')
    server.clock.advance(60_000)
    await remember({ role: 'cashier' }, server.clock.now.toISOString())
    expect((await read()).answers).toEqual({ 'closing-note': { role: 'cashier' } })
  })

  test('are limited in number and length, and the oldest are forgotten first', async () => {
    const at = server.clock.now.toISOString()
    const many = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`blank ${index}`, 'x']))
    for (const body of [
      { promptId: 'p', at, answers: many },
      { promptId: 'p', at, answers: { role: 'x'.repeat(4_001) } },
      { promptId: 'p', at, answers: { ['b'.repeat(301)]: 'x' } },
      { promptId: 'p', at, answers: { role: 'nul\u0000' } },
      { promptId: 'p\u0000', at, answers: { role: 'x' } },
      { promptId: 'p', at: 'yesterday', answers: {} },
    ]) {
      expect(await refuse('remember-answers', body)).toEqual([400, 'validation_failed'])
    }
    await server.database.db.execute(sql`
      insert into prompt_answer (user_id, prompt_id, blank, answer, answered_at)
      select ${reader.id}::uuid, 'p' || n, 'role', 'x', timestamptz '2026-01-01' + n * interval '1 minute'
        from generate_series(1, ${maxRememberedAnswers}) n`)
    await remember({ role: 'cook', city: 'Dayton' }, at)
    const rows = await server.database.db.select().from(promptAnswer)
    expect(rows).toHaveLength(maxRememberedAnswers)
    expect(rows.some(({ promptId }) => promptId === 'p1' || promptId === 'p2')).toBe(false)
  })

  test('with names of object members are only texts', async () => {
    const body = `{"promptId":"constructor","at":"2026-11-22T15:00:00Z","answers":{"constructor":"x","__proto__":"y"}}`
    await ask('remember-answers', JSON.parse(body))
    expect((await read()).answers.constructor).toMatchObject({ constructor: 'x' })
  })
})

describe('privacy', () => {
  const secret = 'Sandalwood-7431'
  const fill = async () => {
    await save({ brand: { from: '', to: secret } })
    await addLocation(`${secret} Street`, { city: { from: '', to: secret } })
    const at = server.clock.now.toISOString()
    await ask('remember-answers', { promptId: 'p', at, answers: { role: secret } })
  }

  test('the profile is in the data export', async () => {
    await fill()
    const { data } = (await ask('export-data')) as { data: Body }
    expect(data.businessProfile).toMatchObject({
      profile: { values: { brand: secret } },
      locations: [{ name: `${secret} Street`, values: { city: secret }, sharedWithTeam: false }],
      answers: [{ prompt: 'p', blank: 'role', answer: secret }],
    })
  })

  test('nothing of it is left after the account is deleted', async () => {
    await fill()
    expect(await ask('delete-account', { email: reader.email })).toEqual({ deleted: true })
    expect(await server.database.db.select().from(users)).toEqual([])
    for (const table of ['business_profile', 'business_location', 'prompt_answer']) {
      expect(await queryRows(server.database.db, sql`select * from ${sql.identifier(table)}`), table).toEqual([])
    }
  })

  test('no text of it is logged, whether it is saved or refused', async () => {
    const lines: string[] = []
    const logger = createLogger('debug', { write: (line: string) => void lines.push(line) })
    const app = createApp({ ...server.deps, logger })
    const calls: [string, object][] = [
      ['save-business-profile', { changes: { brand: { from: '', to: secret } } }],
      ['save-business-profile', { changes: { brand: { from: 'other', to: `${secret}!` } } }],
      ['save-business-profile', { changes: { brand: { from: secret, to: `${secret}\u0000` } } }],
      ['save-location', { id: crypto.randomUUID(), name: { from: '', to: secret }, changes: {} }],
      ['save-location', { id: crypto.randomUUID(), name: { from: '', to: secret }, changes: {} }],
      ['remember-answers', { promptId: 'p', at: server.clock.now.toISOString(), answers: { role: secret } }],
      ['business-profile', {}],
    ]
    const statuses: number[] = []
    for (const [name, body] of calls) {
      const request = { method: 'POST', headers: reader.headers, body: JSON.stringify(body) }
      statuses.push((await app.request(`/functions/v1/${name}`, request)).status)
    }
    expect(statuses).toEqual([200, 409, 400, 200, 409, 200, 200])
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('')).not.toContain('Sandalwood')
  })
})
