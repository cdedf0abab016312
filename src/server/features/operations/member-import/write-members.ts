import { sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import type { memberImports } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { writeFieldValues } from '#server/features/reader/custom-fields/field-values.ts'
import { readCustomFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { restoreSuppressionsOf } from '#server/mail/retained-suppressions.ts'
import { memberInvitationEmail } from '#server/mail/texts/member-emails.ts'
import type { ImportOptions } from '#shared/contracts/operations/member-import.ts'
import { importSourceNames } from '#shared/domain/import-fields.ts'
import type { MemberChange } from './plan-member.ts'
import type { PlannedRow } from './plan-rows.ts'

type WriteDeps = Pick<Deps, 'config' | 'secrets' | 'enqueue'>
type Import = Pick<typeof memberImports.$inferSelect, 'source' | 'createdBy' | 'createdById'>
type Context = { found: Import; options: ImportOptions; now: Date }

/** Someone signed up with an address between planning and writing. The batch is planned again. */
export class PlanOutdated extends Error {}

/** Writes planned rows with one statement per table. @throws PlanOutdated */
export async function writeMembers(
  tx: Tx,
  deps: WriteDeps,
  planned: readonly PlannedRow[],
  context: Context,
): Promise<void> {
  const fresh = planned.filter(({ outcome }) => outcome === 'new')
  // The list's row of a member has seven indexes, so it is written once, when what it depends on is there.
  await tx.execute(sql`select set_config('front_counter.facts_later', 'on', true)`)
  await addUsers(tx, deps, fresh, context)
  const having = (change: MemberChange) => planned.filter(({ applied }) => applied.has(change))
  await fillNames(
    tx,
    having('name').filter(({ outcome }) => outcome !== 'new'),
    context.now,
  )
  await addTags(tx, having('tags'), context)
  await addAnswers(tx, having('answers'), context.now)
  await addPreferences(tx, having('preferences'), context.now)
  await addFieldValues(tx, having('fields'), context.now)
  await rememberStripeCustomers(tx, having('stripeCustomer'))
  await startFreeEdition(tx, fresh, context)
  await subscribeToNewsletters(tx, fresh, context.now)
  await unsubscribe(tx, having('unsubscribe'), context.now)
  await suppress(tx, having('suppress'), context)
  await grantComplimentaryAccess(tx, having('complimentary'), context)
  await tx.execute(sql`select add_member_facts(${sql.param(fresh.map(({ userId }) => userId))}::uuid[])`)
  await addNotes(tx, having('note'), context)
  await recordEvents(tx, fresh, having('complimentary'), context)
  if (context.options.invite) await invite(tx, deps, fresh)
}

const instant = (at: Date) => sql`${at.toISOString()}::timestamptz`
const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`

/**
 * Adds accounts without a password: their owners sign in by an emailed link. `created_by_admin`, because no one could
 * have entered a password or profile before the address was confirmed.
 */
async function addUsers(tx: Tx, deps: WriteDeps, rows: readonly PlannedRow[], { options, now }: Context) {
  if (rows.length === 0) return
  const given = rows.map(({ userId, member }) => ({
    id: userId,
    email: member.email,
    name: member.name,
    joined: member.joinedAt ?? now.toISOString(),
    confirmed: member.confirmed || (options.vouchConfirmed && member.mail === 'subscribed'),
  }))
  // Sorted, so that concurrent statements lock addresses in one order.
  const added = await queryRows<{ id: string }>(
    tx,
    sql`insert into auth.users (id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data,
        created_at, updated_at, created_by_admin)
      select r.id, 'authenticated', 'authenticated', r.email, case when r.confirmed then ${instant(now)} end,
        '{"provider": "email", "providers": ["email"]}'::jsonb,
        case when r.name is null then '{}'::jsonb else jsonb_build_object('full_name', r.name) end
          || case when r.confirmed then '{"email_verified": true}'::jsonb else '{}'::jsonb end,
        r.joined, ${instant(now)}, true
      from jsonb_to_recordset(${json(given)}) as r (id uuid, email text, name text, joined timestamptz, confirmed boolean)
      order by r.email
      on conflict (email) where is_sso_user = false do nothing
      returning id`,
  )
  if (added.length !== rows.length) throw new PlanOutdated()
  await tx.execute(sql`insert into auth.identities (provider_id, user_id, provider, identity_data, created_at, updated_at)
    select r.id::text, r.id, 'email',
      jsonb_build_object('sub', r.id, 'email', r.email, 'email_verified', r.confirmed, 'phone_verified', false)
        || case when r.name is null then '{}'::jsonb else jsonb_build_object('full_name', r.name) end,
      r.joined, ${instant(now)}
    from jsonb_to_recordset(${json(given)}) as r (id uuid, email text, name text, joined timestamptz, confirmed boolean)`)
  await restoreSuppressionsOf(
    tx,
    deps,
    given.map(({ email }) => email),
  )
}

async function fillNames(tx: Tx, rows: readonly PlannedRow[], now: Date) {
  if (rows.length === 0) return
  const given = rows.map(({ userId, member }) => ({ id: userId, name: member.name }))
  await tx.execute(sql`update auth.users u set updated_at = ${instant(now)},
      raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}'::jsonb) || jsonb_build_object('full_name', r.name)
    from jsonb_to_recordset(${json(given)}) as r (id uuid, name text) where u.id = r.id`)
}

async function addTags(tx: Tx, rows: readonly PlannedRow[], { found, now }: Context) {
  if (rows.length === 0) return
  const given = rows.flatMap(({ userId, member }) => member.tags.map((tag) => ({ id: userId, tag })))
  await tx.execute(sql`insert into member_tags (user_id, tag, joined_micros, added_at, added_by, added_by_id)
    select u.id, r.tag, (extract(epoch from u.created_at) * 1000000)::bigint, ${instant(now)}, ${found.createdBy},
      ${found.createdById}::uuid
    from jsonb_to_recordset(${json(given)}) as r (id uuid, tag text) join auth.users u on u.id = r.id
    order by u.id, r.tag on conflict do nothing`)
}

async function addNotes(tx: Tx, rows: readonly PlannedRow[], { found, now }: Context) {
  if (rows.length === 0) return
  const given = rows.map(({ userId, member }) => ({ id: userId, text: member.note }))
  const author = found.createdBy ?? 'Import'
  await tx.execute(sql`insert into member_notes (id, user_id, text, created_at, created_by, created_by_id, updated_at,
      updated_by, updated_by_id)
    select gen_random_uuid(), r.id, r.text, ${instant(now)}, ${author}, ${found.createdById}::uuid, ${instant(now)},
      ${author}, ${found.createdById}::uuid
    from jsonb_to_recordset(${json(given)}) as r (id uuid, text text)`)
}

/** Answers that the member gave already stay. */
async function addAnswers(tx: Tx, rows: readonly PlannedRow[], now: Date) {
  if (rows.length === 0) return
  const given = rows.map(({ userId, member }) => ({ id: userId, values: member.answers }))
  await tx.execute(sql`insert into business_profile (user_id, values, updated_at)
    select r.id, r.values, ${instant(now)}
    from jsonb_to_recordset(${json(given)}) as r (id uuid, values jsonb) order by r.id
    on conflict (user_id) do update set values = excluded.values || business_profile.values, updated_at = excluded.updated_at`)
}

/** Fills in the optional questions for members who answered already. */
async function addPreferences(tx: Tx, rows: readonly PlannedRow[], now: Date) {
  if (rows.length === 0) return
  const given = rows.map(({ userId, member: { preferences } }) => ({ id: userId, ...preferences }))
  await tx.execute(sql`insert into user_preferences (user_id, focus_areas, ai_level, goals, franchise_type, created_at,
      updated_at)
    select r.id, array(select jsonb_array_elements_text(r."focusAreas")), r."aiLevel",
      array(select jsonb_array_elements_text(r.goals)), r."franchiseType", ${instant(now)}, ${instant(now)}
    from jsonb_to_recordset(${json(given)}) as r (id uuid, "focusAreas" jsonb, "aiLevel" text, goals jsonb,
      "franchiseType" text) order by r.id
    on conflict (user_id) do update set
      goals = case when user_preferences.goals = '{}' then excluded.goals else user_preferences.goals end,
      franchise_type = coalesce(user_preferences.franchise_type, excluded.franchise_type),
      updated_at = excluded.updated_at`)
}

/** By the fields' ids: a field that was renamed or retired since the check is the same one. */
async function addFieldValues(tx: Tx, rows: readonly PlannedRow[], now: Date) {
  if (rows.length === 0) return
  const fields = await readCustomFields(tx)
  const changesOf = ({ missingFields }: PlannedRow) =>
    fields.flatMap((field) => {
      const value = missingFields[field.id]
      return value === undefined ? [] : [{ field, value }]
    })
  await writeFieldValues(
    tx,
    rows.map((row) => ({ userId: row.userId, changes: changesOf(row) })),
    now,
  )
}

async function rememberStripeCustomers(tx: Tx, rows: readonly PlannedRow[]) {
  if (rows.length === 0) return
  const given = rows.map(({ userId, member }) => ({ id: userId, customer: member.stripeCustomerId }))
  await tx.execute(sql`insert into imported_stripe_customer (user_id, stripe_customer_id)
    select r.id, r.customer from jsonb_to_recordset(${json(given)}) as r (id uuid, customer text)
    order by r.id on conflict do nothing`)
}

async function startFreeEdition(tx: Tx, fresh: readonly PlannedRow[], { options, now }: Context) {
  const ids = fresh.flatMap(({ userId, member }) =>
    options.freeEdition && member.mail === 'subscribed' ? [userId] : [],
  )
  if (ids.length === 0) return
  await tx.execute(sql`insert into email_preferences (user_id, free_since, free_source, updated_at)
    select id, ${instant(now)}, 'import', ${instant(now)} from unnest(${sql.param(ids)}::uuid[]) id order by id
    on conflict do nothing`)
}

/** If the file names newsletters, new members get those and no others. Otherwise they get those for everyone who joins. */
async function subscribeToNewsletters(tx: Tx, fresh: readonly PlannedRow[], now: Date) {
  const given = fresh.flatMap(({ userId, member: { newsletters } }) => (newsletters ? [{ userId, newsletters }] : []))
  await endNewsletters(
    tx,
    given.map(({ userId }) => ({ id: userId, at: null, fresh: true })),
  )
  const rows = given.flatMap(({ userId, newsletters }) => newsletters.map((id) => ({ id: userId, newsletter: id })))
  if (rows.length === 0) return
  await tx.execute(sql`insert into newsletter_subscription (newsletter_id, user_id, subscribed, changed_at)
    select distinct r.newsletter, r.id, true, ${instant(now)}
    from jsonb_to_recordset(${json(rows)}) as r (id uuid, newsletter int) order by 1, 2
    on conflict (newsletter_id, user_id) do update set subscribed = true, changed_at = excluded.changed_at`)
}

type Ended = { id: string; at: string | null; fresh: boolean }
const endedList = (given: readonly Ended[]) =>
  sql`jsonb_to_recordset(${json(given)}) as r (id uuid, at timestamptz, fresh boolean)`

/** Without a date it is 1970, which pages show as unknown, so that it counts for no month. */
async function endNewsletters(tx: Tx, given: readonly Ended[]) {
  if (given.length === 0) return
  // Rows of new members are written anew, since an update would tell outgoing webhooks.
  await tx.execute(sql`with ended as (
      delete from newsletter_subscription s using ${endedList(given)} where s.user_id = r.id and r.fresh
      returning s.newsletter_id, s.user_id, coalesce(r.at, 'epoch') as at)
    insert into newsletter_subscription (newsletter_id, user_id, subscribed, changed_at)
    select newsletter_id, user_id, false, at from ended order by 1, 2`)
  await tx.execute(sql`update newsletter_subscription s set subscribed = false, changed_at = coalesce(r.at, 'epoch')
    from ${endedList(given)} where s.user_id = r.id and s.subscribed and not r.fresh`)
}

async function unsubscribe(tx: Tx, rows: readonly PlannedRow[], now: Date) {
  if (rows.length === 0) return
  const given = rows.map(({ userId, outcome, member }) => ({
    id: userId,
    at: member.unsubscribedAt ?? null,
    fresh: outcome === 'new',
  }))
  await tx.execute(sql`insert into email_preferences (user_id, drops, news, follow_ups, updated_at, unsubscribed_at)
    select r.id, 'off', false, false, ${instant(now)}, r.at from ${endedList(given)} order by r.id
    on conflict (user_id) do update set drops = 'off', news = false, follow_ups = false, updated_at = excluded.updated_at,
      unsubscribed_at = coalesce(excluded.unsubscribed_at, email_preferences.unsubscribed_at)`)
  await endNewsletters(tx, given)
}

/** Complaints suppress each stream of mailings, so that members can lift them by subscribing again, as after our own emails. */
async function suppress(tx: Tx, rows: readonly PlannedRow[], { found, now }: Context) {
  if (rows.length === 0) return
  const given = rows.flatMap(({ member: { email, mail } }) =>
    mail === 'complained'
      ? ['drops', 'news', 'follow-ups'].map((stream) => ({ email, stream, reason: 'complaint' }))
      : [{ email, stream: 'all', reason: 'hard_bounce' }],
  )
  const detail = `Imported from ${importSourceNames[found.source]}`
  await tx.execute(sql`insert into suppressions (email, stream, reason, detail, created_at, created_by, created_by_id)
    select r.email, r.stream, r.reason, ${detail}, ${instant(now)}, ${found.createdBy}, ${found.createdById}::uuid
    from jsonb_to_recordset(${json(given)}) as r (email text, stream text, reason text) order by r.email, r.stream
    on conflict (email, stream) where lifted_at is null do nothing`)
}

/** Extends earlier complimentary access and never shortens it. */
async function grantComplimentaryAccess(tx: Tx, rows: readonly PlannedRow[], { found, now }: Context) {
  if (rows.length === 0) return
  const given = rows.map(({ userId, complimentaryUntil }) => ({ id: userId, until: complimentaryUntil }))
  const note = `Imported from ${importSourceNames[found.source]}`
  await tx.execute(sql`insert into complimentary_access (user_id, until, note, granted_by, granted_by_id, granted_at)
    select r.id, r.until, ${note}, ${found.createdBy ?? 'Import'}, ${found.createdById}::uuid, ${instant(now)}
    from jsonb_to_recordset(${json(given)}) as r (id uuid, until timestamptz) order by r.id
    on conflict (user_id) do update set until = excluded.until, note = excluded.note, granted_by = excluded.granted_by,
      granted_by_id = excluded.granted_by_id, granted_at = excluded.granted_at
      where complimentary_access.until < excluded.until`)
}

/** The members' own entries: where their account and their free access come from. */
async function recordEvents(
  tx: Tx,
  fresh: readonly PlannedRow[],
  granted: readonly PlannedRow[],
  { found, now }: Context,
): Promise<void> {
  const source = importSourceNames[found.source]
  const given = [
    ...fresh.map(({ userId, member }) => ({
      id: userId,
      email: member.email,
      action: 'member_imported',
      note: `from ${source}`,
    })),
    ...granted.map(({ userId, member, complimentaryUntil }) => ({
      id: userId,
      email: member.email,
      action: 'access_granted',
      note: `until ${complimentaryUntil?.toISOString().slice(0, 10)}; imported from ${source}`,
    })),
  ]
  if (given.length === 0) return
  await tx.execute(sql`insert into auth.audit_log_entries (id, payload, created_at, ip_address)
    select gen_random_uuid(), jsonb_strip_nulls(jsonb_build_object('action', r.action, 'user_id', r.id, 'email', r.email,
        'note', r.note, 'actor_id', ${found.createdById}::text,
        'by', coalesce((select a.email from auth.users a where a.id = ${found.createdById}::uuid), 'deleted account'))),
      ${instant(now)}, ''
    from jsonb_to_recordset(${json(given)}) as r (id text, email text, action text, note text)`)
}

/** One email per account, queued in the transaction that creates it. Only to those who may get email. */
async function invite(tx: Tx, deps: WriteDeps, fresh: readonly PlannedRow[]) {
  for (const { member } of fresh) {
    if (member.mail !== 'subscribed') continue
    const { config } = deps
    await deps.enqueue(tx, emailJob, memberInvitationEmail({ to: member.email, name: member.name, config }))
  }
}
