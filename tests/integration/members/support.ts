import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import type { Db } from '#server/db/database.ts'
import {
  businessLocation,
  complimentaryAccess,
  contentItems,
  customField,
  emailPreferences,
  memberFacts,
  memberNotes,
  memberSources,
  memberTags,
  newsletterSubscription,
  pollVotes,
  readingState,
  subscriptionState,
  suppressions,
  teamSeat,
  tries,
  userPreferences,
  users,
} from '#server/db/schema/index.ts'
import { writeFieldValues } from '#server/features/reader/custom-fields/field-values.ts'
import { type CustomField, customFieldKinds, type FieldValues } from '#shared/domain/custom-fields.ts'
import { dayMs } from '#shared/domain/durations.ts'
import type { SubscriptionFacts } from '#shared/domain/entitlement.ts'
import {
  accountStates,
  engagementKinds,
  type MemberFilter,
  memberFilterSchema,
  memberStatuses,
} from '#shared/domain/member-filter.ts'
import { readPollToken } from '#shared/domain/poll.ts'
import { aiLevels, focusAreas, franchiseTypes, goals } from '#shared/domain/preferences.ts'
import { addNewsletter } from '#tests/integration/newsletters/support.ts'
import { planKeys } from '#tests/support/default-plans.ts'
import type { MemberRecord } from '#tests/support/member-filter-model.ts'

export const now = new Date('2026-03-08T12:00:00Z')
const hourMs = 3_600_000
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)

/** Instants around the boundaries that filters and access have, to the millisecond. */
const near = fc
  .tuple(fc.constantFrom(0, -24, 24, -168, -167, 7 * 24, -30 * 24, 30 * 24, -90 * 24), fc.constantFrom(-1, 0, 1))
  .map(([hours, ms]) => new Date(now.getTime() + hours * hourMs + ms))
const past = fc
  .tuple(fc.constantFrom(0, 1, 7, 30, 90, 400), fc.constantFrom(0, 1))
  .map(([days, ms]) => new Date(daysAgo(days).getTime() - ms))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 2 })
const some = <T>(values: readonly T[]) => fc.subarray([...values])
const subscription: fc.Arbitrary<SubscriptionFacts> = fc.record({
  status: fc.constantFrom(
    'active',
    'active',
    'trialing',
    'past_due',
    'canceled',
    'unpaid',
    'paused',
    'incomplete',
    'none',
  ),
  productId: fc.option(fc.constantFrom('prod_pro_monthly', 'prod_pro_yearly', 'prod_team_monthly', 'prod_other'), {
    nil: null,
    freq: 9,
  }),
  currentPeriodStart: maybe(near),
  currentPeriodEnd: fc.option(near, { nil: null, freq: 5 }),
  cancelAt: fc.option(near, { nil: null, freq: 1 }),
  pauseStartsAt: fc.option(near, { nil: null, freq: 1 }),
  pauseEndsAt: fc.option(near, { nil: null, freq: 1 }),
  unpaidSince: maybe(near),
  testClockTime: fc.option(near, { nil: null, freq: 1 }),
})
const names = ['Ann Miller', 'Ben', 'zoë', '']
const tags = ['vip', 'met in reno', 'webinar']

const option = (key: string) => ({ key, label: key, retired: key === 'old' })
/** One field of each kind. */
export const fields = Object.keys(customFieldKinds).map(
  (kind, at): CustomField => ({
    id: at + 1,
    key: kind,
    label: kind,
    help: '',
    kind: kind as CustomField['kind'],
    options: ['small', 'large', 'old'].map(option),
    asked: 'account',
    required: false,
    retired: false,
  }),
)
const idOf = (kind: CustomField['kind']) => fields.find((field) => field.kind === kind)?.id ?? 0
const someNumber = fc.constantFrom(0, 1, -1, 0.5, -0.25, 9.99, 10, 12, 100, -150, 4_200, 1_000_000_000_000)
const someDay = fc.constantFrom('1000-01-01', '2024-02-29', '2026-01-31', '2026-02-01', '2026-12-31', '2030-06-15')
const fieldValues = fc
  .record({
    text: maybe(fc.constantFrom('Bread & butter', 'bread', 'Straße 7', 'ÉCLAIR', '—')),
    choice: maybe(fc.constantFrom('small', 'large', 'old')),
    choices: maybe(fc.subarray(['small', 'large', 'old'], { minLength: 1 })),
    number: maybe(someNumber),
    date: maybe(someDay),
    yes_no: maybe(fc.boolean()),
  })
  .map(
    (values): FieldValues =>
      Object.fromEntries(
        Object.entries(values).flatMap(([kind, value]) =>
          value === null ? [] : [[idOf(kind as CustomField['kind']), value]],
        ),
      ),
  )
