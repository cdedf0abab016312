import { and, eq, exists, isNull, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { afterCursor, createdAtPosition, newestFirst, toMicroseconds } from '#server/db/database.ts'
import { memberTags, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { accessOf, readAccessFacts } from '#server/features/billing/subscriptions/access/read-access.ts'
import { requireEmail } from '#server/features/identity/auth/email-flows/email-address.ts'
import type { Actor } from '#server/features/identity/auth/security/admin-event.ts'
import { createMember } from '#server/features/operations/members/member-account/add-and-change-member.ts'
import { setMemberTags } from '#server/features/operations/members/member-tags.ts'
import { setMemberFields } from '#server/features/reader/custom-fields/field-values.ts'
import { readCustomFields } from '#server/features/reader/custom-fields/read-custom-fields.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { ApiMember, apiAccessSchema } from '#shared/contracts/operations/public-api.ts'
import type { CustomField, FieldValue, FieldValues } from '#shared/domain/custom-fields.ts'
import { normalizeEmail } from '#shared/domain/email-address.ts'
import { AppError } from '#shared/errors.ts'

type MemberDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets'>

const defaultPageSize = 50

const columns = {
  id: users.id,
  email: users.email,
  data: users.rawUserMetaData,
  confirmedAt: users.emailConfirmedAt,
  createdAt: users.createdAt,
  createdAtMicros: toMicroseconds(users.createdAt),
  tags: sql<string[]>`(select coalesce(json_agg(t.tag order by t.tag), '[]'::json) from member_tags t
    where t.user_id = ${users.id})`,
  answers: sql<ApiMember['answers']>`(select json_build_object('focusAreas', p.focus_areas, 'aiLevel', p.ai_level,
    'goals', p.goals, 'franchiseType', p.franchise_type) from user_preferences p where p.user_id = ${users.id})`,
  values: sql<FieldValues | null>`(select v.values from custom_field_values v where v.user_id = ${users.id})`,
}

type Query = { cursor?: string; limit?: number; email?: string; tag?: string }

/** Newest first, in keyset pages. */
export async function listApiMembers({ database: { db } }: MemberDeps, query: Query) {
  const { cursor, limit = defaultPageSize, email, tag } = query
  const after = cursor ? decodeCursor(cursor, createdAtPosition) : null
  const tagged = (wanted: string) =>
    exists(
      db
        .select({ tag: memberTags.tag })
        .from(memberTags)
        .where(and(eq(memberTags.userId, users.id), eq(memberTags.tag, normalizeTag(wanted)))),
    )
  const conditions: (SQL | undefined)[] = [
    isNull(users.deletedAt),
    after ? afterCursor(users, after[0], sql`${after[1]}::uuid`) : undefined,
    email ? eq(users.email, normalizeEmail(email)) : undefined,
    tag ? tagged(tag) : undefined,
  ]
  const rows = await db
    .select(columns)
    .from(users)
    .where(and(...conditions))
    .orderBy(...newestFirst(users))
    .limit(limit + 1)
  const fields = await readCustomFields(db)
  const { page, nextCursor } = pageOf(rows, limit, (last) => [last.createdAtMicros, last.id])
  return { items: page.map((row) => toMember(row, fields)), nextCursor }
}

/** @throws AppError not_found */
export async function readApiMember({ database }: Pick<MemberDeps, 'database'>, id: string): Promise<ApiMember> {
  const [row] = await database.db
    .select(columns)
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)))
  if (!row) throw new AppError('not_found')
  return toMember(row, await readCustomFields(database.db))
}

type Row = {
  id: string
  email: string | null
  data: unknown
  confirmedAt: Date | null
  createdAt: Date | null
  tags: string[]
  answers: ApiMember['answers']
  values: FieldValues | null
}

function toMember(
  { id, email, data, confirmedAt, createdAt, tags, answers, values }: Row,
  fields: readonly CustomField[],
): ApiMember {
  const { full_name: fullName, name } = (data ?? {}) as { full_name?: unknown; name?: unknown }
  const found = [fullName, name].find((part) => typeof part === 'string' && part.trim() !== '')
  return {
    id,
    email: email ?? '',
    name: typeof found === 'string' ? found.trim() : null,
    emailConfirmed: confirmedAt !== null,
    createdAt: (createdAt ?? new Date(0)).toISOString(),
    tags,
    answers,
    fields: Object.fromEntries(
      fields.flatMap((field) => {
        const value = values?.[field.id]
        return value === undefined ? [] : [[field.key, value]]
      }),
    ),
  }
}

type NewMember = { email: string; name?: string; tags?: string[] }

/**
 * Creates an account without a password and with an unconfirmed address, as an operator does. No email goes out.
 * @throws AppError user_already_exists; validation_failed for the address
 */
export async function createApiMember(deps: MemberDeps, who: Actor, { tags = [], ...given }: NewMember) {
  const email = requireEmail(given.email)
  const id = crypto.randomUUID()
  const name = given.name ?? null
  await deps.database.db.transaction((tx) =>
    createMember(tx, deps, who, { id, email, name, confirmedAt: null, now: deps.clock() }),
  )
  if (tags.length > 0) await setMemberTags(deps, who, { userId: id, tags: tags.map(normalizeTag) })
  return readApiMember(deps, id)
}

/** @throws AppError not_found */
export async function tagApiMember(deps: MemberDeps, who: Actor, { id, tags }: { id: string; tags: string[] }) {
  await setMemberTags(deps, who, { userId: id, tags: tags.map(normalizeTag) })
  return readApiMember(deps, id)
}

/** @throws AppError not_found; validation_failed for an unknown or retired field, or a value of another kind */
export async function setApiMemberFields(
  deps: MemberDeps,
  who: Actor,
  { id, fields }: { id: string; fields: Record<string, FieldValue | null> },
) {
  const known = (await readCustomFields(deps.database.db)).filter(({ retired }) => !retired)
  const answers = Object.entries(fields).map(([key, value]) => {
    const field = known.find((each) => each.key === key)
    if (!field) throw new AppError('validation_failed', { message: `There’s no field with the key “${key}”.` })
    return { id: field.id, value }
  })
  await setMemberFields(deps, who, { userId: id, answers })
  return readApiMember(deps, id)
}

/** The reason that the member's page gives. */
const normalizeTag = (tag: string) => tag.trim().replace(/\s+/g, ' ').toLowerCase()

/** @throws AppError not_found */
export async function readApiAccess(deps: MemberDeps, id: string): Promise<z.input<typeof apiAccessSchema>> {
  await readApiMember(deps, id)
  const facts = await readAccessFacts(deps.database.db, id)
  const now = deps.clock()
  const { entitled, productId } = accessOf(deps.config, facts, now)
  const own = accessOf(deps.config, { ...facts, team: null, complimentaryUntil: null }, now).entitled
  const { subscription } = facts
  return {
    memberId: id,
    hasAccess: entitled,
    source: !entitled ? null : own ? 'plan' : productId ? 'team' : 'complimentary',
    subscription: subscription && {
      status: subscription.status,
      currentPeriodEnd: subscription.currentPeriodEnd?.toISOString() ?? null,
      cancelAt: subscription.cancelAt?.toISOString() ?? null,
    },
  }
}