const range = <T>(value: fc.Arbitrary<T>, compare: (one: T, other: T) => number) =>
  fc
    .uniqueArray(value, { minLength: 2, maxLength: 2 })
    .map((bounds) => bounds.toSorted(compare))
    .chain(([low, high]) => fc.constantFrom([low, high], [low, null], [null, high], [low, low]))
const fieldCondition = fc.oneof(
  fc.record({ field: fc.constantFrom(...fields.map(({ id }) => id), 99), filled: fc.boolean() }),
  fc.record({
    field: fc.constantFrom(idOf('choice'), idOf('choices')),
    anyOf: fc.subarray(['small', 'large', 'old', 'unknown'], { minLength: 1 }),
  }),
  fc.record({ field: fc.constant(idOf('yes_no')), anyOf: fc.subarray(['yes', 'no'], { minLength: 1 }) }),
  fc.record({
    field: fc.constant(idOf('text')),
    words: fc.constantFrom('bread', 'butter BREAD', 'éclair', 'strasse', '7', 'bre'),
  }),
  range(someNumber, (one, other) => one - other).map(([min, max]) => ({ field: idOf('number'), min, max })),
  range(someDay, (one, other) => one.localeCompare(other)).map(([from, to]) => ({ field: idOf('date'), from, to })),
)

const memberArbitrary = fc.record({
  fields: fieldValues,
  address: fc.constantFrom('ann', 'ben.miller', 'x', 'zed'),
  name: maybe(fc.constantFrom(...names)),
  joinedAt: past,
  emailConfirmed: fc.boolean(),
  disabledUntil: maybe(near),
  suppressed: fc.boolean(),
  askedForFree: fc.boolean(),
  subscription: maybe(subscription),
  team: maybe(subscription),
  complimentaryUntil: maybe(near),
  answers: maybe(
    fc.record({
      focusAreas: some(focusAreas),
      goals: some(goals),
      aiLevel: fc.constantFrom(...aiLevels),
      franchiseType: maybe(fc.constantFrom(...franchiseTypes)),
    }),
  ),
  locations: fc.constantFrom(0, 0, 1, 2, 5),
  tags: some(tags),
  firstSource: maybe(fc.constantFrom('google', 'direct')),
  pollVotes: fc.subarray(['drop-1:Yes', 'drop-1:No: later', 'drop-2:Yes'], { maxLength: 1 }),
  noted: fc.boolean(),
  /** For `drops`, `news` and one newsletter: true, false, or null if never asked. */
  gets: fc.record({ drops: fc.boolean(), news: fc.boolean(), added: maybe(fc.boolean()) }),
  lastSignedInAt: maybe(past),
  lastOpenedAt: maybe(past),
  lastClickedAt: maybe(past),
  lastTriedAt: maybe(past),
  lastReadAt: maybe(past),
  allowsTracking: fc.boolean(),
})
type Generated = typeof memberArbitrary extends fc.Arbitrary<infer T> ? T : never
export type AddedMember = MemberRecord & { id: string; askedForFree: boolean }

const period = fc.oneof(
  fc.constantFrom(1, 7, 30).map((days) => ({ days })),
  fc.constantFrom(
    { from: '2026-03-01', to: '2026-03-08' },
    { from: null, to: '2026-03-07' },
    { from: '2026-03-08', to: null },
  ),
)

const streamsToFilter = ['drops', 'news', 'newsletter:1', 'newsletter:2']

/** Filters with one to three fields, as staff would set them. */
export const filterArbitrary: fc.Arbitrary<MemberFilter> = fc
  .record({
    search: fc.constantFrom('ann', 'ANN m', 'be', 'miller', '@', '%_', 'zo'),
    statuses: fc.subarray(Object.keys(memberStatuses) as (keyof typeof memberStatuses)[], { minLength: 1 }),
    plans: fc.subarray([...planKeys], { minLength: 1 }),
    account: fc.subarray(Object.keys(accountStates) as (keyof typeof accountStates)[], { minLength: 1 }),
    focusAreas: fc.subarray([...focusAreas], { minLength: 1, maxLength: 2 }),
    goals: fc.subarray([...goals], { minLength: 1, maxLength: 2 }),
    aiLevels: fc.subarray([...aiLevels], { minLength: 1, maxLength: 2 }),
    franchiseTypes: fc.subarray([...franchiseTypes], { minLength: 1, maxLength: 2 }),
    locations: fc.constantFrom({ min: 0, max: 0 }, { min: 1, max: 2 }, { min: 2, max: null }),
    engagement: fc.record({
      kind: fc.constantFrom(...(Object.keys(engagementKinds) as (keyof typeof engagementKinds)[])),
      within: fc.boolean(),
      days: fc.constantFrom(1, 7, 90),
    }),
    joined: period,
    renews: period,
    tags: fc.subarray(tags, { minLength: 1 }),
    sources: fc.subarray(['google', 'direct', 'podcast'], { minLength: 1 }),
    polls: fc.subarray(['drop-1:Yes', 'drop-1:No: later', 'drop-2:Yes'], { minLength: 1 }),
    noted: fc.boolean(),
    newsletters: fc.subarray(streamsToFilter, { minLength: 1 }),
    unsubscribedFrom: fc.subarray(streamsToFilter, { minLength: 1 }),
    fields: fc.array(fieldCondition, { minLength: 1, maxLength: 2 }),
  })
  .chain((all) =>
    fc
      .subarray(Object.keys(all), { minLength: 1, maxLength: 3 })
      .map((chosen) =>
        memberFilterSchema.parse(Object.fromEntries(Object.entries(all).filter(([field]) => chosen.includes(field)))),
      ),
  )

/** Two items for each member who tried something: what they tried last, and one that they took back since. */
async function addTries(db: Db, members: readonly Pick<AddedMember, 'id' | 'lastTriedAt' | 'lastReadAt'>[]) {
  const items = ['kept', 'removed'].map((id) => ({
    kind: 'prompt' as const,
    id,
    title: id,
    path: '/',
    publishedAt: now,
    changedAt: now,
  }))
  await db.insert(contentItems).values(items).onConflictDoNothing()
  await db
    .insert(tries)
    .values(
      members.flatMap(({ id: userId, lastTriedAt }) => [
        { userId, kind: 'prompt' as const, itemId: 'removed', startedAt: now, removedAt: now },
        ...(lastTriedAt
          ? [{ userId, kind: 'prompt' as const, itemId: 'kept', startedAt: daysAgo(5_000), answeredAt: lastTriedAt }]
          : []),
      ]),
    )
  await db
    .insert(readingState)
    .values(
      members.flatMap(({ id: userId, lastReadAt }) =>
        lastReadAt
          ? [{ userId, kind: 'prompt' as const, itemId: 'kept', readAt: daysAgo(5_000), positionAt: lastReadAt }]
          : [],
      ),
    )
}

/** Adds members through the tables that the facts come from. */
export async function addMembers(db: Db, count: number, seed: number): Promise<AddedMember[]> {
  const added = fc.sample(memberArbitrary, { numRuns: count, seed }).map((member, at) => ({
    ...member,
    id: randomUUID(),
    ownerId: randomUUID(),
    email: `${member.address}${seed}-${at}@example.test`,
  }))
  const owner = (id: string) => ({ id, createdAt: daysAgo(5_000), updatedAt: now, emailConfirmedAt: now })
  await db.insert(users).values([
    ...added.flatMap(({ ownerId, team }) => (team ? [owner(ownerId)] : [])),
    ...added.map((member) => ({
      id: member.id,
      email: member.email,
      createdAt: member.joinedAt,
      updatedAt: now,
      emailConfirmedAt: member.emailConfirmed ? now : null,
      bannedUntil: member.disabledUntil,
      lastSignInAt: member.lastSignedInAt,
      rawUserMetaData: member.name === null ? { name: 7 } : { full_name: member.name },
    })),
  ])
  const plan = (userId: string, facts: SubscriptionFacts) => ({ userId, syncSeq: 1, syncedAt: now, ...facts })
  await db
    .insert(teamSeat)
    .values(added.flatMap(({ id, ownerId, team }) => (team ? [{ ownerId, seat: 2, userId: id, joinedAt: now }] : [])))
  await db
    .insert(subscriptionState)
    .values(
      added.flatMap(({ id, ownerId, subscription, team }) => [
        ...(subscription ? [plan(id, subscription)] : []),
        ...(team ? [plan(ownerId, team)] : []),
      ]),
    )
  await db
    .insert(complimentaryAccess)
    .values(
      added.flatMap(({ id, complimentaryUntil }) =>
        complimentaryUntil ? [{ userId: id, until: complimentaryUntil, grantedBy: 'Admin', grantedAt: now }] : [],
      ),
    )
  await db
    .insert(userPreferences)
    .values(
      added.flatMap(({ id, answers }) =>
        answers ? [{ userId: id, ...answers, focusAreas: [...answers.focusAreas], goals: [...answers.goals] }] : [],
      ),
    )
  await db.insert(businessLocation).values(
    added.flatMap(({ id, locations }) =>
      Array.from({ length: locations }, (_, at) => ({
        id: randomUUID(),
        userId: id,
        name: `Store ${at}`,
        createdAt: now,
        updatedAt: now,
      })),
    ),
  )
  await db.insert(memberTags).values(
    added.flatMap((member) =>
      member.tags.map((tag) => ({
        userId: member.id,
        tag,
        joinedMicros: member.joinedAt.getTime() * 1000,
        addedAt: now,
      })),
    ),
  )
  await db.insert(emailPreferences).values(
    added.flatMap(({ id, askedForFree, gets, allowsTracking }) =>
      askedForFree || allowsTracking || !gets.drops || !gets.news
        ? [
            {
              userId: id,
              drops: gets.drops ? 'monthly' : 'off',
              news: gets.news,
              allowsTracking,
              freeSince: askedForFree ? now : null,
              updatedAt: now,
            },
          ]
        : [],
    ),
  )
  await addNewsletter(db)
  await db
    .insert(newsletterSubscription)
    .values(
      added.flatMap(({ id, gets: { added: subscribed } }) =>
        subscribed === null ? [] : [{ newsletterId: 1, userId: id, subscribed, changedAt: now }],
      ),
    )
  await db.insert(memberSources).values(
    added.flatMap(({ id, firstSource }) =>
      firstSource
        ? [
            {
              userId: id,
              firstSource,
              firstCampaign: '',
              firstPath: '/',
              firstAt: now,
              lastSource: firstSource,
              lastCampaign: '',
              lastAt: now,
            },
          ]
        : [],
    ),
  )
  await db
    .insert(pollVotes)
    .values(
      added.flatMap((member) =>
        member.pollVotes.map((token) => ({ ...readPollToken(token), userId: member.id, at: now })),
      ),
    )
  await addTries(db, added)
  await db
    .insert(suppressions)
    .values(
      added.flatMap(({ email, suppressed }) =>
        suppressed ? [{ email, stream: 'news', reason: 'manual', createdAt: now }] : [],
      ),
    )
  await db.insert(memberNotes).values(
    added.flatMap(({ id, noted }) =>
      noted
        ? [
            {
              id: randomUUID(),
              userId: id,
              text: 'A note',
              createdAt: now,
              createdBy: 'A',
              updatedAt: now,
              updatedBy: 'A',
            },
          ]
        : [],
    ),
  )
  await db
    .insert(customField)
    .values(
      fields.map(({ retired: _retired, ...field }, position) => ({
        ...field,
        position,
        createdAt: now,
        updatedAt: now,
      })),
    )
    .onConflictDoNothing()
  const changesOf = (values: FieldValues) =>
    fields.flatMap((field) => (field.id in values ? [{ field, value: values[field.id] ?? null }] : []))
  await db.transaction((tx) =>
    writeFieldValues(
      tx,
      added.map((member) => ({ userId: member.id, changes: changesOf(member.fields) })),
      now,
    ),
  )
  for (const { id, lastOpenedAt, lastClickedAt } of added) {
    await db.update(memberFacts).set({ lastOpenedAt, lastClickedAt }).where(sql`user_id = ${id}::uuid`)
  }
  return added.map(asRecord)
}

const streamsOf = ({ drops, news, added }: Generated['gets'], subscribed: boolean) =>
  Object.entries({ drops, news, 'newsletter:1': added }).flatMap(([stream, gets]) =>
    gets === subscribed ? [stream] : [],
  )

const asRecord = ({
  subscription,
  team,
  complimentaryUntil,
  ...member
}: Generated & { id: string; email: string }) => ({
  ...member,
  isFreeReader: member.askedForFree && member.emailConfirmed,
  name: member.name?.trim() || null,
  access: { subscription, team, complimentaryUntil },
  newsletters: { subscribed: streamsOf(member.gets, true), unsubscribed: streamsOf(member.gets, false) },
})
